//! What `--help` and the manual pages say below the options: a tour, examples, and
//! exit codes. A title with a colon and indented lines become a section of a manual
//! page.

use crate::cli::exit_code::ExitCode;
use std::fmt::Write;

const TOUR: &str = "\
A short tour:
  mestra campaign --time 10m                test the compilers on PATH
  mestra report campaign                    its findings, in campaign/report.html
  mestra reduce campaign/findings/*         smaller programs, with C-Vise if installed
  mestra mutate seed.c                      variants of a program, in variants/
  mestra verify seed.c variants/seed.v*.c   check that they behave like the seed
  mestra profile seed.c                     values of its variables at every point

See `mestra COMMAND --help` for details and examples.";

pub(super) const DUMP: &str = "\
Examples:
  mestra dump corpora/goto_into_block.c
  mestra dump --json seed.c -- -std=gnu89 -Iinclude -DNDEBUG";

pub(super) const PROFILE: &str = "\
Examples:
  mestra profile --profile-probability 1 corpora/switch_fallthrough.c
  mestra profile --profile-compiler tcc --json seed.c -- -DSIZE=10
  mestra profile --arg '3 -v' --arg 4 --input numbers.txt seed.c";

pub(super) const MUTATE: &str = "\
Examples:
  mestra mutate seed.c
  mestra mutate -n 100 -o out --seed 7 corpora/*.c
  mestra mutate --strategy all --swarm --donors corpora seed.c
  mestra mutate --strategy athena --steps 500 --plot chain.svg seed.c
  mestra mutate --dry-run -n 1 --profile-probability 1 seed.c -- -DSIZE=10";

pub(super) const ENUMERATE: &str = "\
Examples:
  mestra enumerate --count seed.c
  mestra enumerate --count --json --classes paper corpora
  mestra enumerate -n 20 seed.c
  mestra enumerate -o programs --limit 500 --seed 7 corpora/*.c
  mestra enumerate --from 17 -n 1 -o again seed.c -- -DSIZE=10
  mestra enumerate --types any --sample 100 -o front-end seed.c

Programs may never end or have undefined behaviour; with --types any, compilers reject
many of them.";

pub(super) const GENERATE: &str = "\
Examples:
  mestra generate > program.c
  mestra generate --seed 7 --check asserts > program.c
  mestra generate --count 100 -o programs --size 10K..20K
  mestra generate --count 100 --stats --without carried,gotos
  mestra generate --mode orange --rows 1 > long.c";

pub(super) const DONORS: &str = "\
Examples:
  mestra donors -o donors.json corpora
  mestra mutate --strategy athena --donors donors.json seed.c";

pub(super) const REPLAY: &str = "\
Examples:
  mestra replay seed.c variants/seed.v001.json
  mestra replay --only 3,5 -o part.c seed.c variants/seed.v001.json";

pub(super) const EXPLAIN: &str = "\
Examples:
  mestra explain seed.c variants/seed.v001.json
  mestra explain --only 3 --json seed.c variants/seed.v001.json";

pub(super) const MISSED: &str = "\
Examples:
  mestra missed seed.c
  mestra missed --compiler gcc-11 --compiler gcc-12 docs/example/rain.c -- -std=gnu89";

pub(super) const REDUCE: &str = "\
Examples:
  mestra reduce campaign/findings/s000004-v002-gcc-O2
  mestra reduce --time 1m --no-cvise campaign/findings/*
  mestra reduce --list --known last-week campaign

The exit code is 2 if any failure was reproduced. If none was, it is 5 if the campaign has
findings that cannot be read, and else 0.";

pub(super) const REPORT: &str = "\
Examples:
  mestra report campaign
  mestra report --known last-week -o public campaign

Writes report.html, report.json, report.sarif and report.xml (JUnit). The exit code is
2 if there are new findings.";

pub(super) const SERVE: &str = "\
Examples:
  mestra serve campaign
  mestra serve --port 0 campaign
  mestra serve /shared/hunt/parts

Prints the address of the page, which renews itself as the campaign goes on. Nothing can be
changed there, and nothing is loaded from elsewhere. Ctrl-C ends it. A directory that contains
those of a campaign's shards, running or not, is shown as one campaign.";

pub(super) const COMPILERS: &str = "\
Examples:
  mestra compilers
  mestra compilers --compiler ~/.cache/mestra/frontier/bin/gcc-16 --compiler 'gcc -m32'

A compiler that campaigns cannot use is listed with the reason. Features are those of programs
of `mestra generate` that only some compilers have.";

pub(super) const DOCTOR: &str = "\
Examples:
  mestra doctor

The exit code is 4 if something is missing that campaigns need.";

pub(super) const BISECT: &str = "\
Examples:
  mestra bisect FINDING --git tinycc --good v1 --build 'make tcc' --compiler tcc

Revisions are built in a worktree of their own. What each one showed is kept in the finding's
bisect.json, so a bisection that was interrupted goes on, and no revision is built twice.";

pub(super) const RETEST: &str = "\
Examples:
  mestra retest campaign --compiler gcc-14
  mestra retest --json --compiler ~/build/bin/clang campaign

Every finding is run with its own flags and inputs, its small program if there is one.
The outcome is kept in the campaign's defects.json and shown in reports. The exit code is 2
if anything still fails, 5 if something could not be built, and else 0.";

pub(super) const MARK: &str = "\
Examples:
  mestra mark campaign gcc-wrong-code-ftree-vrp filed https://gcc.gnu.org/PR12345
  mestra mark campaign gcc-wrong-code-ftree-vrp fixed 14.2
  mestra mark campaign s000004-v002-gcc-O2 duplicate gcc-wrong-code-fgcse

Buckets that were marked are known: they are no news in reports and exit codes. What was
fixed and is found again by a later campaign is back.";

pub(super) const VERIFY: &str = "\
Examples:
  mestra verify seed.c variants/seed.v*.c
  mestra verify --quiet --arg '3 -v' --input numbers.txt seed.c variant.c -- -std=gnu89

Variants are compiled by gcc, clang and tcc without optimisation and with sanitizers,
with the seed's own flags and inputs. The exit code is 2 if any variant differs.";

pub(super) const CAMPAIGN: &str = "\
Examples:
  mestra campaign --time 8h
  mestra campaign --seeds corpora --compiler gcc --compiler 'tcc | -run' -n 5 -o hunt
  mestra campaign --seed-command 'csmith --max-funcs 3 --seed {seed}' --count 100
  mestra campaign --compiler 'aarch64-linux-gnu-gcc -static -fsigned-char | qemu-aarch64'
  mestra campaign --resume -o hunt
  mestra campaign --count 9000 --shard 2/3 -o /tmp/part2 --sync /shared/part2";

pub(super) const MERGE: &str = "\
Examples:
  mestra campaign --count 900 --shard 1/3 -o part1    (likewise on the other two machines)
  mestra merge whole part1 part2 part3

Merging into the same directory again adds what the shards have done since.";

pub(super) const COMPACT: &str = "\
Examples:
  mestra compact hunt
  mestra compact --keep 1000 part1 part2

What goes are runs in which nothing was wrong. The campaign can be resumed, merged and
reported as before.";

pub(super) const CLUSTER: &str = "\
Examples:
  mestra cluster --shards 64 --shared /shared/hunt
  cluster/slurm-submit.sh
  parallel -j 8 cluster/shard.sh ::: $(seq 64) && cluster/finish.sh && cluster/report.sh
  make -f cluster/make.mk -j 8 HOSTS='one two'
  kubectl apply -f cluster/kubernetes.yaml";

pub(super) const COMPLETIONS: &str = "\
Examples:
  mestra completions bash > ~/.local/share/bash-completion/completions/mestra
  mestra completions fish > ~/.config/fish/completions/mestra.fish
  mestra completions zsh > ~/.zfunc/_mestra    (a directory in your fpath)";

pub(super) const MAN: &str = "\
Examples:
  mestra man ~/.local/share/man/man1
  man mestra-campaign";

/// Below the commands.
pub(super) fn program() -> String {
    let mut text = format!("{TOUR}\n\nExit codes:\n");
    for (code, meaning) in ExitCode::TABLE {
        let _ = writeln!(text, "  {:<4} {meaning}", *code as u8);
    }
    text
}

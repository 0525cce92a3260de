//! Buckets and the report of a campaign, in all its forms.

use super::planted::{CRASH, Defect, WRONG_CODE, campaign, plant};
use mestra::hunt::bucket::{buckets, unreduced};
use mestra::hunt::defects::known_to;
use mestra::hunt::report::{self, Figures};
use mestra::lab::process::{Command, Limits, Output};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn one_defect_found_twenty_times_is_one_bucket_and_two_are_two() {
    let directory = tempfile::tempdir().unwrap();
    campaign(directory.path());
    for number in 1..=20 {
        plant(directory.path(), number, WRONG_CODE, 30 - number as usize);
    }
    let found = buckets(directory.path(), &[]).unwrap().buckets;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].entries.len(), 20);
    assert_eq!(
        found[0].entries[0].finding.variant,
        Some(20),
        "the smallest is first"
    );
    plant(directory.path(), 21, CRASH, 3);
    let elsewhere = Defect {
        pass: Some("-fgcse"),
        ..WRONG_CODE
    };
    plant(directory.path(), 22, elsewhere, 9);
    let by_another_kind = Defect {
        kind: "false_block",
        ..WRONG_CODE
    };
    plant(directory.path(), 23, by_another_kind, 12);
    let found = buckets(directory.path(), &[]).unwrap().buckets;
    let names: Vec<&str> = found
        .iter()
        .map(|bucket| bucket.known_as.name.as_str())
        .collect();
    // What is known by its pass does not depend on how it was met.
    assert_eq!(
        names,
        [
            "gcc-crash-in-gimplify-expr-at-gimplify-cc",
            "gcc-wrong-code-fgcse",
            "gcc-wrong-code-ftree-vrp"
        ]
    );
}

#[test]
fn of_many_findings_alike_some_are_reduced_first() {
    let directory = tempfile::tempdir().unwrap();
    campaign(directory.path());
    for number in 1..=6 {
        let defect = if number % 2 == 0 { CRASH } else { WRONG_CODE };
        plant(directory.path(), number, defect, 5);
    }
    let left = |most| {
        let left = unreduced(directory.path(), most, &[]).unwrap().concat();
        let names = left
            .iter()
            .map(|path| path.file_name().unwrap().to_str().unwrap());
        names.map(|name| name[8..12].to_owned()).collect::<Vec<_>>()
    };
    assert!(left(usize::MAX).is_empty());
    for finding in mestra::hunt::finding::directories(directory.path()).unwrap() {
        if !finding.to_str().unwrap().contains("v001") {
            fs::remove_dir_all(finding.join("reduced")).unwrap();
        }
    }
    // Of the crash, whose signature says it all, one; what is reduced counts.
    assert_eq!(left(usize::MAX), ["v002", "v003", "v005"]);
    assert_eq!(left(2), ["v002", "v003"]);
    assert_eq!(left(1), ["v002"]);
}

#[test]
fn crashes_that_earlier_campaigns_found_are_not_reduced_again() {
    let [earlier, now] = [0, 1].map(|_| tempfile::tempdir().unwrap());
    for directory in [&earlier, &now] {
        campaign(directory.path());
        plant(directory.path(), 1, CRASH, 5);
        plant(directory.path(), 2, WRONG_CODE, 5);
    }
    for finding in mestra::hunt::finding::directories(now.path()).unwrap() {
        fs::remove_dir_all(finding.join("reduced")).unwrap();
    }
    let left = |known: &[PathBuf]| {
        let known = known_to(known).unwrap();
        let left = unreduced(now.path(), usize::MAX, &known).unwrap();
        left.concat().len()
    };
    assert_eq!(left(&[]), 2);
    // Wrong code is not recognised before it is reduced.
    assert_eq!(left(&[earlier.path().to_owned()]), 1);
    let listed = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["reduce", "--list", "--known"])
        .arg(earlier.path())
        .arg(now.path())
        .run()
        .unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert_eq!(listed.lines().count(), 1);
    assert!(listed.contains("-v002-"), "{listed}");
}

#[test]
fn what_earlier_campaigns_found_is_folded_away() {
    let [earlier, now] = [0, 1].map(|_| tempfile::tempdir().unwrap());
    for directory in [&earlier, &now] {
        campaign(directory.path());
        plant(directory.path(), 1, CRASH, 5);
    }
    plant(now.path(), 2, WRONG_CODE, 9);
    let known = [earlier.path().to_owned()];
    let found = Figures::read(now.path(), &known).unwrap().buckets;
    let is_known: Vec<bool> = found.iter().map(|bucket| bucket.is_known).collect();
    assert_eq!(is_known, [false, true], "new ones come first");
    let report = |arguments: &[&str]| {
        let outcome = Command::new(env!("CARGO_BIN_EXE_mestra"))
            .arg("report")
            .args(arguments)
            .run()
            .unwrap();
        (outcome.ending, String::from_utf8(outcome.stdout).unwrap())
    };
    let [earlier, now] = [&earlier, &now].map(|directory| directory.path().to_str().unwrap());
    let (ending, text) = report(&["--known", earlier, now]);
    assert_eq!(ending, mestra::lab::process::Ending::Exited(2));
    assert!(text.contains("1 new bucket, 1 known: "), "{text}");
    let (ending, _) = report(&["--known", now, earlier]);
    assert!(ending.is_success(), "nothing there is new");
}

#[test]
fn programs_can_read_the_report() {
    let directory = tempfile::tempdir().unwrap();
    campaign(directory.path());
    plant(directory.path(), 1, WRONG_CODE, 9);
    plant(directory.path(), 2, CRASH, 5);
    let figures = Figures::read(directory.path(), &[]).unwrap();
    report::write(&figures, directory.path()).unwrap();
    let read = |name: &str| fs::read_to_string(directory.path().join(name)).unwrap();
    let json: serde_json::Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!(json["totals"]["variants"], 3);
    assert_eq!(json["buckets"].as_array().unwrap().len(), 2);
    assert_eq!(json["guilty"]["true_guard"], 1);
    let sarif: serde_json::Value = serde_json::from_str(&read("report.sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        assert_eq!(result["level"], "error");
        let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert!(
            directory.path().join(uri.as_str().unwrap()).is_file(),
            "{uri}"
        );
    }
    let junit = read("report.xml");
    assert!(junit.contains("tests=\"3\" failures=\"2\""), "{junit}");
    assert!(junit.contains("gimplify.cc:15905 &lt;&amp;&gt;"), "{junit}");
}

/// The page with a script at its end, as Chromium leaves it.
fn browse(page: &Path, script: &str) -> Output {
    let name = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find_map(mestra::lab::toolchain::find_tool)
        .expect("chromium is installed by scripts/setup.sh");
    let directory = tempfile::tempdir().unwrap();
    let copy: PathBuf = directory.path().join("page.html");
    let text = fs::read_to_string(page).unwrap();
    let script = format!("<script>{script}</script></body>");
    fs::write(&copy, text.replace("</body>", &script)).unwrap();
    Command::new(name)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
        ])
        .args([
            "--disable-dev-shm-usage",
            "--dump-dom",
            "--window-size=400,900",
        ])
        .arg(format!(
            "--user-data-dir={}",
            directory.path().join("profile").display()
        ))
        .arg(format!("file://{}", copy.display()))
        .env("HOME", directory.path())
        .limits(Limits {
            memory: None,
            ..Limits::default()
        })
        .run()
        .unwrap()
}

#[test]
fn the_page_loads_without_complaints_and_its_filters_work() {
    let directory = tempfile::tempdir().unwrap();
    campaign(directory.path());
    plant(directory.path(), 1, WRONG_CODE, 9);
    plant(directory.path(), 2, CRASH, 5);
    let earlier = tempfile::tempdir().unwrap();
    campaign(earlier.path());
    plant(earlier.path(), 1, CRASH, 5);
    let known = [earlier.path().to_owned()];
    let figures = Figures::read(directory.path(), &known).unwrap();
    report::write(&figures, directory.path()).unwrap();
    let page = directory.path().join("report.html");
    let text = fs::read_to_string(&page).unwrap();
    assert!(
        !text.contains("http://") && !text.contains("https://"),
        "it needs no network"
    );
    assert!(text.contains("/* &lt;b&gt; */"), "programs are escaped");
    // What is shown after each turn of a filter, joined into one attribute.
    let script = r#"
        const seen = [];
        const look = () => seen.push(
            [...document.querySelectorAll(".bucket")].filter((b) => !b.hidden).map((b) => b.dataset.verdict).join("+"));
        const turn = (id, change) => {
            change(document.getElementById(id));
            document.getElementById(id).dispatchEvent(new Event("input", { bubbles: true }));
            look();
        };
        look();
        turn("known", (box) => { box.checked = true; });
        turn("verdict", (choice) => { choice.value = "compiler-crash"; });
        turn("verdict", (choice) => { choice.value = ""; });
        turn("text", (field) => { field.value = "TREE-VRP"; });
        turn("text", (field) => { field.value = "no such word"; });
        turn("text", (field) => { field.value = ""; });
        turn("sort", (choice) => { choice.value = "size"; });
        location.hash = "gcc-wrong-code-ftree-vrp";
        window.dispatchEvent(new Event("hashchange"));
        seen.push(document.querySelectorAll(".bucket[open]").length);
        seen.push(document.querySelectorAll(".bucket .copy").length > 3);
        seen.push(document.documentElement.scrollWidth <= innerWidth);
        document.body.dataset.seen = seen.join(",");
    "#;
    let outcome = browse(&page, script);
    let (dom, said) = (
        String::from_utf8_lossy(&outcome.stdout),
        String::from_utf8_lossy(&outcome.stderr),
    );
    assert!(outcome.ending.is_success(), "{said}");
    assert!(!said.contains("CONSOLE"), "{said}");
    let expected = "wrong-output,wrong-output+compiler-crash,compiler-crash,\
                    wrong-output+compiler-crash,wrong-output,,\
                    wrong-output+compiler-crash,compiler-crash+wrong-output,1,true,true";
    assert!(dom.contains(&format!("data-seen=\"{expected}\"")), "{dom}");
    assert!(dom.contains("<svg"), "{dom}");
}

#[test]
fn a_report_is_in_the_form_of_its_tracker_and_holds_what_is_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let fake = super::fake::wrong_output(directory.path(), "gcc", &["x%3"]);
    let text =
        "#include <stdio.h>\nint x = 5;\nint main(void) { printf(\"%d\\n\", x % 3); return 0; }\n";
    let path = directory.path().join("seed.c");
    fs::write(&path, text).unwrap();
    let seed = mestra::source::seed::Seed::read(&path, &[]).unwrap();
    let config = super::finding::config(&fake, &["-O1"]);
    let finding = super::finding::write(directory.path(), "f", &seed, None, &config);
    super::text::work(&finding, std::time::Duration::from_secs(60)).unwrap();
    let filing = fs::read_to_string(finding.join("reduced/filing.txt")).unwrap();
    for asked in [
        "Where: https://gcc.gnu.org/bugzilla/",
        "\nSummary: Wrong code with gcc-wrong -O1\n",
        "\nKeywords: wrong-code\n",
        "\nKnown to fail: ",
        "\nIt fails with -O0, -O1, -Os, -O2, -O3.\n",
        "% 3",
        "\n$ gcc-wrong ",
        "\nexpected:\n",
        "It was found by a fuzzer (Mestra ",
        "no undefined behaviour that is known",
        "\n$ gcc -v\nUsing built-in specs.",
        "\nCompiler Explorer: https://godbolt.org/clientstate/eyJ",
    ] {
        assert!(filing.contains(asked), "{asked} is missing:\n{filing}");
    }
}

#[test]
fn the_page_holds_none_one_and_two_hundred_buckets_on_a_telephone() {
    for count in [0, 1, 200] {
        let directory = tempfile::tempdir().unwrap();
        campaign(directory.path());
        for number in 1..=count {
            let signature: &'static str =
                format!("in function_{number}, at file.cc:{number}").leak();
            plant(directory.path(), number, Defect { signature, ..CRASH }, 5);
        }
        let figures = Figures::read(directory.path(), &[]).unwrap();
        assert_eq!(figures.buckets.len(), count as usize);
        report::write(&figures, directory.path()).unwrap();
        let script = r#"document.body.dataset.seen = [
            document.querySelectorAll(".bucket").length,
            document.documentElement.scrollWidth <= innerWidth,
        ].join(",");"#;
        let outcome = browse(&directory.path().join("report.html"), script);
        let dom = String::from_utf8_lossy(&outcome.stdout);
        assert!(
            dom.contains(&format!("data-seen=\"{count},true\"")),
            "{dom}"
        );
    }
}

#[test]
fn a_report_elsewhere_brings_along_what_it_links_to() {
    let [directory, elsewhere] = [0, 1].map(|_| tempfile::tempdir().unwrap());
    campaign(directory.path());
    plant(directory.path(), 1, WRONG_CODE, 9);
    report::make(directory.path(), &[], elsewhere.path()).unwrap();
    let page = fs::read_to_string(elsewhere.path().join("report.html")).unwrap();
    let links = page.split("href=\"findings/").skip(1);
    let links: Vec<&str> = links.filter_map(|rest| rest.split('"').next()).collect();
    assert!(links.len() > 2, "{links:?}");
    for link in links
        .iter()
        .filter(|link| !link.ends_with("repro.sh") && !link.ends_with("filing.txt"))
    {
        assert!(
            elsewhere.path().join("findings").join(link).exists(),
            "{link}"
        );
    }
}

//! What becomes of a campaign on 1 to 1,000 machines, by simulation: divided into shards that
//! know nothing of each other, and with a central queue that hands out every seed.
//!
//! How long seeds take, and what it costs to store their results, is measured first, with a
//! real campaign and a real store.

mod measured;
mod model;

use crate::curves::{Curve, logarithmic};
use measured::Measured;
use model::{Cluster, Outcome, Scheme};
use std::fmt::Write;

const NODES: [usize; 7] = [1, 3, 10, 30, 100, 300, 1000];

/// The share of seeds that show the most frequent defect. The k-th is k^1.2 times as rare.
const FREQUENCY: f64 = 0.02;
const EXPONENT: f64 = 1.2;
const DEFECTS: usize = 100;

/// Campaigns of a given number of seeds: how many each core has to do.
const SEEDS_A_CORE: [usize; 4] = [10, 100, 1000, 5000];

pub fn study(seeds: usize) -> String {
    let measured = Measured::take(seeds);
    let mut text = format!(
        "{}\n\nEach machine has {} cores and works for {} hours; it is preempted every {} hours \
         and fails every {} hours on average and is back after {} minutes, half of the failed ones \
         without their local disk. Copies are made every {} seconds. With a central queue, results \
         go to one server that needs as long for them as a local store does, and half a \
         millisecond more; it never fails.\n\n",
        measured.describe(),
        model::CORES,
        model::HOURS,
        model::PREEMPTED_EVERY_HOURS,
        model::FAILS_EVERY_HOURS,
        model::AWAY_MINUTES,
        model::SYNC_SECONDS,
    );
    let run = |scheme| -> Vec<Outcome> {
        NODES
            .iter()
            .map(|&nodes| Cluster::new(nodes, scheme, &measured).run())
            .collect()
    };
    let [shards, queue] = [Scheme::Shards, Scheme::CentralQueue].map(run);
    text.push_str(
        "| machines | shards: seeds an hour | efficiency | work done twice | \
         central queue: seeds an hour | efficiency |\n|---:|---:|---:|---:|---:|---:|\n",
    );
    for (index, nodes) in NODES.iter().enumerate() {
        let (shards, queue) = (&shards[index], &queue[index]);
        let _ = writeln!(
            text,
            "| {nodes} | {:.0} | {:.1} % | {:.2} % | {:.0} | {:.1} % |",
            shards.seeds_an_hour(),
            shards.efficiency() * 100.0,
            shards.lost_share() * 100.0,
            queue.seeds_an_hour(),
            queue.efficiency() * 100.0,
        );
    }
    text.push_str(
        "\nEfficiency is the work whose results are kept, in the time that machines were given: \
         time away is not counted, starting again, copying and doing things again is.\n\n\
         ![Throughput](studies/cluster-throughput.svg)\n\n",
    );
    draw_throughput(&shards, &queue);
    text.push_str(&first_sight(&shards, &queue));
    text.push_str(&fixed_counts(&measured));
    text
}

fn draw_throughput(shards: &[Outcome], queue: &[Outcome]) {
    let curve = |name: &str, outcomes: &[Outcome]| Curve {
        name: name.into(),
        points: NODES
            .iter()
            .zip(outcomes)
            .map(|(&nodes, outcome)| (nodes as f64, outcome.seeds_an_hour()))
            .collect(),
    };
    let alone = shards[0].seeds_an_hour();
    let ideal = NODES.map(|nodes| (nodes as f64, nodes as f64 * alone));
    let curves = [
        curve("shards", shards),
        curve("central queue", queue),
        Curve {
            name: "one machine, times N".into(),
            points: ideal.to_vec(),
        },
    ];
    let svg = logarithmic("Throughput", "machines", "seeds an hour", &curves);
    crate::draw("cluster-throughput", &svg);
}

/// How often a seed shows the defect of a rank.
fn frequency(rank: usize) -> f64 {
    FREQUENCY / (rank as f64).powf(EXPONENT)
}

/// When defects are seen first: by a person who looks at what has reached shared storage.
fn first_sight(shards: &[Outcome], queue: &[Outcome]) -> String {
    let ranks: Vec<usize> = (1..=DEFECTS).collect();
    let sights = |outcome: &Outcome| -> Vec<(f64, f64)> {
        let minutes = |rank: usize| outcome.seconds_to_see(frequency(rank)).map(|s| s / 60.0);
        let points = ranks.iter().map(|&rank| (rank as f64, minutes(rank)));
        points
            .filter_map(|(rank, minutes)| Some((rank, minutes?)))
            .collect()
    };
    let [one, some, all] = [0, 4, 6].map(|index| sights(&shards[index]));
    let central = sights(&queue[6]);
    let named = [
        ("1 machine", one),
        ("100 machines", some),
        ("1,000 machines", all),
        ("1,000, central queue", central),
    ];
    let mut text = String::from(
        "| defect in so many seeds | 1 machine | 100 | 1,000 | 1,000 with a central queue |\n\
         |---:|---:|---:|---:|---:|\n",
    );
    for rank in [1_usize, 10, 30, 100] {
        let _ = write!(text, "| 1 in {:.0} |", 1.0 / frequency(rank));
        for (_, points) in &named {
            let found = points.iter().find(|point| point.0 == rank as f64);
            let _ = match found {
                Some((_, minutes)) => write!(text, " {minutes:.1} min |"),
                None => write!(text, " later |"),
            };
        }
        text.push('\n');
    }
    text.push_str(
        "\nMedian times until a defect is seen on shared storage. With many machines the shards' \
         interval of copying is what remains; a queue has none.\n\n![First sight](studies/cluster-first-sight.svg)\n\n",
    );
    let curves = named.map(|(name, points)| Curve {
        name: name.into(),
        points,
    });
    let svg = logarithmic(
        "First sight of defects by frequency",
        "rank of the defect",
        "minutes",
        &curves,
    );
    crate::draw("cluster-first-sight", &svg);
    text
}

/// A campaign that ends with its seeds waits for its slowest shard.
fn fixed_counts(measured: &Measured) -> String {
    let mut text = String::from(
        "A campaign with `--count` ends when the slowest of its shards does:\n\n\
         | seeds a core | 10 machines | 100 | 1,000 |\n|---:|---:|---:|---:|\n",
    );
    for seeds in SEEDS_A_CORE {
        let _ = write!(text, "| {seeds} |");
        for nodes in [10, 100, 1000] {
            let share = model::balance(nodes, seeds, measured);
            let _ = write!(text, " {:.0} % |", share * 100.0);
        }
        text.push('\n');
    }
    text.push_str(
        "\nThe share of machine time that is used until then. With `--time` instead, nobody waits \
         for anybody.\n",
    );
    text
}

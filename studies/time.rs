//! Time per variant by the size of the seed (the paper's table 3).

use crate::draw;
use crate::plot::{Bars, grouped};
use crate::sample::{SIZES, STRATEGIES, Sample, Subject};
use std::fmt::Write;

pub fn study(sample: &Sample) -> String {
    let mut text = String::from(
        "CPU time in milliseconds, means over the seeds of a size. A variant's time is that of \
         choosing its mutations and making its text; the profile is taken once a seed with all \
         compilers, parsing included.\n\n| seeds | of them | lines | gcc -O0 | profile |",
    );
    for (_, name) in STRATEGIES {
        let _ = write!(text, " {name} |");
    }
    text.push_str("\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    let mut series: Vec<Bars> = STRATEGIES.map(|(_, name)| Bars::new(name)).into();
    for (size, range) in SIZES {
        let subjects = sample.subjects.iter().filter(|s| range.contains(&s.lines));
        let subjects: Vec<&Subject> = subjects.collect();
        let mean = |value: &dyn Fn(&Subject) -> f64| {
            subjects.iter().map(|s| value(s)).sum::<f64>() / subjects.len() as f64
        };
        let _ = write!(
            text,
            "| {size} | {} | {:.0} | {:.0} | {:.0} |",
            subjects.len(),
            mean(&|s| s.lines as f64),
            mean(&|s| s.compile.as_secs_f64() * 1e3),
            mean(&|s| s.profile.as_secs_f64() * 1e3)
        );
        for (index, bars) in series.iter_mut().enumerate() {
            let per_variant =
                mean(&|s| s.making[index].as_secs_f64() * 1e3 / s.variants[index].len() as f64);
            let _ = write!(text, " {per_variant:.1} |");
            bars.values.push(per_variant);
        }
        text.push('\n');
    }
    let groups = SIZES.map(|(size, _)| size);
    draw(
        "time",
        &grouped("CPU time per variant, ms", &groups, &series),
    );
    text.push_str("\n![CPU time per variant](studies/time.svg)\n");
    text
}

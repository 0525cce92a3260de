//! Chains as a picture: the objective over the steps, and how many of the last
//! proposals were accepted.

use crate::variant::strategy::Trace;
use std::fmt::Write;

/// A chain with a name.
#[derive(Clone, Debug)]
pub(crate) struct ChainCurve {
    pub name: String,
    pub trace: Trace,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const MARGIN: f64 = 50.0;

/// The acceptance rate is that of so many steps up to each.
const WINDOW: usize = 20;

/// Colours that differ for most eyes.
const COLOURS: [&str; 6] = [
    "#4477aa", "#ee6677", "#228833", "#aa3377", "#66ccee", "#ccbb44",
];

/// The picture as SVG.
pub(crate) fn plot(lines: &[ChainCurve]) -> String {
    let mut svg = String::new();
    let (width, height) = (WIDTH + 2.0 * MARGIN, 2.0 * HEIGHT + 3.0 * MARGIN);
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">"
    );
    let _ = writeln!(svg, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
    let objectives: Vec<(&str, Vec<f64>)> = lines
        .iter()
        .map(|line| (line.name.as_str(), line.trace.objective.clone()))
        .collect();
    panel(&mut svg, MARGIN, "objective", &objectives);
    let rates: Vec<(&str, Vec<f64>)> = lines
        .iter()
        .map(|line| (line.name.as_str(), rates(&line.trace.accepted)))
        .collect();
    let title = format!("accepted of the last {WINDOW} proposals");
    panel(&mut svg, HEIGHT + 2.0 * MARGIN, &title, &rates);
    svg.push_str("</svg>\n");
    svg
}

/// One diagram with its axes, from `top` down.
fn panel(svg: &mut String, top: f64, title: &str, curves: &[(&str, Vec<f64>)]) {
    let values = || curves.iter().flat_map(|(_, values)| values);
    let low = values().copied().fold(0.0, f64::min);
    let high = values().copied().fold(low + 1e-6, f64::max);
    let steps = curves.iter().map(|(_, values)| values.len()).max();
    let steps = steps.unwrap_or(0).max(2);
    let x = |step: usize| MARGIN + WIDTH * step as f64 / (steps - 1) as f64;
    let y = |value: f64| top + HEIGHT * (1.0 - (value - low) / (high - low));
    let (left, right, bottom) = (MARGIN, MARGIN + WIDTH, top + HEIGHT);
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"{}\">{title}</text>", top - 8.0);
    let _ = writeln!(
        svg,
        "<path d=\"M{left} {top} V{bottom} H{right}\" fill=\"none\" stroke=\"black\"/>"
    );
    for (value, at) in [(high, top + 4.0), (low, bottom + 4.0)] {
        let x = left - 6.0;
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{at}\" text-anchor=\"end\">{value:.3}</text>"
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{steps} steps</text>",
        bottom + 16.0
    );
    for (index, (name, values)) in curves.iter().enumerate() {
        let mut points = String::new();
        for (step, value) in values.iter().enumerate() {
            let _ = write!(points, "{:.1},{:.1} ", x(step), y(*value));
        }
        let colour = COLOURS[index % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\"><title>{}</title></polyline>",
            points.trim_end(),
            escape(name)
        );
    }
}

fn rates(accepted: &[bool]) -> Vec<f64> {
    let rate = |end: usize| {
        let window = &accepted[end.saturating_sub(WINDOW)..end];
        let count = window.iter().filter(|accepted| **accepted).count();
        count as f64 / window.len() as f64
    };
    (1..=accepted.len()).map(rate).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::strategy::ProposalTally;
    use std::collections::BTreeMap;

    #[test]
    fn each_chain_has_a_line_in_both_diagrams() {
        let trace = |objective: Vec<f64>| Trace {
            acceptance: 0.5,
            accepted: objective.iter().map(|value| *value > 0.1).collect(),
            objective,
            additions: BTreeMap::new(),
            removals: ProposalTally::default(),
        };
        let lines = [
            ("a<b", trace(vec![0.0, 0.5, 0.25])),
            ("c", trace(vec![0.0, 0.1, 1.0])),
        ];
        let lines = lines.map(|(name, trace)| ChainCurve {
            name: name.into(),
            trace,
        });
        let svg = plot(&lines);
        assert_eq!(svg.matches("<polyline").count(), 4);
        assert!(svg.contains("a&lt;b") && svg.contains("3 steps"));
        // From the lower left corner to the upper right one.
        assert!(svg.contains("50.0,310.0 410.0,284.0 770.0,50.0"), "{svg}");
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn a_rate_is_that_of_the_last_steps() {
        let mut accepted = vec![true; 20];
        accepted.extend([false; 20]);
        let rates = rates(&accepted);
        assert_eq!((rates[0], rates[29], rates[39]), (1.0, 0.5, 0.0));
    }
}

//! Plots as inline SVG, coloured by the page's style sheet.

use super::escaped;
use crate::hunt::campaign::curves::Steps;
use crate::lab::words::plural;
use std::collections::BTreeMap;
use std::fmt::Write;

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 28.0;
const TOP: f64 = 10.0;
const RIGHT: f64 = 12.0;

/// Points on a curve that are worth drawing.
const MOST_POINTS: usize = 400;

/// How many things were done by when, as a curve.
pub(super) fn cumulative(seconds: &[f64], label: &str) -> String {
    let (Some(last), count) = (seconds.last(), seconds.len()) else {
        return "<p class=\"none\">no data</p>".into();
    };
    let end = last.max(1e-3);
    let x = |second: f64| LEFT + second / end * (WIDTH - LEFT - RIGHT);
    let y = |done: f64| HEIGHT - BOTTOM - done / count as f64 * (HEIGHT - TOP - BOTTOM);
    let mut svg = open(label, HEIGHT);
    levels(&mut svg, count as f64, y);
    times(&mut svg, end, x);
    let _ = write!(
        svg,
        "<polyline class=\"curve\" points=\"{:.1},{:.1}",
        x(0.0),
        y(0.0)
    );
    let step = count.div_ceil(MOST_POINTS);
    for (index, second) in seconds.iter().enumerate() {
        if (index + 1) % step == 0 || index + 1 == count {
            let _ = write!(svg, " {:.1},{:.1}", x(*second), y((index + 1) as f64));
        }
    }
    svg.push_str("\"/></svg>");
    svg
}

/// As many colours as the style sheet has.
const COLOURS: usize = 8;

/// What several names had reached by when: a curve each, the highest named first.
pub(super) fn curves(all: &BTreeMap<String, Steps>, label: &str) -> String {
    let mut all: Vec<(&str, &Steps, u64)> = all
        .iter()
        .filter_map(|(name, steps)| Some((name.as_str(), steps, steps.last()?.1)))
        .collect();
    all.sort_by(|one, other| other.2.cmp(&one.2).then(one.0.cmp(other.0)));
    let Some((_, _, most)) = all.first().copied() else {
        return "<p class=\"none\">no data</p>".into();
    };
    let ends = all.iter().filter_map(|(_, steps, _)| steps.last());
    let end = ends.fold(1e-3, |end: f64, (second, _)| end.max(*second));
    let rows = all.len().div_ceil(NAMES_IN_ROW);
    let mut svg = open(label, HEIGHT + NAME_ROW * rows as f64 + 4.0);
    let x = |second: f64| LEFT + second / end * (WIDTH - LEFT - RIGHT);
    let y = |done: f64| HEIGHT - BOTTOM - done / most as f64 * (HEIGHT - TOP - BOTTOM);
    levels(&mut svg, most as f64, y);
    times(&mut svg, end, x);
    for (index, (name, steps, last)) in all.iter().enumerate() {
        // A second round of the same colours is broken.
        let class = format!(
            "c{}{}",
            index % COLOURS,
            if index < COLOURS { "" } else { " broken" }
        );
        let _ = write!(
            svg,
            "<polyline class=\"curve {class}\" points=\"{:.1},{:.1}",
            x(0.0),
            y(0.0)
        );
        for (second, count) in *steps {
            let _ = write!(svg, " {:.1},{:.1}", x(*second), y(*count as f64));
        }
        // A curve that has ended stays where it was.
        let _ = write!(svg, " {:.1},{:.1}", x(end), y(*last as f64));
        let (column, row) = (index % NAMES_IN_ROW, index / NAMES_IN_ROW);
        let left = 8.0 + column as f64 * (WIDTH / NAMES_IN_ROW as f64);
        let middle = HEIGHT + NAME_ROW * row as f64 + 8.0;
        let _ = write!(
            svg,
            "\"><title>{0}: {last}</title></polyline>\
             <line class=\"curve {class}\" x1=\"{left:.1}\" x2=\"{1:.1}\" y1=\"{middle:.1}\" \
             y2=\"{middle:.1}\"/><text class=\"axis\" x=\"{2:.1}\" y=\"{3:.1}\">{0}, {last}</text>",
            escaped(name),
            left + 18.0,
            left + 24.0,
            middle + 4.0,
        );
    }
    svg.push_str("</svg>");
    svg
}

/// How many names of curves stand side by side, and how high they are.
const NAMES_IN_ROW: usize = 2;
const NAME_ROW: f64 = 18.0;

/// How many of something have a share in each twentieth of the whole.
pub(super) fn shares(shares: &[f64], label: &str, of: &str) -> String {
    const BINS: usize = 20;
    let mut bins = [0_usize; BINS];
    for share in shares {
        bins[((share * BINS as f64) as usize).min(BINS - 1)] += 1;
    }
    let most = match bins.iter().max() {
        None | Some(0) => return "<p class=\"none\">no data</p>".into(),
        Some(most) => *most as f64,
    };
    let x = |share: f64| LEFT + share * (WIDTH - LEFT - RIGHT);
    let y = |count: f64| HEIGHT - BOTTOM - count / most * (HEIGHT - TOP - BOTTOM);
    let mut svg = open(label, HEIGHT);
    levels(&mut svg, most, y);
    for (index, count) in bins.iter().enumerate().filter(|(_, count)| **count > 0) {
        let (from, to) = (index as f64 / BINS as f64, (index + 1) as f64 / BINS as f64);
        let top = y(*count as f64);
        let _ = write!(
            svg,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\">\
             <title>{:.0} to {:.0} %: {}</title></rect>",
            x(from) + 1.0,
            x(to) - x(from) - 2.0,
            HEIGHT - BOTTOM - top,
            from * 100.0,
            to * 100.0,
            plural(*count, of),
        );
    }
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let at = x(tick);
        let _ = write!(
            svg,
            "<text class=\"axis\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"{}\">{:.0} %</text>",
            HEIGHT - 8.0,
            anchor(at),
            tick * 100.0
        );
    }
    svg.push_str("</svg>");
    svg
}

/// Times below the axis.
fn times(svg: &mut String, end: f64, x: impl Fn(f64) -> f64) {
    let (unit, divisor) = unit(end);
    for (value, text) in ticks(end / divisor) {
        let at = x(value * divisor);
        let _ = write!(
            svg,
            "<text class=\"axis\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"{}\">{text} {unit}</text>",
            HEIGHT - 8.0,
            anchor(at),
        );
    }
}

/// How a text below the axis stands to its tick; at the right edge it would stick out.
fn anchor(at: f64) -> &'static str {
    if at > WIDTH - RIGHT - 16.0 {
        "end"
    } else {
        "middle"
    }
}

/// Lines at round counts, with the numbers beside them.
fn levels(svg: &mut String, most: f64, y: impl Fn(f64) -> f64) {
    for (value, _) in ticks(most) {
        // Counts have no fractions.
        if value.fract() > 1e-9 {
            continue;
        }
        let at = y(value);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value:.0}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0
        );
    }
}

/// A bar for each name, the longest first.
pub(super) fn bars(values: &[(String, f64)], label: &str, show: impl Fn(f64) -> String) -> String {
    let mut values: Vec<&(String, f64)> = values.iter().filter(|(_, value)| *value > 0.0).collect();
    values.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let Some((_, most)) = values.first() else {
        return "<p class=\"none\">no data</p>".into();
    };
    let (row, names) = (26.0, 96.0);
    let mut svg = open(label, row * values.len() as f64 + 6.0);
    for (index, (name, value)) in values.iter().enumerate() {
        let top = row * index as f64 + 4.0;
        let width = (value / most * (WIDTH - names - 116.0)).max(1.0);
        let _ = write!(
            svg,
            "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <rect class=\"bar\" x=\"{names}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"18\" rx=\"3\"/>\
             <text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            names - 8.0,
            top + 13.0,
            escaped(name),
            names + width + 6.0,
            top + 13.0,
            escaped(&show(*value))
        );
    }
    svg.push_str("</svg>");
    svg
}

fn open(label: &str, height: f64) -> String {
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">",
        escaped(label)
    )
}

/// A unit of time suitable for this many seconds, and its length.
fn unit(seconds: f64) -> (&'static str, f64) {
    match seconds {
        s if s >= 2.0 * 86_400.0 => ("d", 86_400.0),
        s if s >= 2.0 * 3_600.0 => ("h", 3_600.0),
        s if s >= 2.0 * 60.0 => ("min", 60.0),
        _ => ("s", 1.0),
    }
}

/// Round numbers up to a value, five or so.
fn ticks(most: f64) -> Vec<(f64, String)> {
    let rough = most / 5.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|step| *step >= rough)
        .unwrap_or(most);
    let digits = usize::from(step < 1.0) * (-step.log10().floor()).max(0.0) as usize;
    let count = (most / step).floor() as usize;
    (1..=count)
        .map(|n| n as f64 * step)
        .map(|value| (value, format!("{value:.digits$}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        let texts = |most| {
            ticks(most)
                .into_iter()
                .map(|(_, text)| text)
                .collect::<Vec<_>>()
        };
        assert_eq!(texts(1234.0), ["500", "1000"]);
        assert_eq!(texts(10.0), ["2", "4", "6", "8", "10"]);
        assert_eq!(texts(0.9), ["0.2", "0.4", "0.6", "0.8"]);
    }

    #[test]
    fn shares_fall_into_twentieths() {
        let svg = shares(&[0.0, 0.01, 0.5, 1.0], "x", "chain");
        assert_eq!(svg.matches("<rect").count(), 3);
        assert!(svg.contains("0 to 5 %: 2 chains"), "{svg}");
        assert!(svg.contains("95 to 100 %: 1 chain"), "{svg}");
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert!(shares(&[], "x", "y").contains("no data"));
        assert!(cumulative(&[], "x").contains("no data"));
        assert!(curves(&BTreeMap::new(), "x").contains("no data"));
        assert!(bars(&[("a".into(), 0.0)], "x", |v| v.to_string()).contains("no data"));
    }

    #[test]
    fn each_name_has_a_curve_and_the_highest_comes_first() {
        let all = BTreeMap::from([
            ("low".to_owned(), vec![(1.0, 1)]),
            ("<high>".to_owned(), vec![(2.0, 3), (4.0, 9)]),
        ]);
        let svg = curves(&all, "x");
        assert_eq!(svg.matches("<polyline").count(), 2);
        let (high, low) = (svg.find("&lt;high&gt;, 9"), svg.find("low, 1"));
        assert!(high.is_some() && high < low, "{svg}");
        // Both end where the last one does.
        let right = format!("{:.1},", WIDTH - RIGHT);
        assert_eq!(svg.matches(&right).count(), 3, "{svg}");
    }

    #[test]
    fn names_in_plots_are_escaped() {
        let svg = bars(&[("<script>".into(), 2.0)], "a & b", |value| {
            value.to_string()
        });
        assert!(
            svg.contains("&lt;script&gt;") && svg.contains("a &amp; b"),
            "{svg}"
        );
    }
}

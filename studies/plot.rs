//! Bars in groups, as an SVG file of its own.

use std::fmt::Write;

/// One colour of bars: a value for each group.
#[derive(Clone, Debug)]
pub struct Bars {
    pub name: String,
    pub values: Vec<f64>,
}

impl Bars {
    /// For a row of a table, "and variants by Orion": without the words that all have.
    pub fn of_row(name: &str, values: Vec<f64>) -> Bars {
        let name = name.trim_start_matches("and ");
        Bars {
            name: name.trim_start_matches("variants by ").to_owned(),
            values,
        }
    }

    pub fn new(name: &str) -> Bars {
        Bars {
            name: name.to_owned(),
            values: Vec::new(),
        }
    }
}

/// Colours that differ for most eyes.
const COLOURS: [&str; 7] = [
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#888888",
];

const BAR: f64 = 26.0;
const GAP: f64 = 30.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 20.0;
const TOP: f64 = 64.0;

/// Bars side by side for each group, with their values above them.
pub fn grouped(title: &str, groups: &[&str], series: &[Bars]) -> String {
    let most = series.iter().flat_map(|bars| &bars.values).copied();
    let most = most.fold(f64::MIN_POSITIVE, f64::max);
    let least_width = 7.2 * groups.iter().map(|g| g.chars().count()).max().unwrap_or(0) as f64;
    let bars_width = BAR * series.len() as f64;
    let group_width = bars_width.max(least_width) + GAP;
    let legend: f64 = series.iter().map(|bars| legend_width(&bars.name)).sum();
    let width = (LEFT * 2.0 + group_width * groups.len() as f64).max(LEFT * 2.0 + legend);
    let bottom = TOP + HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {0:.0}\" \
         width=\"{width:.0}\" height=\"{0:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{1}</text>\n",
        bottom + 34.0,
        escaped(title)
    );
    let mut at = LEFT;
    for (bars, colour) in series.iter().zip(COLOURS.iter().cycle()) {
        let _ = writeln!(
            svg,
            "<rect x=\"{at:.1}\" y=\"32\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"42\">{}</text>",
            at + 17.0,
            escaped(&bars.name)
        );
        at += legend_width(&bars.name);
    }
    for (index, group) in groups.iter().enumerate() {
        let start = LEFT + group_width * index as f64;
        let middle = start + group_width / 2.0;
        for (number, (bars, colour)) in series.iter().zip(COLOURS.iter().cycle()).enumerate() {
            let value = bars.values.get(index).copied().unwrap_or(0.0);
            let height = (value / most).max(0.0) * (HEIGHT - 18.0);
            let x = middle - bars_width / 2.0 + BAR * number as f64;
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"10\">{}</text>",
                x + 1.0,
                bottom - height,
                BAR - 2.0,
                x + BAR / 2.0,
                bottom - height - 4.0,
                short(value)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 20.0,
            escaped(group)
        );
    }
    let _ = writeln!(
        svg,
        "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{bottom}\" y2=\"{bottom}\" stroke=\"black\"/>\n</svg>",
        width - LEFT
    );
    svg
}

fn legend_width(name: &str) -> f64 {
    34.0 + 7.0 * name.chars().count() as f64
}

/// A value with about three digits.
fn short(value: f64) -> String {
    match value {
        v if v >= 100.0 || v.fract() == 0.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

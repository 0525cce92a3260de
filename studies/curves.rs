//! Curves over two logarithmic axes, as an SVG file of its own.

use std::fmt::Write;

/// One curve, by its points.
#[derive(Clone, Debug)]
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

const COLOURS: [&str; 6] = [
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377",
];

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;

/// Whole powers of ten that enclose some values.
fn decades(values: impl Iterator<Item = f64>) -> (i32, i32) {
    let (least, most) = values
        .filter(|value| *value > 0.0)
        .map(f64::log10)
        .fold((f64::MAX, f64::MIN), |(least, most), value| {
            (least.min(value), most.max(value))
        });
    let (from, to) = (least.floor() as i32, most.ceil() as i32);
    (from, to.max(from + 1))
}

/// Curves with their names at the right.
pub fn logarithmic(title: &str, across: &str, up: &str, curves: &[Curve]) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let (left, right) = decades(points().map(|point| point.0));
    let (bottom, top) = decades(points().map(|point| point.1));
    let x = |value: f64| LEFT + WIDTH * (value.log10() - f64::from(left)) / f64::from(right - left);
    let y = |value: f64| TOP + HEIGHT * (f64::from(top) - value.log10()) / f64::from(top - bottom);
    let (width, height) = (LEFT + WIDTH + 190.0, TOP + HEIGHT + 50.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"20\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{title}</text>\n\
         <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{across}</text>\n\
         <text x=\"16\" y=\"{:.0}\" text-anchor=\"middle\" \
         transform=\"rotate(-90 16 {:.0})\">{up}</text>\n",
        LEFT + WIDTH / 2.0,
        TOP + HEIGHT + 40.0,
        TOP + HEIGHT / 2.0,
        TOP + HEIGHT / 2.0,
    );
    for decade in left..=right {
        let value = 10_f64.powi(decade);
        let _ = writeln!(
            svg,
            "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{TOP}\" y2=\"{1:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"middle\">{value}</text>",
            x(value),
            TOP + HEIGHT,
            TOP + HEIGHT + 18.0,
        );
    }
    for decade in bottom..=top {
        let value = 10_f64.powi(decade);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{value}</text>",
            LEFT + WIDTH,
            y(value),
            LEFT - 6.0,
            y(value) + 4.0,
        );
    }
    for (index, (curve, colour)) in curves.iter().zip(COLOURS.iter().cycle()).enumerate() {
        let points: Vec<String> = curve
            .points
            .iter()
            .filter(|point| point.0 > 0.0 && point.1 > 0.0)
            .map(|point| format!("{:.1},{:.1}", x(point.0), y(point.1)))
            .collect();
        let at = TOP + 14.0 + 20.0 * index as f64;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <rect x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{at:.1}\">{}</text>",
            points.join(" "),
            LEFT + WIDTH + 14.0,
            at - 10.0,
            LEFT + WIDTH + 32.0,
            curve.name
        );
    }
    svg.push_str("</svg>\n");
    svg
}

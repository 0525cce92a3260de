//! Edits of the seed's text: collected in any order, rendered once.
//!
//! An edit names a span of the seed and puts text around it, or text in its
//! place. Spans of two edits are apart or nested, never crossing, so any set of
//! edits composes. What happens when several meet at one byte is fixed:
//!
//! - an outer span's text stays outside an inner span's;
//! - around one span, from the outside in: braces, then inserted text in the
//!   order it was added, then wrappings, the first added outermost;
//! - a replaced span swallows edits strictly inside it, and keeps those around it.

use crate::source::own_structs;
use crate::source::program::{Insertion, Program, Prologue, Span, Statement};
use std::cmp::Reverse;
use std::fmt;

/// Edits over one source.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    edits: Vec<Edit>,
    /// Lines before all of the code.
    prologue: Option<Prologue>,
}

#[derive(Clone, Debug)]
struct Edit {
    span: Span,
    layer: Layer,
    before: Vec<u8>,
    after: Vec<u8>,
    /// Replaces the text of the span.
    instead: Option<Vec<u8>>,
}

/// From the outside in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Brace,
    Insert,
    Wrap,
    Replace,
}

/// Two edits that cannot both be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// Their spans cross.
    Crossing(Span, Span),
    /// Both replace the same text, with different text.
    Replaced(Span),
    /// The span reaches past the end of the source.
    Outside(Span),
}

impl Edits {
    pub fn new() -> Edits {
        Edits::default()
    }

    /// Puts text before a statement, with braces around both where it needs them.
    /// Does nothing where the statement allows no insertion.
    pub fn insert_at_point(&mut self, statement: &Statement, text: impl Into<Vec<u8>>) {
        match statement.insertion {
            Ok(Insertion::Plain) => {}
            Ok(Insertion::Braced) => self.brace(statement.span),
            Err(_) => return,
        }
        self.insert_before(statement.span, text);
    }

    /// Puts text before the span, after text that was put there earlier.
    pub(crate) fn insert_before(&mut self, span: Span, text: impl Into<Vec<u8>>) {
        self.push(span, Layer::Insert, text.into(), Vec::new(), None);
    }

    /// Puts text around the span, inside what is inserted before it.
    pub(crate) fn wrap(
        &mut self,
        span: Span,
        before: impl Into<Vec<u8>>,
        after: impl Into<Vec<u8>>,
    ) {
        self.push(span, Layer::Wrap, before.into(), after.into(), None);
    }

    /// Puts braces around the span and everything inserted before it; asking twice gives one
    /// pair.
    pub fn brace(&mut self, span: Span) {
        self.push(span, Layer::Brace, b"{ ".to_vec(), b" }".to_vec(), None);
    }

    /// Replaces the text of the span.
    pub fn replace(&mut self, span: Span, text: impl Into<Vec<u8>>) {
        self.push(
            span,
            Layer::Replace,
            Vec::new(),
            Vec::new(),
            Some(text.into()),
        );
    }

    /// The same, but text that was put there before is kept instead of this one.
    pub(crate) fn replace_unless_replaced(&mut self, span: Span, text: impl Into<Vec<u8>>) {
        let is_replaced = |edit: &Edit| edit.span == span && edit.instead.is_some();
        if !self.edits.iter().any(is_replaced) {
            self.replace(span, text);
        }
    }

    /// Lets the code of edits use the macros of the prologue.
    pub(crate) fn use_macros(&mut self, program: &Program) {
        self.prologue(program).needs_macros = true;
    }

    /// Puts whole lines with definitions before all of the program's code.
    pub(crate) fn define(&mut self, program: &Program, lines: &str) {
        self.prologue(program).definitions.push_str(lines);
    }

    /// Defines the structs of our own that the text of the edits names.
    pub(crate) fn define_own_structs(&mut self, program: &Program) {
        let texts = self.edits.iter().flat_map(|edit| {
            let instead = edit.instead.iter();
            [&edit.before, &edit.after].into_iter().chain(instead)
        });
        let lines = own_structs::definitions(texts.map(Vec::as_slice), &program.source);
        if !lines.is_empty() {
            // Before functions: a further link of a chain may use them there.
            self.prologue(program).definitions.insert_str(0, &lines);
        }
    }

    fn prologue(&mut self, program: &Program) -> &mut Prologue {
        self.prologue.get_or_insert_with(|| program.prologue())
    }

    fn push(
        &mut self,
        span: Span,
        layer: Layer,
        before: Vec<u8>,
        after: Vec<u8>,
        instead: Option<Vec<u8>>,
    ) {
        self.edits.push(Edit {
            span,
            layer,
            before,
            after,
            instead,
        });
    }

    /// The source with all edits applied. Takes time linear in the text and, apart from
    /// sorting, in the number of edits.
    pub fn render(&self, source: &[u8]) -> Result<Vec<u8>, Conflict> {
        // Outer before inner; at one span by layer, and in the order added.
        let mut order: Vec<&Edit> = self.edits.iter().collect();
        order.sort_by_key(|edit| (edit.span.start, Reverse(edit.span.end), edit.layer));
        let added: usize = order
            .iter()
            .map(|e| e.before.len() + e.after.len() + e.instead.as_ref().map_or(0, Vec::len))
            .sum();
        let mut writer = Writer {
            source,
            out: Vec::with_capacity(source.len() + added),
            at: 0,
            open: Vec::new(),
            hidden: None,
        };
        if let Some(prologue) = &self.prologue {
            if prologue.at as usize > source.len() {
                return Err(Conflict::Outside(Span::new(prologue.at, prologue.at)));
            }
            writer.copy_to(prologue.at);
            writer.out.extend_from_slice(prologue.text().as_bytes());
        }
        let mut edits = order.into_iter().peekable();
        while let Some(first) = edits.next() {
            let span = first.span;
            let mut group = vec![first];
            while let Some(next) = edits.next_if(|next| next.span == span) {
                if !is_repeated_brace(&group, next) {
                    group.push(next);
                }
            }
            writer.begin(span, group)?;
        }
        Ok(writer.finish())
    }
}

fn is_repeated_brace(group: &[&Edit], next: &Edit) -> bool {
    next.layer == Layer::Brace && group.iter().any(|edit| edit.layer == Layer::Brace)
}

/// Writes the output from left to right.
struct Writer<'a> {
    source: &'a [u8],
    out: Vec<u8>,
    /// The source has been written up to here.
    at: u32,
    /// Edits whose spans have begun and not ended, outermost first; all edits of
    /// one span are one entry.
    open: Vec<(Span, Vec<&'a Edit>)>,
    /// Set while inside a replaced span: nothing is written until its end.
    hidden: Option<Span>,
}

impl<'a> Writer<'a> {
    fn begin(&mut self, span: Span, edits: Vec<&'a Edit>) -> Result<(), Conflict> {
        if span.end as usize > self.source.len() {
            return Err(Conflict::Outside(span));
        }
        self.close_until(|open| open.end > span.start || open.contains(span));
        if let Some((outer, _)) = self.open.last()
            && !outer.contains(span)
        {
            return Err(Conflict::Crossing(*outer, span));
        }
        if self.hidden.is_some() {
            return Ok(());
        }
        self.copy_to(span.start);
        let mut instead: Option<&Vec<u8>> = None;
        for edit in &edits {
            self.out.extend_from_slice(&edit.before);
            match (&edit.instead, instead) {
                (Some(new), Some(old)) if new != old => return Err(Conflict::Replaced(span)),
                (Some(new), _) => instead = Some(new),
                (None, _) => {}
            }
        }
        if let Some(text) = instead {
            self.out.extend_from_slice(text);
            self.hidden = Some(span);
        }
        self.open.push((span, edits));
        Ok(())
    }

    /// Ends open spans, innermost first, until `stays` holds for one.
    fn close_until(&mut self, stays: impl Fn(Span) -> bool) {
        while let Some((span, _)) = self.open.last() {
            if stays(*span) {
                break;
            }
            if let Some((span, edits)) = self.open.pop() {
                self.close(span, &edits);
            }
        }
    }

    fn close(&mut self, span: Span, edits: &[&Edit]) {
        if self.hidden == Some(span) {
            self.hidden = None;
            self.at = span.end;
        }
        self.copy_to(span.end);
        // From the inside out.
        for edit in edits.iter().rev() {
            self.out.extend_from_slice(&edit.after);
        }
    }

    fn copy_to(&mut self, offset: u32) {
        self.out
            .extend_from_slice(&self.source[self.at as usize..offset as usize]);
        self.at = offset;
    }

    fn finish(mut self) -> Vec<u8> {
        self.close_until(|_| false);
        self.copy_to(self.source.len() as u32);
        self.out
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Conflict::Crossing(a, b) => {
                write!(
                    f,
                    "edits of bytes {}..{} and {}..{} cross",
                    a.start, a.end, b.start, b.end
                )
            }
            Conflict::Replaced(span) => {
                write!(f, "bytes {}..{} are replaced twice", span.start, span.end)
            }
            Conflict::Outside(span) => {
                write!(
                    f,
                    "bytes {}..{} are past the end of the text",
                    span.start, span.end
                )
            }
        }
    }
}

impl std::error::Error for Conflict {}

#[cfg(test)]
mod tests {
    use super::super::clang::Clang;
    use super::super::program::lower;
    use super::*;
    use std::path::Path;

    const SOURCE: &[u8] = b"0123456789";

    fn span(start: u32, end: u32) -> Span {
        Span::new(start, end)
    }

    fn rendered(edits: &Edits) -> String {
        String::from_utf8(edits.render(SOURCE).unwrap()).unwrap()
    }

    #[test]
    fn structs_of_our_own_come_before_functions_that_may_use_them() {
        let clang = Clang::load().expect("libclang is installed");
        let source: &[u8] = b"int main(void) { return 0; }\n";
        let program = lower(&clang, Path::new("a.c"), source.into(), &[]).unwrap();
        let mut edits = Edits::new();
        edits.define(&program, "static int helper(void) { return 0; }\n");
        edits.insert_before(span(17, 26), "struct mestra_of_words mestra_1_s0; ");
        edits.define_own_structs(&program);
        let text = String::from_utf8(edits.render(source).unwrap()).unwrap();
        let place = |part: &str| text.find(part).unwrap();
        assert!(place("struct mestra_of_words {") < place("static int helper"));
    }

    #[test]
    fn no_edits_give_the_source() {
        assert_eq!(rendered(&Edits::new()), "0123456789");
    }

    #[test]
    fn around_one_span_the_order_is_brace_insert_wrap() {
        let mut edits = Edits::new();
        edits.wrap(span(2, 4), "<", ">");
        edits.insert_before(span(2, 4), "a");
        edits.wrap(span(2, 4), "[", "]");
        edits.insert_before(span(2, 4), "b");
        edits.brace(span(2, 4));
        edits.brace(span(2, 4));
        assert_eq!(rendered(&edits), "01{ ab<[23]> }456789");
    }

    #[test]
    fn nested_spans_that_share_an_end_keep_their_nesting() {
        let mut edits = Edits::new();
        edits.wrap(span(5, 8), "(", ")");
        edits.wrap(span(2, 8), "[", "]");
        edits.wrap(span(2, 4), "<", ">");
        edits.insert_before(span(2, 8), "a");
        edits.insert_before(span(2, 4), "b");
        edits.insert_before(span(5, 8), "c");
        assert_eq!(rendered(&edits), "01a[b<23>4c(567)]89");
    }

    #[test]
    fn neighbours_do_not_mix() {
        let mut edits = Edits::new();
        edits.insert_before(span(4, 6), "b");
        edits.wrap(span(2, 4), "", "a");
        assert_eq!(rendered(&edits), "0123ab456789");
    }

    #[test]
    fn a_replacement_swallows_what_is_inside_and_keeps_what_is_around() {
        let mut edits = Edits::new();
        edits.replace(span(2, 8), "R");
        edits.insert_before(span(3, 5), "lost");
        edits.replace(span(5, 7), "lost");
        edits.insert_before(span(2, 8), "a");
        edits.wrap(span(1, 9), "(", ")");
        assert_eq!(rendered(&edits), "0(1aR8)9");
    }

    #[test]
    fn deletion_leaves_the_neighbours() {
        let mut edits = Edits::new();
        edits.replace(span(0, 3), "");
        edits.insert_before(span(3, 5), "x");
        edits.replace(span(9, 10), "");
        assert_eq!(rendered(&edits), "x345678");
    }

    #[test]
    fn the_same_replacement_twice_is_one() {
        let mut edits = Edits::new();
        edits.replace(span(2, 3), "R");
        edits.replace(span(2, 3), "R");
        assert_eq!(rendered(&edits), "01R3456789");
    }

    #[test]
    fn a_replacement_may_give_way_to_an_earlier_one() {
        let mut edits = Edits::new();
        edits.replace_unless_replaced(span(2, 3), "R");
        edits.replace_unless_replaced(span(2, 3), "S");
        edits.replace_unless_replaced(span(2, 4), "T");
        edits.wrap(span(2, 3), "(", ")");
        assert_eq!(rendered(&edits), "01T456789");
        let mut edits = Edits::new();
        edits.wrap(span(2, 3), "(", ")");
        edits.replace_unless_replaced(span(2, 3), "R");
        edits.replace_unless_replaced(span(2, 3), "S");
        assert_eq!(rendered(&edits), "01(R)3456789");
    }

    #[test]
    fn conflicts_are_told() {
        let mut crossing = Edits::new();
        crossing.wrap(span(1, 5), "(", ")");
        crossing.wrap(span(3, 8), "[", "]");
        assert_eq!(
            crossing.render(SOURCE),
            Err(Conflict::Crossing(span(1, 5), span(3, 8)))
        );

        let mut twice = Edits::new();
        twice.replace(span(1, 5), "a");
        twice.replace(span(1, 5), "b");
        assert_eq!(twice.render(SOURCE), Err(Conflict::Replaced(span(1, 5))));

        let mut outside = Edits::new();
        outside.replace(span(5, 11), "");
        assert_eq!(outside.render(SOURCE), Err(Conflict::Outside(span(5, 11))));
    }

    #[test]
    fn an_empty_span_takes_text_on_both_sides() {
        let mut edits = Edits::new();
        edits.insert_before(span(3, 3), "a");
        edits.wrap(span(3, 3), "(", ")");
        assert_eq!(rendered(&edits), "012a()3456789");
    }
}

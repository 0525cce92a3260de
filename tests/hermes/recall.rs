//! Whether variants come to the shapes of the two programs that the Hermes paper shows, from
//! seeds that are like the reduced ones there.

use super::{mutator, text_source};
use mestra::code::expr::Expr;
use mestra::code::stmt::Stmt;
use mestra::variant::mutation::Change;
use mestra::variant::strategy::Hermes;

const VARIANTS: u32 = 1000;

/// A function with a small array and a loop, called from `main`.
const SEED: &str = "
    int printf(const char *, ...);
    static int values[4] = { 3, 1, 4, 1 };
    static int sum, last;
    static void add(int from) {
        int i;
        for (i = from; i < 4; i++) {
            last = values[i];
            sum += last;
        }
    }
    int main(void) {
        add(0);
        add(2);
        printf(\"%d %d\\n\", sum, last);
        return 0;
    }
";

/// Whether code has a loop that counts past the end of `values` and indexes it by its
/// counter.
fn runs_past_the_end(code: &str) -> bool {
    code.split("for (").skip(1).any(|rest| {
        let Some((counter, rest)) = rest.split_once(" = ") else {
            return false;
        };
        let bound = rest.split_once(&format!("{counter} < "));
        let bound = bound.map(|(_, bound)| bound.split(|c: char| !c.is_ascii_digit()));
        let bound: Option<u32> = bound.and_then(|mut words| words.next()?.parse().ok());
        bound.is_some_and(|bound| bound > 4) && rest.contains(&format!("values[{counter}]"))
    })
}

/// Whether the last thing that a block does, behind its guard, is to give a variable of the
/// seed its value.
fn restores_behind_the_guard(block: &Stmt) -> bool {
    let Stmt::Block(items) = block else {
        return false;
    };
    let is_guard = |item: &Stmt| matches!(item, Stmt::If { .. });
    let Some(guard) = items.iter().position(is_guard) else {
        return false;
    };
    items[guard + 1..].iter().any(|item| {
        matches!(item, Stmt::Expr(Expr::Assign { target, .. })
            if !target.to_string().starts_with("mestra_"))
    })
}

#[test]
fn the_shapes_of_the_paper_occur_within_a_thousand_variants() {
    let hermes = Hermes {
        undefined: true,
        ..Hermes::default()
    };
    let mutator = mutator(&["tcc"], 1.0, hermes);
    let (_directory, source) = text_source(&mutator, SEED);
    let (mut past, mut guarded) = (None, None);
    for variant in mutator.variants(&source, 1..=VARIANTS) {
        let variant = variant.unwrap();
        let number = variant.record.variant;
        for mutation in variant.mutations() {
            match &mutation.change {
                Change::FalseBlock(_) if runs_past_the_end(&mutation.text()) => {
                    past.get_or_insert(number);
                }
                Change::TrueBlock(block)
                    if serde_json::to_value(block.shape).unwrap() == "guarded"
                        && restores_behind_the_guard(&block.block) =>
                {
                    guarded.get_or_insert(number);
                }
                _ => {}
            }
        }
        if past.is_some() && guarded.is_some() {
            break;
        }
    }
    println!("out of bounds in variant {past:?}, guarded restore in {guarded:?}");
    assert!(past.is_some() && guarded.is_some());
}

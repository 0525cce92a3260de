//! Canonical fillings one after another, in constant memory.
//!
//! A filling is canonical if the first occurrences of the variables of each class come
//! in the order of the class: a restricted growth string for every class. A hole may
//! take any variable of a class that an earlier hole has taken, or the next one. So every
//! orbit under renaming has exactly one canonical filling, whatever classes a hole has.

use super::pattern::{Choice, Pattern};

/// A canonical filling that can be moved to the next one.
#[derive(Clone, Debug)]
pub struct GrowthString<'p> {
    pattern: &'p Pattern,
    choices: Vec<Choice>,
    origins: Vec<Origin>,
    /// How many variables of each class the choices take.
    used: Vec<u32>,
}

/// How a choice came about.
#[derive(Clone, Copy, Debug)]
struct Origin {
    /// Where its class is in the list of the hole's classes.
    slot: u32,
    /// Whether no hole before takes the variable.
    is_new: bool,
}

impl<'p> GrowthString<'p> {
    /// The first filling.
    pub fn first(pattern: &'p Pattern) -> GrowthString<'p> {
        let mut string = GrowthString::empty(pattern);
        string.complete();
        string
    }

    /// A filling that is known to be canonical.
    pub(super) fn at(pattern: &'p Pattern, choices: &[Choice]) -> GrowthString<'p> {
        let mut string = GrowthString::empty(pattern);
        for (classes, choice) in pattern.holes().iter().zip(choices) {
            let slot = classes.iter().position(|class| *class == choice.class);
            string.push(slot.unwrap_or(0) as u32, choice.member);
        }
        string
    }

    fn empty(pattern: &'p Pattern) -> GrowthString<'p> {
        let holes = pattern.holes().len();
        GrowthString {
            pattern,
            choices: Vec::with_capacity(holes),
            origins: Vec::with_capacity(holes),
            used: vec![0; pattern.classes()],
        }
    }

    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// Moves to the next filling; from the last, to the first, and says false.
    pub fn advance(&mut self) -> bool {
        while let Some(choice) = self.choices.pop() {
            if self.replace(choice) {
                self.complete();
                return true;
            }
        }
        self.complete();
        false
    }

    /// Makes the choice that comes after one that was just taken back, if there is any.
    fn replace(&mut self, choice: Choice) -> bool {
        let Some(Origin { slot, is_new }) = self.origins.pop() else {
            return false;
        };
        let used = &mut self.used[choice.class as usize];
        *used -= u32::from(is_new);
        let offered = (*used + 1).min(self.pattern.size(choice.class));
        if choice.member + 1 < offered {
            self.push(slot, choice.member + 1);
            return true;
        }
        let classes = &self.pattern.holes()[self.choices.len()];
        let has_more = (slot as usize + 1) < classes.len();
        if has_more {
            self.push(slot + 1, 0);
        }
        has_more
    }

    /// Gives the holes that are left their first choices.
    fn complete(&mut self) {
        while self.choices.len() < self.pattern.holes().len() {
            self.push(0, 0);
        }
    }

    fn push(&mut self, slot: u32, member: u32) {
        let class = self.pattern.holes()[self.choices.len()][slot as usize];
        let used = &mut self.used[class as usize];
        let is_new = member == *used;
        *used += u32::from(is_new);
        self.choices.push(Choice { class, member });
        self.origins.push(Origin { slot, is_new });
    }
}

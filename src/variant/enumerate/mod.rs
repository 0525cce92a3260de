//! All programs that differ from a seed only in which variables they name where.
//!
//! The seed becomes a [`Skeleton`]: holes where it names variables, and for each hole the
//! variables that could be named there. Fillings that differ only by renaming
//! interchangeable variables are one program, so only one of each is made: the one whose
//! variables occur in the order of their classes. Such fillings are counted, numbered,
//! sampled and walked through without making those in between.
//!
//! ```
//! use mestra::variant::enumerate::{GrowthString, Pattern, RankTable, canonical};
//!
//! // `int a, b; □ = □; { int c; □ = □; }`: a class of two, and one of its own inside.
//! let pattern = Pattern::new(vec![2, 1], vec![vec![0], vec![0], vec![0, 1], vec![0, 1]]);
//! assert_eq!(pattern.naive(), 36u32.into());
//! assert_eq!(canonical(&pattern).unwrap(), 18u32.into());
//!
//! let table = RankTable::new(&pattern).unwrap();
//! let mut filling = GrowthString::first(&pattern);
//! assert!(filling.advance());
//! assert_eq!(table.unrank(&1u32.into()), filling.choices());
//! ```

mod alike;
mod classes;
mod count;
mod growth;
mod holes;
mod instance;
mod pattern;
mod product;
mod rank;
mod record;
mod sample;
mod selection;
mod settings;
mod size;
mod skeleton;
#[cfg(test)]
mod vectors;

pub use count::{TooManyStates, canonical};
pub use growth::GrowthString;
pub use holes::SkeletonHole;
pub use instance::{Instance, InstanceRequest};
pub use pattern::{Choice, Pattern};
pub use product::{Factor, FillingWalk, Product, Ranking};
pub use rank::RankTable;
pub use record::FillingRecord;
pub(crate) use record::{EnumeratedFiles, FilledFiles};
pub(crate) use selection::{SelectedFillings, Selection};
pub use settings::{ClassRule, EnumerationSettings, HoleScope, TypeRule};
pub(crate) use size::{EnumerationTotals, SkeletonSize};
pub use skeleton::Skeleton;

//! A profiled program, ready for any number of variants.

use super::{Effect, Kind};
use crate::source::consequence::Consequences;
use crate::source::deletion;
use crate::source::program::{Program, StatementId};
use crate::source::seed::Seed;
use crate::source::vocabulary::Vocabulary;
use crate::source::writes::FunctionWrites;
use crate::variant::donor::{
    Catalogue, Donor, DonorFunction, Donors, Graft, Offer, everyday, extract,
};
use crate::variant::places;
use crate::variant::profile::{Profile, Unreached};
use crate::variant::synth::{Site, Sites, Surroundings};
use rand::Rng;
use rand::seq::IndexedRandom;
use std::sync::{Arc, OnceLock};

/// How many donors are tried at a place; many need something that is not there.
const TRIES: usize = 24;

/// A variant is changed at so many places if there are as many.
const FEWEST_PLACES: usize = 8;

/// A seed that was parsed and profiled.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub seed: &'a Seed,
    pub program: &'a Program,
    pub vocabulary: &'a Vocabulary,
    pub profile: &'a Profile,
}

impl<'a> Subject<'a> {
    /// The points that live code can be put at.
    pub(crate) fn live_points(self) -> impl Iterator<Item = Site<'a>> {
        let varying = self.profile.varying();
        let sites = Sites::new(self.program, self.vocabulary, self.profile);
        let sampled = self.profile.sampled().map(|(point, _)| point.statement);
        sampled.filter_map(move |at| Some(sites.at(at)?.knowing(&varying)))
    }
}

/// What strategies and kinds ask of a program again and again, computed once.
#[derive(Debug)]
pub struct Prepared<'a> {
    pub(crate) seed: &'a Seed,
    pub(crate) program: &'a Program,
    pub(crate) vocabulary: &'a Vocabulary,
    /// Where live code can go.
    pub(crate) places: Vec<LivePlace<'a>>,
    /// What each of the places is worth.
    worth: Vec<u32>,
    pub(crate) deletable: Deletable,
    /// The points that control never reaches.
    pub(crate) unreached: Vec<StatementId>,
    stock: Option<Stock<'a>>,
    /// Made when first asked for.
    writes: OnceLock<FunctionWrites>,
    /// The lowest mutation number that no name in the program carries.
    first: u32,
}

/// A point that is executed.
#[derive(Debug)]
pub(crate) struct LivePlace<'a> {
    pub(crate) site: Site<'a>,
    /// Made when first asked for: a variant asks at some of very many places.
    around: OnceLock<Surroundings>,
    /// The picky kinds that its statement takes.
    takes: Vec<Kind>,
}

/// What is dead and can be deleted.
#[derive(Clone, Debug)]
pub(crate) struct Deletable {
    /// By the number of a statement.
    can_go: Vec<bool>,
    /// The same as a list.
    list: Vec<StatementId>,
}

/// Donors, and what the program offers them.
#[derive(Debug)]
struct Stock<'a> {
    own: Vec<Donor>,
    others: Arc<Donors>,
    catalogue: Catalogue<'a>,
    /// By the number of a statement, made when first asked for.
    offers: Vec<OnceLock<Offer>>,
}

/// Which parts of a program a strategy works on.
#[derive(Clone, Debug, Default)]
pub struct Wants {
    /// Points that are executed.
    pub live: bool,
    /// Code that never runs.
    pub dead: bool,
    /// Statements to put in, besides those of the seed itself; if absent, none are.
    pub donors: Option<Arc<Donors>>,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(subject: Subject<'a>, wants: Wants) -> Prepared<'a> {
        let Subject {
            seed,
            program,
            vocabulary,
            profile,
        } = subject;
        let unreached = Unreached::new(program, profile);
        let consequences = Consequences::new(program, |id| !unreached.is_dead(id));
        let sites = subject.live_points().take_while(|_| wants.live);
        let picky = || {
            Kind::ALL
                .into_iter()
                .filter(|kind| kind.effect().is_picky())
        };
        let places = sites.map(|site| LivePlace {
            around: OnceLock::new(),
            takes: picky()
                .filter(|kind| {
                    let is_lost =
                        kind.effect() == Effect::Recomputes && !consequences.has(site.statement);
                    !is_lost && kind.is_taken_by(program, site.statement)
                })
                .collect(),
            site,
        });
        let places: Vec<LivePlace<'a>> = places.collect();
        let at: Vec<StatementId> = places.iter().map(|place| place.site.statement).collect();
        let stock = wants.donors.map(|others| Stock {
            own: extract(program),
            others,
            catalogue: Catalogue::new(program),
            offers: program.statements.iter().map(|_| OnceLock::new()).collect(),
        });
        Prepared {
            seed,
            program,
            vocabulary,
            places,
            worth: places::weights(program, &at, &consequences),
            deletable: Deletable::new(program, |id| wants.dead && unreached.is_dead(id)),
            unreached: if wants.dead {
                unreached.points().to_vec()
            } else {
                vec![]
            },
            stock,
            writes: OnceLock::new(),
            first: first_number(&program.source),
        }
    }

    /// The places that one variant is changed at: about the given share of them, drawn by
    /// what they are worth, in the order of statements. Two variants then have about
    /// that share of theirs in common.
    pub(crate) fn draw_places(&self, share: f64, rng: &mut impl Rng) -> Vec<&LivePlace<'a>> {
        if share >= 1.0 {
            return self.places.iter().collect();
        }
        let share = share * rng.random_range(0.4..1.6);
        let count = (share * places::effective_count(&self.worth)).round() as usize;
        let mut drawn = places::draw(&self.worth, count.max(FEWEST_PLACES), rng, |_| true);
        drawn.sort_unstable();
        drawn.into_iter().map(|at| &self.places[at]).collect()
    }

    /// Whether nothing can be deleted and nothing put in where nothing runs.
    pub(crate) fn has_nothing_dead(&self) -> bool {
        self.deletable.is_empty() && self.unreached.is_empty()
    }

    /// What calls of the program's functions may write.
    pub(crate) fn writes(&self) -> &FunctionWrites {
        self.writes
            .get_or_init(|| FunctionWrites::new(self.program))
    }

    /// Whether there are statements to put in.
    pub(crate) fn has_donors(&self) -> bool {
        self.stock
            .as_ref()
            .is_some_and(|stock| !stock.own.is_empty() || !stock.others.donors.is_empty())
    }

    /// A statement from elsewhere that fits a place, if the dice find one.
    pub(crate) fn graft(&self, at: StatementId, number: u32, rng: &mut impl Rng) -> Option<Graft> {
        let stock = self.stock.as_ref()?;
        let offer = stock.offers[at.index()].get_or_init(|| stock.catalogue.offer(at));
        (0..TRIES).find_map(|_| {
            let others = &stock.others.donors;
            let is_foreign = stock.own.is_empty() || (!others.is_empty() && rng.random());
            let pool = if is_foreign { others } else { &stock.own };
            stock.catalogue.graft(pool.choose(rng)?, offer, number, rng)
        })
    }

    /// A function of another program, to be called: one of those that were given, or an
    /// everyday one.
    pub(crate) fn some_function(&self, rng: &mut impl Rng) -> Option<&DonorFunction> {
        let given = self.stock.as_ref().map(|stock| &stock.others.functions);
        match given.filter(|given| !given.is_empty()) {
            Some(given) if rng.random() => given.choose(rng),
            _ => everyday().ok()?.choose(rng),
        }
    }

    /// The number of the next mutation: at least `next`, and above all numbers that names
    /// in the program carry.
    pub(crate) fn number(&self, next: u32) -> u32 {
        next.max(self.first)
    }
}

impl LivePlace<'_> {
    /// What code that never runs may name there.
    pub(crate) fn around(&self) -> &Surroundings {
        let site = &self.site;
        let make = || Surroundings::new(site.program, site.vocabulary, site.statement);
        self.around.get_or_init(make)
    }

    /// Whether the statement takes a mutation of a picky kind.
    pub(crate) fn takes(&self, kind: Kind) -> bool {
        self.takes.contains(&kind)
    }
}

impl Deletable {
    fn new(program: &Program, is_dead: impl Fn(StatementId) -> bool) -> Deletable {
        let can_go: Vec<bool> = program
            .statement_ids()
            .map(|id| is_dead(id) && deletion::check(program, id).is_ok())
            .collect();
        let list = program.statement_ids().filter(|id| can_go[id.index()]);
        Deletable {
            list: list.collect(),
            can_go,
        }
    }

    pub(crate) fn contains(&self, id: StatementId) -> bool {
        self.can_go[id.index()]
    }

    pub(crate) fn list(&self) -> &[StatementId] {
        &self.list
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// One more than the highest number in a name `mestra_N_…` of the text.
fn first_number(source: &[u8]) -> u32 {
    let prefix = b"mestra_";
    let starts = source.windows(prefix.len()).enumerate();
    let numbers = starts.filter(|(_, word)| word == prefix).map(|(at, _)| {
        let digits = source[at + prefix.len()..]
            .iter()
            .take(9)
            .take_while(|byte| byte.is_ascii_digit());
        digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
    });
    numbers.max().unwrap_or(0) + 1
}

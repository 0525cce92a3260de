//! The tables of a campaign's store.

/// Those that every store of this format has had from the start.
pub(super) const FIRST: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE seeds (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    origin TEXT NOT NULL,
    -- working, done, or set aside
    state TEXT NOT NULL,
    -- why it was set aside: a `SetAside` as JSON, or the text of an earlier version
    reason TEXT,
    points INTEGER
);
CREATE TABLE variants (
    seed INTEGER NOT NULL,
    number INTEGER NOT NULL,
    mutations INTEGER NOT NULL,
    -- the record as JSON, deflated; empty once every config did what it should
    record BLOB NOT NULL,
    -- of the chain that searched for it, if one did
    steps INTEGER,
    accepted INTEGER,
    -- seconds of work since the campaign began, once all configs are through
    finished REAL,
    PRIMARY KEY (seed, number)
) WITHOUT ROWID;
-- the mutations of a variant by kind, and what the chain proposed of each; the kind
-- 'removal' is for proposals to take one away, and 'by hermes' tells who made the variant. Of
-- a compacted seed, variant 0 stands for all variants
CREATE TABLE kinds (
    seed INTEGER NOT NULL,
    variant INTEGER NOT NULL,
    kind TEXT NOT NULL,
    made INTEGER NOT NULL,
    proposed INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    PRIMARY KEY (seed, variant, kind)
) WITHOUT ROWID;
-- variant 0 is the seed itself
CREATE TABLE runs (
    seed INTEGER NOT NULL,
    variant INTEGER NOT NULL,
    config TEXT NOT NULL,
    verdict TEXT NOT NULL,
    signature TEXT NOT NULL,
    -- why a verdict that is not 'same' is not a finding: a `Doubt` as JSON, or the
    -- text of an earlier version
    dismissed TEXT,
    compile_micros INTEGER,
    object_bytes INTEGER,
    object_hash TEXT,
    PRIMARY KEY (seed, variant, config)
) WITHOUT ROWID;
CREATE TABLE findings (
    id TEXT PRIMARY KEY,
    seed INTEGER NOT NULL,
    variant INTEGER NOT NULL,
    config TEXT NOT NULL,
    verdict TEXT NOT NULL,
    signature TEXT NOT NULL,
    json TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE timings (stage TEXT PRIMARY KEY, micros INTEGER NOT NULL) WITHOUT ROWID;
";

/// Those that stores made before them get when they are opened.
pub(super) const LATER: &str = "
-- failures that are kept and are no findings, such as those that could not be checked
CREATE TABLE IF NOT EXISTS suspicions (
    id TEXT PRIMARY KEY,
    seed INTEGER NOT NULL,
    variant INTEGER NOT NULL,
    config TEXT NOT NULL,
    standing TEXT NOT NULL,
    json TEXT NOT NULL
) WITHOUT ROWID;
-- stands for the runs of a seed that were removed because nothing was wrong with them
CREATE TABLE IF NOT EXISTS thinned (
    seed INTEGER NOT NULL,
    config TEXT NOT NULL,
    runs INTEGER NOT NULL,
    -- how many variants were compared with the seed, and the median and the maximum of
    -- how much longer they took to compile and how much larger their objects were
    measured INTEGER NOT NULL,
    time_median REAL,
    time_most REAL,
    size_median REAL,
    size_most REAL,
    PRIMARY KEY (seed, config)
) WITHOUT ROWID;
-- what compilers have made of programs, for a campaign that learns where its time should go. The
-- config '' stands for all that a seed costs besides
CREATE TABLE IF NOT EXISTS shapes (
    seed INTEGER NOT NULL,
    variant INTEGER NOT NULL,
    config TEXT NOT NULL,
    -- what it costs by the prices of the plan
    cost REAL NOT NULL,
    -- some of the shapes of the object's code, four bytes each
    shapes BLOB NOT NULL,
    PRIMARY KEY (seed, variant, config)
) WITHOUT ROWID;
-- the parts that were merged into this store, with the CPU time taken over from each; the
-- stage '' is there for every part
CREATE TABLE IF NOT EXISTS merged (
    part TEXT NOT NULL,
    stage TEXT NOT NULL,
    micros INTEGER NOT NULL,
    PRIMARY KEY (part, stage)
) WITHOUT ROWID;
";

//! What is wrong with a campaign's store, in words that help.

use super::store::FILE;
use crate::hunt::finding::FINDINGS;
use anyhow::anyhow;
use rusqlite::ErrorCode;
use std::fs::File;
use std::path::Path;

/// What went wrong with a campaign's store, with the name of its file and what is left. The
/// database says everything twice, and never where.
pub(crate) fn in_words(directory: &Path, error: anyhow::Error) -> anyhow::Error {
    let mut causes = error.chain();
    let Some(cause) = causes.find_map(|cause| cause.downcast_ref::<rusqlite::Error>()) else {
        return error;
    };
    let what = match cause {
        rusqlite::Error::SqliteFailure(_, Some(said)) => said.clone(),
        other => other.to_string(),
    };
    let findings = directory.join(FINDINGS);
    let findings = findings.display();
    let file = directory.join(FILE);
    let advice = match cause.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => format!(
            "; {findings} needs no database: `mestra reduce {findings}/*` works on what was found"
        ),
        Some(ErrorCode::SystemIoFailure | ErrorCode::DiskFull) => {
            "; is there space left on the disk?".to_owned()
        }
        // A database keeps a log beside itself, also while it is only read.
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) if File::open(&file).is_ok() => format!(
            "; {} has to be writable, even to be looked at: copy it to where it is",
            directory.display()
        ),
        _ => String::new(),
    };
    anyhow!("{}: {what}{advice}", file.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::campaign::store::Store;
    use rusqlite::ffi;

    #[test]
    fn a_store_that_may_not_be_written_says_what_to_do() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let said = || {
            let error = rusqlite::Error::SqliteFailure(
                ffi::Error::new(ffi::SQLITE_READONLY),
                Some("attempt to write a readonly database".into()),
            );
            format!("{:#}", in_words(path, error.into()))
        };
        assert!(said().ends_with("a readonly database"), "{}", said());
        std::fs::write(path.join(FILE), "").unwrap();
        assert!(said().ends_with("copy it to where it is"), "{}", said());
    }

    #[test]
    fn a_damaged_store_is_named_once_with_what_is_left() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        std::fs::write(
            path.join(FILE),
            "no database at all, but long enough for one".repeat(99),
        )
        .unwrap();
        let error = in_words(path, Store::open(path).unwrap_err());
        let shown = path.display();
        assert_eq!(
            format!("{error:#}"),
            format!(
                "{shown}/campaign.db: file is not a database; {shown}/findings needs no database: \
                 `mestra reduce {shown}/findings/*` works on what was found"
            )
        );
    }
}

//! The JSON Schemas of the documents, and the files that they describe.

use crate::reduce::planted::{CRASH, WRONG_CODE, campaign, plant};
use crate::support::repository;
use mestra::hunt::report;
use mestra::lab::process::{Command, Limits};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What is wrong with a value, as far as our schemas can say: `type`, `const`, `enum`,
/// `required`, `properties`, `additionalProperties` and `items`.
fn complaints(schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let is_of = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{at}: the schema has the type {other}"),
    };
    let types = match &schema["type"] {
        Value::Array(names) => names.iter().collect(),
        Value::Null => vec![],
        name => vec![name],
    };
    if !types.is_empty() && !types.iter().any(|name| is_of(name.as_str().unwrap())) {
        found.push(format!("{at} is not of type {}", schema["type"]));
    }
    if let Some(only) = schema.get("const")
        && only != value
    {
        found.push(format!("{at} is not {only}"));
    }
    if let Some(Value::Array(values)) = schema.get("enum")
        && !values.contains(value)
    {
        found.push(format!("{at} is {value}"));
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        if value.get(name.as_str().unwrap()).is_none() {
            found.push(format!("{at} lacks {name}"));
        }
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        match (
            schema["properties"].get(name),
            &schema["additionalProperties"],
        ) {
            (Some(schema), _) => complaints(schema, inner, &at, found),
            (None, Value::Bool(false)) => found.push(format!("{at} is not in the schema")),
            (None, Value::Object(_)) => {
                complaints(&schema["additionalProperties"], inner, &at, found);
            }
            (None, _) => {}
        }
    }
    if let Some(items) = schema.get("items") {
        for (number, item) in value.as_array().into_iter().flatten().enumerate() {
            complaints(items, item, &format!("{at}[{number}]"), found);
        }
    }
}

/// Holds a text against a schema of the documents.
#[track_caller]
pub(crate) fn fits(schema: &str, text: &str) {
    let path = repository().join(format!("docs/schemas/{schema}.schema.json"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let value: Value = serde_json::from_str(text).unwrap();
    let mut found = Vec::new();
    complaints(&schema, &value, "it", &mut found);
    assert!(found.is_empty(), "{found:#?}");
}

/// Holds all files of a campaign against their schemas.
pub(crate) fn all_files_fit(campaign: &Path) {
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    fits("report", &read(&campaign.join("report.json")));
    fits("defects", &read(&campaign.join("defects.json")));
    for directory in mestra::hunt::finding::directories(campaign).unwrap() {
        fits("finding", &read(&directory.join("finding.json")));
        for (schema, name) in [
            ("record", "record.json"),
            ("reduction", "reduced/reduction.json"),
            ("record", "reduced/shrunk.json"),
            ("bisect", "bisect.json"),
        ] {
            let file = directory.join(name);
            if file.is_file() {
                fits(schema, &read(&file));
            }
        }
    }
}

#[test]
fn the_files_of_a_campaign_fit_their_schemas() {
    let directory = tempfile::tempdir().unwrap();
    drop(campaign(directory.path()));
    plant(directory.path(), 1, WRONG_CODE, 9);
    plant(directory.path(), 2, CRASH, 5);
    report::make(directory.path(), &[], directory.path()).unwrap();
    all_files_fit(directory.path());
}

fn patient() -> Limits {
    Limits {
        wall: std::time::Duration::from_secs(300),
        memory: None,
        ..Limits::default()
    }
}

#[test]
fn the_events_of_a_campaign_fit_their_schema_and_so_do_its_files() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    let outcome = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args([
            "campaign",
            "--json",
            "--compiler",
            "tcc",
            "-n",
            "1",
            "--seeds",
        ])
        .arg(repository().join("docs/example/lights.c"))
        .arg("-o")
        .arg(&out)
        .limits(patient())
        .run()
        .unwrap();
    let said = String::from_utf8(outcome.stdout).unwrap();
    let mut names = Vec::new();
    for line in said.lines() {
        fits("event", line);
        let event: Value = serde_json::from_str(line).unwrap();
        names.push(event["event"].as_str().unwrap().to_owned());
    }
    assert_eq!(names, ["begin", "finding", "seed", "end", "reduced"]);
    all_files_fit(&out);
}

#[test]
fn files_beside_programs_fit_their_schemas_and_those_of_other_versions_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name).display().to_string();
    let seed = repository().join("docs/example/rain.c");
    let skeleton = repository().join("corpora/skeletons/addresses.c");
    let (seed, skeleton) = (seed.to_str().unwrap(), skeleton.to_str().unwrap());
    let run = |words: &[&str]| {
        let mut mestra = Command::new(env!("CARGO_BIN_EXE_mestra"));
        mestra = mestra.args(words);
        mestra.limits(patient()).run().unwrap()
    };
    let (out, donors, profile) = (at("out"), at("donors.json"), at("profile.json"));
    run(&["mutate", "-n", "1", "-o", &out, seed]);
    run(&["enumerate", "-n", "1", "-o", &out, skeleton]);
    run(&["donors", "-o", &donors, seed]);
    run(&["profile", "--save", &profile, seed]);
    let record = at("out/rain.v001.json");
    for (schema, file) in [
        ("record", &record),
        ("filling", &at("out/addresses.e1.json")),
        ("donors", &donors),
        ("profile", &profile),
    ] {
        fits(schema, &fs::read_to_string(file).unwrap());
    }
    for (file, words) in [
        (&record, ["replay", seed, &record]),
        (&donors, ["mutate", "--donors", &donors]),
        (&profile, ["mutate", "--profile", &profile]),
    ] {
        let text = fs::read_to_string(file).unwrap();
        let other = text.replacen("\"format\":1", "\"format\":7", 1);
        fs::write(file, other).unwrap();
        let said = match words[0] {
            "mutate" => run(&[&words[..], &["--strategy", "athena", "-o", &out, seed]].concat()),
            _ => run(&words),
        };
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        let refused = "another version of mestra (format 7, this one reads 1)";
        assert!(said.contains(refused), "{said}");
    }
}

#[test]
fn a_value_that_does_not_fit_is_told() {
    let mut found = Vec::new();
    let schema = serde_json::json!({
        "type": "object",
        "required": ["a", "b"],
        "additionalProperties": false,
        "properties": {"a": {"type": "array", "items": {"type": "integer"}}, "b": {"const": 1}},
    });
    let value = serde_json::json!({"a": [1, "x"], "b": 2, "c": null});
    complaints(&schema, &value, "it", &mut found);
    assert_eq!(
        found,
        [
            "it.a[1] is not of type \"integer\"",
            "it.b is not 1",
            "it.c is not in the schema"
        ]
    );
}

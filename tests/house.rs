//! The order of the house: which layer may use which, and one owner per type name.
//!
//! The rules are DESIGN.md's; they are read off the source with `syn`, so that every
//! path counts, not only what stands in a `use`.

use crate::support::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// From the top down: a layer may use those behind it in this list.
const LAYERS: [&str; 6] = ["cli", "hunt", "variant", "lab", "source", "code"];

/// What stands beside the layers. `main` is the top, the others are for everybody.
const BESIDE: [&str; 4] = ["lib", "main", "error", "dice"];

/// A source file with the path of its module, `["code", "print", "expr"]`.
struct Module {
    file: PathBuf,
    path: Vec<String>,
    syntax: syn::File,
}

fn modules() -> Vec<Module> {
    let mut found = Vec::new();
    collect(&repository().join("src"), &mut found);
    assert!(found.len() > 100, "only {} files in src/", found.len());
    found
}

fn collect(directory: &Path, found: &mut Vec<Module>) {
    let entries = std::fs::read_dir(directory).unwrap();
    for file in entries.map(|entry| entry.unwrap().path()) {
        if file.is_dir() {
            collect(&file, found);
        } else if file.extension().is_some_and(|extension| extension == "rs") {
            let relative = file.strip_prefix(repository().join("src")).unwrap();
            let mut path: Vec<String> = relative
                .with_extension("")
                .iter()
                .map(|name| name.to_str().unwrap().to_owned())
                .collect();
            if path.last().is_some_and(|name| name == "mod") {
                path.pop();
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let syntax = syn::parse_file(&text).unwrap();
            found.push(Module { file, path, syntax });
        }
    }
}

/// Collects the paths of a file that start at the root of the crate, as written
/// (`crate::a::b`) or by way of `super`. Tests inside a file may use what they like.
struct Paths<'a> {
    module: Vec<String>,
    found: &'a mut BTreeSet<Vec<String>>,
}

impl Paths<'_> {
    fn note(&mut self, written: &[String]) {
        let absolute = match written.first().map(String::as_str) {
            Some("crate") => written[1..].to_vec(),
            Some("self") => [&self.module[..], &written[1..]].concat(),
            Some("super") => {
                let up = written.iter().take_while(|word| *word == "super").count();
                let base = self.module.len().saturating_sub(up);
                [&self.module[..base], &written[up..]].concat()
            }
            _ => return,
        };
        self.found.insert(absolute);
    }

    fn note_use(&mut self, tree: &syn::UseTree, prefix: &[String]) {
        match tree {
            syn::UseTree::Path(path) => {
                let prefix = [prefix, &[path.ident.to_string()]].concat();
                self.note_use(&path.tree, &prefix);
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.note_use(tree, prefix);
                }
            }
            syn::UseTree::Name(name) => self.note(&[prefix, &[name.ident.to_string()]].concat()),
            syn::UseTree::Rename(name) => self.note(&[prefix, &[name.ident.to_string()]].concat()),
            syn::UseTree::Glob(_) => self.note(prefix),
        }
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.note_use(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.note(&words);
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if is_test(&item.attrs) {
            return;
        }
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Ident>()
                .is_ok_and(|word| word == "test")
    })
}

/// Everything that a file names by a path from the root of the crate.
fn uses(module: &Module) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    let mut paths = Paths {
        module: module.path.clone(),
        found: &mut found,
    };
    paths.visit_file(&module.syntax);
    found
}

fn rank(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|name| *name == layer)
}

#[test]
fn src_holds_six_layers_and_four_files() {
    for module in modules() {
        let top = module.path.first().map_or("", String::as_str);
        assert!(
            rank(top).is_some() || module.path.len() == 1 && BESIDE.contains(&top),
            "{} is in no layer",
            module.file.display()
        );
    }
}

#[test]
fn layers_use_only_what_is_below_them() {
    let mut upward = BTreeSet::new();
    for module in modules() {
        let from = module.path[0].as_str();
        for path in uses(&module) {
            let Some(to) = path.first() else { continue };
            let is_upward = match (rank(from), rank(to)) {
                (Some(from), Some(to)) => to < from,
                // Errors and dice are below all layers.
                (None, Some(_)) => from == "error" || from == "dice",
                _ => false,
            };
            if is_upward {
                upward.insert(format!("{}: {}", module.file.display(), path.join("::")));
            }
        }
    }
    assert!(upward.is_empty(), "upward: {upward:#?}");
}

#[test]
fn modules_of_a_layer_have_no_cycle() {
    let modules = modules();
    let mut edges: BTreeMap<[String; 2], BTreeSet<[String; 2]>> = BTreeMap::new();
    for module in modules.iter().filter(|module| module.path.len() > 1) {
        let name = [module.path[0].clone(), module.path[1].clone()];
        edges.entry(name).or_default();
    }
    let names: BTreeSet<[String; 2]> = edges.keys().cloned().collect();
    for module in modules.iter().filter(|module| module.path.len() > 1) {
        let from = [module.path[0].clone(), module.path[1].clone()];
        let targets = uses(module).into_iter().filter_map(|path| {
            let to = [path.first()?.clone(), path.get(1)?.clone()];
            (to[0] == from[0] && to != from && names.contains(&to)).then_some(to)
        });
        let targets: Vec<_> = targets.collect();
        edges.entry(from).or_default().extend(targets);
    }
    // What uses nothing that is left, or is used by nothing that is left, is in no cycle.
    loop {
        let used: BTreeSet<[String; 2]> = edges.values().flatten().cloned().collect();
        let before = edges.len();
        edges.retain(|name, targets| !targets.is_empty() && used.contains(name));
        let left: BTreeSet<[String; 2]> = edges.keys().cloned().collect();
        for targets in edges.values_mut() {
            targets.retain(|name| left.contains(name));
        }
        if edges.len() == before {
            break;
        }
    }
    assert!(edges.is_empty(), "cycles: {edges:#?}");
}

/// Collects the names of the types that a file defines.
struct Names<'a> {
    file: &'a Path,
    owners: &'a mut BTreeMap<String, BTreeSet<PathBuf>>,
}

impl Names<'_> {
    fn note(&mut self, name: &syn::Ident) {
        let owners = self.owners.entry(name.to_string()).or_default();
        owners.insert(self.file.to_owned());
    }
}

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.note(&item.ident);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.note(&item.ident);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.note(&item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.note(&item.ident);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

#[test]
fn a_type_name_has_one_owner() {
    let mut owners = BTreeMap::new();
    for module in modules() {
        let mut names = Names {
            file: &module.file,
            owners: &mut owners,
        };
        names.visit_file(&module.syntax);
    }
    owners.retain(|_, files| files.len() > 1);
    assert!(owners.is_empty(), "names of several types: {owners:#?}");
}

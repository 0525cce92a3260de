//! Translates clang's types into ours, each once.

use crate::code::scalar::FloatKind;
use crate::code::types::IntKind;
use crate::source::clang::{ClangType, Cursor, CursorKind, Identity, TypeKind};
use crate::source::program::ids::{RecordId, TypeId};
use crate::source::program::types::{
    Qualified, SeedField, SeedRecord, SeedType, SeedTypes, TypeInfo,
};
use std::collections::HashMap;

pub(super) struct TypeTable {
    pub(super) types: SeedTypes,
    /// By clang's identity of the type as written, qualifiers included.
    known: HashMap<usize, Qualified>,
    /// By clang's identity of the canonical type without qualifiers' effect on shape.
    ids: HashMap<usize, TypeId>,
    records: HashMap<Identity, RecordId>,
    /// Where the fields of all records are.
    fields: HashMap<Identity, (RecordId, u32)>,
    /// Pointer types that parameters have in place of what is written.
    pointers: HashMap<Qualified, TypeId>,
    pointer_bits: u32,
    /// How deep the types being lowered are nested, and the most so far.
    depth: usize,
    deepest: usize,
}

/// Types nested deeper than this are refused: what reads them recurses, on any thread.
const MAX_TYPE_DEPTH: usize = 1000;

impl TypeTable {
    pub(super) fn new(pointer_bits: u32) -> TypeTable {
        TypeTable {
            types: SeedTypes::default(),
            known: HashMap::new(),
            ids: HashMap::new(),
            records: HashMap::new(),
            fields: HashMap::new(),
            pointers: HashMap::new(),
            pointer_bits,
            depth: 0,
            deepest: 0,
        }
    }

    /// Refuses types that are nested too deeply.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.deepest > MAX_TYPE_DEPTH {
            return Err(format!(
                "has types nested more than {MAX_TYPE_DEPTH} levels deep"
            ));
        }
        Ok(())
    }

    pub(super) fn lower(&mut self, written: ClangType<'_>) -> Qualified {
        if let Some(&known) = self.known.get(&written.identity()) {
            return known;
        }
        let canonical = written.canonical();
        let id = match self.ids.get(&canonical.identity()) {
            Some(&id) => id,
            None => {
                let id = TypeId::new(self.types.types.len());
                // A record may contain pointers to itself: the number is taken
                // before the inside is looked at.
                self.ids.insert(canonical.identity(), id);
                self.types.types.push(TypeInfo {
                    ty: SeedType::Void,
                    size: canonical.size(),
                    alignment: canonical.alignment(),
                });
                self.depth += 1;
                self.deepest = self.deepest.max(self.depth);
                let ty = self.shape(canonical);
                self.depth -= 1;
                self.types.types[id.index()].ty = ty;
                id
            }
        };
        let qualified = Qualified {
            id,
            is_const: canonical.is_const(),
            is_volatile: canonical.is_volatile(),
            is_restrict: canonical.is_restrict(),
        };
        self.known.insert(written.identity(), qualified);
        qualified
    }

    /// The type of a parameter: an array or function is really a pointer, though
    /// libclang gives the type as written.
    pub(super) fn lower_parameter(&mut self, written: ClangType<'_>) -> Qualified {
        // `int p[restrict 2]`: that of the pointer, which no type of clang's shows.
        let is_restrict = written.spelling().contains("restrict");
        let written = self.lower(written);
        let to = match *self.types.get(written.id) {
            // Clang keeps the qualifiers of elements with the array.
            SeedType::Array { element, .. } | SeedType::VariableArray { element } => Qualified {
                is_const: element.is_const || written.is_const,
                is_volatile: element.is_volatile || written.is_volatile,
                ..element
            },
            SeedType::Function { .. } => written,
            _ => return written,
        };
        let next = TypeId::new(self.types.types.len());
        let id = *self.pointers.entry(to).or_insert(next);
        if id == next {
            let size = Some(u64::from(self.pointer_bits / 8));
            let ty = SeedType::Pointer { to };
            self.types.types.push(TypeInfo {
                ty,
                size,
                alignment: size,
            });
        }
        Qualified {
            id,
            is_const: false,
            is_volatile: false,
            is_restrict,
        }
    }

    /// The record that a field belongs to, and its index there.
    pub(super) fn field_of(&self, field: Cursor<'_>) -> Option<(RecordId, u32)> {
        self.fields.get(&field.identity()).copied()
    }

    fn shape(&mut self, ty: ClangType<'_>) -> SeedType {
        let kind = ty.kind();
        if let Some(int) = integer_kind(kind) {
            return SeedType::Int(int);
        }
        match kind {
            TypeKind::Void => SeedType::Void,
            TypeKind::Int128 => SeedType::Int128 { signed: true },
            TypeKind::UInt128 => SeedType::Int128 { signed: false },
            TypeKind::Half => SeedType::Float(FloatKind::Half),
            TypeKind::Float => SeedType::Float(FloatKind::Float),
            TypeKind::Double => SeedType::Float(FloatKind::Double),
            TypeKind::LongDouble => SeedType::Float(FloatKind::LongDouble),
            TypeKind::Float128 => SeedType::Float(FloatKind::Float128),
            TypeKind::Complex => SeedType::Complex,
            TypeKind::Enum => {
                let declaration = ty.declaration();
                let integer = declaration.enum_integer_type().canonical();
                SeedType::Enum {
                    name: tag(declaration),
                    underlying: integer_kind(integer.kind()),
                }
            }
            TypeKind::Record => SeedType::Record(self.record(ty)),
            TypeKind::Pointer => SeedType::Pointer {
                to: self.lower(ty.pointee()),
            },
            TypeKind::ConstantArray => SeedType::Array {
                element: self.lower(ty.element()),
                length: ty.length(),
            },
            TypeKind::IncompleteArray => SeedType::Array {
                element: self.lower(ty.element()),
                length: None,
            },
            TypeKind::VariableArray => SeedType::VariableArray {
                element: self.lower(ty.element()),
            },
            TypeKind::Vector => SeedType::Vector {
                element: self.lower(ty.element()),
                length: ty.length().unwrap_or(0),
            },
            TypeKind::FunctionProto | TypeKind::FunctionNoProto => SeedType::Function {
                result: self.lower(ty.result()),
                parameters: ty.parameters().into_iter().map(|p| self.lower(p)).collect(),
                variadic: ty.is_variadic(),
                prototyped: kind == TypeKind::FunctionProto,
            },
            TypeKind::Atomic => SeedType::Atomic {
                value: self.lower(ty.atomic_value()),
            },
            _ => SeedType::Other(ty.spelling()),
        }
    }

    fn record(&mut self, ty: ClangType<'_>) -> RecordId {
        let declaration = ty.declaration();
        let key = declaration.canonical().identity();
        if let Some(&id) = self.records.get(&key) {
            return id;
        }
        let id = RecordId::new(self.types.records.len());
        self.records.insert(key, id);
        self.types.records.push(SeedRecord {
            tag: tag(declaration),
            typedef: None,
            is_union: declaration.kind() == CursorKind::Union,
            fields: None,
            always_whole: false,
        });
        // An incomplete record has no size; its fields may come with a later
        // definition, which clang's declaration of the type already names.
        if ty.size().is_some() {
            let fields = if is_va_list(declaration) {
                Vec::new()
            } else {
                ty.fields()
            };
            for (index, field) in fields.iter().enumerate() {
                self.fields.insert(field.identity(), (id, index as u32));
            }
            let fields = fields.into_iter().map(|field| self.field(field)).collect();
            self.types.records[id.index()].fields = Some(fields);
        }
        id
    }

    fn field(&mut self, field: Cursor<'_>) -> SeedField {
        let name = field.spelling();
        let bit_width = field.bit_width();
        // Newer libclang invents "(anonymous at …)" for members without a name.
        let named = !name.is_empty() && !name.contains('(');
        SeedField {
            name: named.then_some(name),
            ty: self.lower(field.ty()),
            bit_width,
            offset: field.field_offset(),
        }
    }

    /// Remembers that a file-scope typedef names a record without a tag.
    pub(super) fn name_record(&mut self, typedef: Cursor<'_>) {
        let Qualified { id, .. } = self.lower(typedef.ty());
        if let SeedType::Record(record) = *self.types.get(id) {
            let record = &mut self.types.records[record.index()];
            if record.tag.is_none() && record.typedef.is_none() {
                record.typedef = Some(typedef.spelling());
            }
        }
    }
}

/// The tag of a record or enum, as it can be written in C.
///
/// The spelling of the type is asked, not the declaration's: for
/// `typedef struct { … } T;` some versions of libclang call the struct `T`, and
/// newer ones invent names such as "(unnamed struct at …)".
fn tag(declaration: Cursor<'_>) -> Option<String> {
    let spelling = declaration.ty().spelling();
    let name = ["struct ", "union ", "enum "]
        .iter()
        .find_map(|word| spelling.strip_prefix(word))?;
    (!name.contains(['(', ' '])).then(|| name.to_owned())
}

/// What `va_list` is made of on most machines. Its fields have names, but gcc relies on
/// nobody using them: `-O2` saves only the registers that it sees `va_arg` take.
fn is_va_list(declaration: Cursor<'_>) -> bool {
    let tag = tag(declaration);
    tag.is_some_and(|tag| ["__va_list_tag", "__va_list"].contains(&tag.as_str()))
}

fn integer_kind(kind: TypeKind) -> Option<IntKind> {
    Some(match kind {
        TypeKind::Bool => IntKind::Bool,
        TypeKind::CharSigned | TypeKind::CharUnsigned => IntKind::Char,
        TypeKind::SChar => IntKind::SChar,
        TypeKind::UChar => IntKind::UChar,
        TypeKind::Short => IntKind::Short,
        TypeKind::UShort => IntKind::UShort,
        TypeKind::Int => IntKind::Int,
        TypeKind::UInt => IntKind::UInt,
        TypeKind::Long => IntKind::Long,
        TypeKind::ULong => IntKind::ULong,
        TypeKind::LongLong => IntKind::LongLong,
        TypeKind::ULongLong => IntKind::ULongLong,
        _ => return None,
    })
}

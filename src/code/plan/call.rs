//! Planning of calls, by name or through a pointer.

use super::super::ctype::{FunctionType, Type};
use super::super::expr::{Callee, Expr};
use super::super::table::Pointer;
use super::super::trouble::Mistake;
use super::node::{Called, Node, Place, Root, Temporary};
use super::planner::Planner;
use super::typing::{Rvalue, Typed};
use std::sync::Arc;

/// The arguments of a call, and which of them are structs.
type Arguments = (Vec<Node>, Vec<(u32, Temporary)>);

impl Planner<'_> {
    pub(super) fn call(&mut self, callee: &Arc<Callee>, args: &[Expr]) -> Result<Typed, Mistake> {
        let args = self.arguments(&callee.params, args, 0)?;
        self.calls.insert(callee.name.clone());
        self.called(Called::Named(callee.clone()), &callee.result, args)
    }

    pub(super) fn call_pointer(
        &mut self,
        function: &Expr,
        args: &[Expr],
    ) -> Result<Typed, Mistake> {
        let typed = self.child(0, function)?;
        let Some(ty) = function_type(&typed.ty) else {
            return Err(self.mistake("a call of something other than a function"));
        };
        let args = self.arguments(&ty.params, args, 1)?;
        let pointer = Box::new(typed.node);
        let called = Called::Pointer {
            pointer,
            ty: ty.clone(),
        };
        self.called(called, &ty.result, args)
    }

    /// The address of a function, which may then be called from anywhere.
    pub(super) fn function_name(&mut self, callee: &Callee) -> Typed {
        self.calls.insert(callee.name.clone());
        Typed {
            node: Node::Const(Pointer::function(&callee.name).encode()),
            ty: Rvalue::Pointer(callee.ty().pointer()),
        }
    }

    /// Plans arguments, the first of which is the given child of the call.
    fn arguments(
        &mut self,
        params: &[Type],
        args: &[Expr],
        first: usize,
    ) -> Result<Arguments, Mistake> {
        if args.len() != params.len() {
            return Err(self.mistake("a call with the wrong number of arguments"));
        }
        let (mut nodes, mut records) = (Vec::new(), Vec::new());
        for (number, (arg, param)) in args.iter().zip(params).enumerate() {
            let child = (first + number) as u32;
            let node = self.inside(child, |planner| {
                let typed = planner.value(arg)?;
                if !param.is_composite() {
                    return planner.assignable(typed, param, None);
                }
                let object = planner.temporary(param)?;
                records.push((number as u32, object));
                planner.copied(typed, param, object.place())
            })?;
            nodes.push(node);
        }
        Ok((nodes, records))
    }

    /// The call itself, with the type of its value.
    fn called(
        &mut self,
        called: Called,
        result: &Type,
        (args, records): Arguments,
    ) -> Result<Typed, Mistake> {
        let (ty, object) = match result {
            Type::Void => (Rvalue::Void, None),
            Type::Int(kind) => (Rvalue::Int(*kind), None),
            Type::Enum { kind, .. } => (Rvalue::Enum(*kind), None),
            Type::Wide(kind) if kind.exists() => (Rvalue::Wide(*kind), None),
            Type::Float(kind) if kind.precision().is_some() => (Rvalue::Float(*kind), None),
            Type::Pointer { .. } => (Rvalue::Pointer(result.clone()), None),
            Type::Record(_) | Type::Vector { .. } => (Rvalue::Void, Some(self.temporary(result)?)),
            _ => return Err(self.mistake("a call whose result can have no value")),
        };
        let call = Node::Call {
            called,
            args,
            records,
            result: object,
            at: self.at(),
        };
        let Some(object) = object else {
            return Ok(Typed { node: call, ty });
        };
        let place = Box::new(Place {
            root: Root::Result { call, object },
            ..object.place()
        });
        Ok(Typed {
            node: Node::Visit(place.clone()),
            ty: Rvalue::Record(result.clone(), place),
        })
    }

    /// Copies a struct to a new object.
    pub(super) fn copied(&mut self, from: Typed, ty: &Type, to: Place) -> Result<Node, Mistake> {
        let Rvalue::Record(given, from) = from.ty else {
            return Err(self.mistake("a struct initialised from something else"));
        };
        if given != *ty {
            return Err(self.mistake("a struct initialised from a different struct type"));
        }
        Ok(Node::Copy {
            to: Box::new(to),
            from,
            cells: self.cells(ty)?,
            initial: true,
            at: self.at(),
        })
    }
}

/// What a pointer to a function points to.
fn function_type(ty: &Rvalue) -> Option<Arc<FunctionType>> {
    let Rvalue::Pointer(Type::Pointer { to, .. }) = ty else {
        return None;
    };
    match &**to {
        Type::Function(function) => Some(function.clone()),
        _ => None,
    }
}

//! Blocks: statements as they are added, and how far to go back if they do not work out.

use super::Author;
use super::common::CommonRing;
use crate::code::stmt::Stmt;

/// A block that is being written.
#[derive(Debug, Default)]
pub(super) struct BlockDraft {
    declarations: Vec<Stmt>,
    items: Vec<Stmt>,
}

/// A place in a block.
#[derive(Debug)]
pub(super) struct Bookmark {
    declarations: usize,
    items: usize,
    locals: usize,
}

impl BlockDraft {
    pub(super) fn into_stmt(self) -> Stmt {
        let mut all = self.declarations;
        all.extend(self.items);
        Stmt::Block(all)
    }

    fn ends_with_return(&self) -> bool {
        matches!(self.items.last(), Some(Stmt::Return(_)))
    }
}

impl Author<'_> {
    /// A block of statements that the active positions run.
    pub(super) fn block(&mut self, statements: u32, depth: u32) -> Stmt {
        self.block_with(|author| author.statements(statements, depth))
    }

    /// A block whose statements are made by the given function.
    pub(super) fn block_with(&mut self, make: impl FnOnce(&mut Self)) -> Stmt {
        let locals = self.locals.len();
        self.blocks.push(BlockDraft::default());
        let region = self.enter_region();
        make(self);
        if !self.blocks.last().is_some_and(BlockDraft::ends_with_return) {
            self.save_unread(locals);
        }
        self.region = region;
        if let Some(block) = self.blocks.last_mut() {
            let usage = &self.usage;
            block.declarations.retain(|stmt| match stmt {
                Stmt::Declare(declaration) => usage.is_mentioned(&declaration.var.name),
                _ => true,
            });
        }
        let gone = self.locals.drain(locals..).map(|named| named.name);
        self.common.forget_names(gone);
        self.blocks.pop().unwrap_or_default().into_stmt()
    }

    pub(super) fn push(&mut self, stmt: Stmt) {
        self.stats.statements += 1;
        self.usage.note(&stmt);
        self.spend(match &stmt {
            Stmt::Expr(expr) | Stmt::Return(Some(expr)) => expr.size() as i64 + 1,
            Stmt::If { condition, .. } => condition.size() as i64 + 3,
            // What is inside was counted when it was made.
            _ => 5,
        });
        if let Some(block) = self.blocks.last_mut() {
            block.items.push(stmt);
        }
    }

    pub(super) fn push_declaration(&mut self, stmt: Stmt) {
        if let Some(block) = self.blocks.last_mut() {
            block.declarations.push(stmt);
        }
    }

    /// Where a block is now, to go back to if what was begun does not work out.
    pub(super) fn bookmark(&self) -> Bookmark {
        let block = self.blocks.last();
        Bookmark {
            declarations: block.map_or(0, |block| block.declarations.len()),
            items: block.map_or(0, |block| block.items.len()),
            locals: self.locals.len(),
        }
    }

    /// Takes back what a block got since; nothing but new locals may have been written.
    pub(super) fn go_back(&mut self, mark: &Bookmark) {
        if let Some(block) = self.blocks.last_mut() {
            block.declarations.truncate(mark.declarations);
            block.items.truncate(mark.items);
        }
        self.locals.truncate(mark.locals);
        self.common = CommonRing::default();
    }
}

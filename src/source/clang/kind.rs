//! The cursor kinds that we distinguish, as an enum of our own.

use clang_sys::*;

/// What a cursor is. Kinds that C programs cannot have, or that we treat alike,
/// share a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CursorKind {
    // Declarations.
    Struct,
    Union,
    Enum,
    Field,
    EnumConstant,
    Function,
    Variable,
    Parameter,
    Typedef,
    StaticAssert,
    OtherDeclaration,
    // Expressions.
    DeclRef,
    MemberRef,
    Call,
    Paren,
    Unary,
    Subscript,
    Binary,
    CompoundAssign,
    Conditional,
    Cast,
    CompoundLiteral,
    InitList,
    AddressOfLabel,
    StatementExpression,
    GenericSelection,
    SizeOrAlignOf,
    IntegerLiteral,
    FloatingLiteral,
    StringLiteral,
    CharacterLiteral,
    ImaginaryLiteral,
    OtherExpression,
    // Statements.
    Label,
    Compound,
    Case,
    Default,
    If,
    Switch,
    While,
    Do,
    For,
    Goto,
    IndirectGoto,
    Continue,
    Break,
    Return,
    Asm,
    Null,
    Declaration,
    OtherStatement,
    // Attributes.
    PureAttribute,
    ConstAttribute,
    PackedAttribute,
    AsmLabelAttribute,
    OtherAttribute,
    // References that are not expressions.
    TypeReference,
    LabelReference,
    MemberReference,
    // The preprocessor.
    MacroDefinition,
    MacroExpansion,
    Inclusion,
    Other,
}

impl CursorKind {
    pub(super) fn from_raw(raw: CXCursorKind) -> CursorKind {
        match raw {
            CXCursor_StructDecl => CursorKind::Struct,
            CXCursor_UnionDecl => CursorKind::Union,
            CXCursor_EnumDecl => CursorKind::Enum,
            CXCursor_FieldDecl => CursorKind::Field,
            CXCursor_EnumConstantDecl => CursorKind::EnumConstant,
            CXCursor_FunctionDecl => CursorKind::Function,
            CXCursor_VarDecl => CursorKind::Variable,
            CXCursor_ParmDecl => CursorKind::Parameter,
            CXCursor_TypedefDecl => CursorKind::Typedef,
            CXCursor_DeclRefExpr => CursorKind::DeclRef,
            CXCursor_MemberRefExpr => CursorKind::MemberRef,
            CXCursor_CallExpr => CursorKind::Call,
            CXCursor_ParenExpr => CursorKind::Paren,
            CXCursor_UnaryOperator => CursorKind::Unary,
            CXCursor_ArraySubscriptExpr => CursorKind::Subscript,
            CXCursor_BinaryOperator => CursorKind::Binary,
            CXCursor_CompoundAssignOperator => CursorKind::CompoundAssign,
            CXCursor_ConditionalOperator => CursorKind::Conditional,
            CXCursor_CStyleCastExpr => CursorKind::Cast,
            CXCursor_CompoundLiteralExpr => CursorKind::CompoundLiteral,
            CXCursor_InitListExpr => CursorKind::InitList,
            CXCursor_AddrLabelExpr => CursorKind::AddressOfLabel,
            CXCursor_StmtExpr => CursorKind::StatementExpression,
            CXCursor_GenericSelectionExpr => CursorKind::GenericSelection,
            CXCursor_UnaryExpr => CursorKind::SizeOrAlignOf,
            CXCursor_IntegerLiteral => CursorKind::IntegerLiteral,
            CXCursor_FloatingLiteral => CursorKind::FloatingLiteral,
            CXCursor_StringLiteral => CursorKind::StringLiteral,
            CXCursor_CharacterLiteral => CursorKind::CharacterLiteral,
            CXCursor_ImaginaryLiteral => CursorKind::ImaginaryLiteral,
            CXCursor_StaticAssert => CursorKind::StaticAssert,
            CXCursor_LabelStmt => CursorKind::Label,
            CXCursor_CompoundStmt => CursorKind::Compound,
            CXCursor_CaseStmt => CursorKind::Case,
            CXCursor_DefaultStmt => CursorKind::Default,
            CXCursor_IfStmt => CursorKind::If,
            CXCursor_SwitchStmt => CursorKind::Switch,
            CXCursor_WhileStmt => CursorKind::While,
            CXCursor_DoStmt => CursorKind::Do,
            CXCursor_ForStmt => CursorKind::For,
            CXCursor_GotoStmt => CursorKind::Goto,
            CXCursor_IndirectGotoStmt => CursorKind::IndirectGoto,
            CXCursor_ContinueStmt => CursorKind::Continue,
            CXCursor_BreakStmt => CursorKind::Break,
            CXCursor_ReturnStmt => CursorKind::Return,
            CXCursor_AsmStmt | CXCursor_MSAsmStmt => CursorKind::Asm,
            CXCursor_NullStmt => CursorKind::Null,
            CXCursor_DeclStmt => CursorKind::Declaration,
            CXCursor_PureAttr => CursorKind::PureAttribute,
            CXCursor_ConstAttr => CursorKind::ConstAttribute,
            CXCursor_PackedAttr => CursorKind::PackedAttribute,
            CXCursor_AsmLabelAttr => CursorKind::AsmLabelAttribute,
            CXCursor_TypeRef => CursorKind::TypeReference,
            CXCursor_LabelRef => CursorKind::LabelReference,
            CXCursor_MemberRef => CursorKind::MemberReference,
            CXCursor_MacroDefinition => CursorKind::MacroDefinition,
            CXCursor_MacroExpansion => CursorKind::MacroExpansion,
            CXCursor_InclusionDirective => CursorKind::Inclusion,
            _ => CursorKind::of_other(raw),
        }
    }

    /// Whether the cursor declares a struct, union or enum.
    pub(crate) fn is_tagged(self) -> bool {
        matches!(
            self,
            CursorKind::Struct | CursorKind::Union | CursorKind::Enum
        )
    }

    pub(crate) fn is_literal(self) -> bool {
        matches!(
            self,
            CursorKind::IntegerLiteral
                | CursorKind::FloatingLiteral
                | CursorKind::StringLiteral
                | CursorKind::CharacterLiteral
                | CursorKind::ImaginaryLiteral
        )
    }

    pub(crate) fn is_expression(self) -> bool {
        self.is_literal()
            || matches!(
                self,
                CursorKind::DeclRef
                    | CursorKind::MemberRef
                    | CursorKind::Call
                    | CursorKind::Paren
                    | CursorKind::Unary
                    | CursorKind::Subscript
                    | CursorKind::Binary
                    | CursorKind::CompoundAssign
                    | CursorKind::Conditional
                    | CursorKind::Cast
                    | CursorKind::CompoundLiteral
                    | CursorKind::InitList
                    | CursorKind::AddressOfLabel
                    | CursorKind::StatementExpression
                    | CursorKind::GenericSelection
                    | CursorKind::SizeOrAlignOf
                    | CursorKind::OtherExpression
            )
    }

    /// Whether the cursor can stand as a statement; expressions can too.
    pub(crate) fn is_statement(self) -> bool {
        self.is_expression()
            || matches!(
                self,
                CursorKind::Label
                    | CursorKind::Compound
                    | CursorKind::Case
                    | CursorKind::Default
                    | CursorKind::If
                    | CursorKind::Switch
                    | CursorKind::While
                    | CursorKind::Do
                    | CursorKind::For
                    | CursorKind::Goto
                    | CursorKind::IndirectGoto
                    | CursorKind::Continue
                    | CursorKind::Break
                    | CursorKind::Return
                    | CursorKind::Asm
                    | CursorKind::Null
                    | CursorKind::Declaration
                    | CursorKind::OtherStatement
            )
    }

    fn of_other(raw: CXCursorKind) -> CursorKind {
        // SAFETY: plain tests of the number.
        unsafe {
            if clang_isExpression(raw) != 0 {
                CursorKind::OtherExpression
            } else if clang_isStatement(raw) != 0 {
                CursorKind::OtherStatement
            } else if clang_isAttribute(raw) != 0 {
                CursorKind::OtherAttribute
            } else if clang_isDeclaration(raw) != 0 {
                CursorKind::OtherDeclaration
            } else {
                CursorKind::Other
            }
        }
    }
}

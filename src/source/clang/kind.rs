//! The cursor kinds we tell apart, as an enum of our own.

use clang_sys::*;

/// What a cursor is. Kinds that C programs cannot have, or that we treat alike,
/// share a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
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
    Literal,
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

impl Kind {
    pub(super) fn from_raw(raw: CXCursorKind) -> Kind {
        match raw {
            CXCursor_StructDecl => Kind::Struct,
            CXCursor_UnionDecl => Kind::Union,
            CXCursor_EnumDecl => Kind::Enum,
            CXCursor_FieldDecl => Kind::Field,
            CXCursor_EnumConstantDecl => Kind::EnumConstant,
            CXCursor_FunctionDecl => Kind::Function,
            CXCursor_VarDecl => Kind::Variable,
            CXCursor_ParmDecl => Kind::Parameter,
            CXCursor_TypedefDecl => Kind::Typedef,
            CXCursor_DeclRefExpr => Kind::DeclRef,
            CXCursor_MemberRefExpr => Kind::MemberRef,
            CXCursor_CallExpr => Kind::Call,
            CXCursor_ParenExpr => Kind::Paren,
            CXCursor_UnaryOperator => Kind::Unary,
            CXCursor_ArraySubscriptExpr => Kind::Subscript,
            CXCursor_BinaryOperator => Kind::Binary,
            CXCursor_CompoundAssignOperator => Kind::CompoundAssign,
            CXCursor_ConditionalOperator => Kind::Conditional,
            CXCursor_CStyleCastExpr => Kind::Cast,
            CXCursor_CompoundLiteralExpr => Kind::CompoundLiteral,
            CXCursor_InitListExpr => Kind::InitList,
            CXCursor_AddrLabelExpr => Kind::AddressOfLabel,
            CXCursor_StmtExpr => Kind::StatementExpression,
            CXCursor_GenericSelectionExpr => Kind::GenericSelection,
            CXCursor_UnaryExpr => Kind::SizeOrAlignOf,
            CXCursor_IntegerLiteral
            | CXCursor_FloatingLiteral
            | CXCursor_ImaginaryLiteral
            | CXCursor_StringLiteral
            | CXCursor_CharacterLiteral => Kind::Literal,
            CXCursor_LabelStmt => Kind::Label,
            CXCursor_CompoundStmt => Kind::Compound,
            CXCursor_CaseStmt => Kind::Case,
            CXCursor_DefaultStmt => Kind::Default,
            CXCursor_IfStmt => Kind::If,
            CXCursor_SwitchStmt => Kind::Switch,
            CXCursor_WhileStmt => Kind::While,
            CXCursor_DoStmt => Kind::Do,
            CXCursor_ForStmt => Kind::For,
            CXCursor_GotoStmt => Kind::Goto,
            CXCursor_IndirectGotoStmt => Kind::IndirectGoto,
            CXCursor_ContinueStmt => Kind::Continue,
            CXCursor_BreakStmt => Kind::Break,
            CXCursor_ReturnStmt => Kind::Return,
            CXCursor_AsmStmt | CXCursor_MSAsmStmt => Kind::Asm,
            CXCursor_NullStmt => Kind::Null,
            CXCursor_DeclStmt => Kind::Declaration,
            CXCursor_PureAttr => Kind::PureAttribute,
            CXCursor_ConstAttr => Kind::ConstAttribute,
            CXCursor_PackedAttr => Kind::PackedAttribute,
            CXCursor_AsmLabelAttr => Kind::AsmLabelAttribute,
            CXCursor_TypeRef => Kind::TypeReference,
            CXCursor_LabelRef => Kind::LabelReference,
            CXCursor_MemberRef => Kind::MemberReference,
            CXCursor_MacroDefinition => Kind::MacroDefinition,
            CXCursor_MacroExpansion => Kind::MacroExpansion,
            CXCursor_InclusionDirective => Kind::Inclusion,
            _ => Kind::of_other(raw),
        }
    }

    pub(crate) fn is_expression(self) -> bool {
        matches!(
            self,
            Kind::DeclRef
                | Kind::MemberRef
                | Kind::Call
                | Kind::Paren
                | Kind::Unary
                | Kind::Subscript
                | Kind::Binary
                | Kind::CompoundAssign
                | Kind::Conditional
                | Kind::Cast
                | Kind::CompoundLiteral
                | Kind::InitList
                | Kind::AddressOfLabel
                | Kind::StatementExpression
                | Kind::GenericSelection
                | Kind::SizeOrAlignOf
                | Kind::Literal
                | Kind::OtherExpression
        )
    }

    /// Whether the cursor can stand as a statement; expressions can too.
    pub(crate) fn is_statement(self) -> bool {
        self.is_expression()
            || matches!(
                self,
                Kind::Label
                    | Kind::Compound
                    | Kind::Case
                    | Kind::Default
                    | Kind::If
                    | Kind::Switch
                    | Kind::While
                    | Kind::Do
                    | Kind::For
                    | Kind::Goto
                    | Kind::IndirectGoto
                    | Kind::Continue
                    | Kind::Break
                    | Kind::Return
                    | Kind::Asm
                    | Kind::Null
                    | Kind::Declaration
                    | Kind::OtherStatement
            )
    }

    fn of_other(raw: CXCursorKind) -> Kind {
        // SAFETY: plain tests of the number.
        unsafe {
            if clang_isExpression(raw) != 0 {
                Kind::OtherExpression
            } else if clang_isStatement(raw) != 0 {
                Kind::OtherStatement
            } else if clang_isAttribute(raw) != 0 {
                Kind::OtherAttribute
            } else if clang_isDeclaration(raw) != 0 {
                Kind::OtherDeclaration
            } else {
                Kind::Other
            }
        }
    }
}

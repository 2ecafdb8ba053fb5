//! Which language a file is in, and what its grammar calls things.

use tree_sitter::Language as Grammar;

/// How a file is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Language {
    /// Definitions by node kind.
    Code(&'static Code),
    /// Headings, keys, tables: text from one to the next.
    Sections(Sections),
    /// No grammar exists.
    Fpp,
}

/// A language whose symbols are sections.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sections {
    /// Headings.
    Markdown,
    /// Top-level keys of each document.
    Yaml,
    /// Table headers.
    Toml,
    /// Top-level keys.
    Json,
}

/// How a definition's name is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// A field of the node.
    Field(&'static str),
    /// A field, if the node has a body: `struct x { … }`, not `struct x y`.
    WithBody(&'static str),
    /// A field, if the definition spans lines: a constant with a body.
    Spanning(&'static str),
    /// The type of an `impl`, without its arguments.
    ImplType,
    /// Down the declarators of C.
    Declarator,
    /// What an anonymous function, class or struct is bound to.
    Bound,
    /// The first text argument of a test block's call.
    TestCall,
}

/// How comments before a definition belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Docs {
    /// Those that begin with one of these.
    Marked(&'static [&'static str]),
    /// Any comment directly above: the language's way to document.
    Any,
    /// None.
    No,
}

/// A language of definitions and calls.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) grammar: fn() -> Grammar,
    pub(super) definitions: &'static [(&'static str, Name)],
    /// Call node and the field that holds the callee.
    pub(super) calls: &'static [(&'static str, &'static str)],
    /// Nodes that wrap a definition with what belongs to it.
    pub(super) wrappers: &'static [&'static str],
    /// Siblings before a definition that belong to it.
    pub(super) attached: &'static [&'static str],
    pub(super) comments: &'static [&'static str],
    pub(super) docs: Docs,
}

use Name::{Bound, Declarator, Field, ImplType, Spanning, TestCall, WithBody};

const NAME: Name = Field("name");
const C_DOCS: Docs = Docs::Marked(&["///", "/**", "//!", "/*!"]);
const JAVADOC: Docs = Docs::Marked(&["/**"]);

static RUST: Code = Code {
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    definitions: &[
        ("function_item", NAME),
        ("function_signature_item", NAME),
        ("struct_item", NAME),
        ("enum_item", NAME),
        ("union_item", NAME),
        ("trait_item", NAME),
        ("mod_item", WithBody("name")),
        ("macro_definition", NAME),
        ("impl_item", ImplType),
        ("const_item", Spanning("name")),
        ("static_item", Spanning("name")),
        ("closure_expression", Bound),
    ],
    calls: &[("call_expression", "function"), ("macro_invocation", "macro")],
    wrappers: &[],
    attached: &["attribute_item"],
    comments: &["line_comment", "block_comment"],
    docs: C_DOCS,
};

static C: Code = Code {
    grammar: || tree_sitter_c::LANGUAGE.into(),
    definitions: &[
        ("function_definition", Declarator),
        ("struct_specifier", WithBody("name")),
        ("union_specifier", WithBody("name")),
        ("enum_specifier", WithBody("name")),
        ("preproc_function_def", NAME),
        ("preproc_def", Spanning("name")),
        ("init_declarator", Spanning("declarator")),
    ],
    calls: &[("call_expression", "function")],
    wrappers: &["type_definition", "declaration"],
    attached: &["attribute_declaration", "attribute_specifier"],
    comments: &["comment"],
    docs: C_DOCS,
};

static CPP: Code = Code {
    grammar: || tree_sitter_cpp::LANGUAGE.into(),
    definitions: &[
        ("function_definition", Declarator),
        ("class_specifier", WithBody("name")),
        ("struct_specifier", WithBody("name")),
        ("union_specifier", WithBody("name")),
        ("enum_specifier", WithBody("name")),
        ("namespace_definition", NAME),
        ("concept_definition", NAME),
        ("preproc_function_def", NAME),
        ("preproc_def", Spanning("name")),
        ("lambda_expression", Bound),
        ("init_declarator", Spanning("declarator")),
    ],
    calls: &[("call_expression", "function"), ("new_expression", "type")],
    wrappers: &["template_declaration", "type_definition", "declaration"],
    attached: &["attribute_declaration", "attribute_specifier"],
    comments: &["comment"],
    docs: C_DOCS,
};

static PYTHON: Code = Code {
    grammar: || tree_sitter_python::LANGUAGE.into(),
    definitions: &[
        ("function_definition", NAME),
        ("class_definition", NAME),
        ("lambda", Bound),
        ("dictionary", Bound),
        ("list", Bound),
    ],
    calls: &[("call", "function")],
    wrappers: &["decorated_definition"],
    attached: &[],
    comments: &[],
    docs: Docs::No,
};

static GO: Code = Code {
    grammar: || tree_sitter_go::LANGUAGE.into(),
    definitions: &[
        ("function_declaration", NAME),
        ("method_declaration", NAME),
        ("type_spec", NAME),
        ("const_spec", Spanning("name")),
        ("var_spec", Spanning("name")),
        ("func_literal", Bound),
    ],
    calls: &[("call_expression", "function")],
    wrappers: &["type_declaration", "const_declaration", "var_declaration"],
    attached: &[],
    comments: &["comment"],
    docs: Docs::Any,
};

static JAVA: Code = Code {
    grammar: || tree_sitter_java::LANGUAGE.into(),
    definitions: &[
        ("class_declaration", NAME),
        ("interface_declaration", NAME),
        ("enum_declaration", NAME),
        ("record_declaration", NAME),
        ("annotation_type_declaration", NAME),
        ("method_declaration", NAME),
        ("constructor_declaration", NAME),
        ("compact_constructor_declaration", NAME),
        ("enum_constant", WithBody("name")),
        ("lambda_expression", Bound),
    ],
    calls: &[("method_invocation", "name"), ("object_creation_expression", "type")],
    wrappers: &[],
    attached: &[],
    comments: &["block_comment", "line_comment"],
    docs: JAVADOC,
};

const SCRIPT_CALLS: &[(&str, &str)] = &[
    ("call_expression", "function"),
    ("new_expression", "constructor"),
    ("jsx_self_closing_element", "name"),
    ("jsx_opening_element", "name"),
];

static JAVASCRIPT: Code = Code {
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    definitions: &[
        ("function_declaration", NAME),
        ("generator_function_declaration", NAME),
        ("class_declaration", NAME),
        ("class", Bound),
        ("method_definition", NAME),
        ("arrow_function", Bound),
        ("function_expression", Bound),
        ("generator_function", Bound),
        ("object", Bound),
        ("array", Bound),
        ("call_expression", TestCall),
    ],
    calls: SCRIPT_CALLS,
    wrappers: &["export_statement", "lexical_declaration", "variable_declaration"],
    attached: &["decorator"],
    comments: &["comment"],
    docs: JAVADOC,
};

const TYPED: &[(&str, Name)] = &[
    ("function_declaration", NAME),
    ("generator_function_declaration", NAME),
    ("function_signature", NAME),
    ("class_declaration", NAME),
    ("abstract_class_declaration", NAME),
    ("class", Bound),
    ("method_definition", NAME),
    ("method_signature", NAME),
    ("abstract_method_signature", NAME),
    ("interface_declaration", NAME),
    ("enum_declaration", NAME),
    ("type_alias_declaration", Spanning("name")),
    ("internal_module", NAME),
    ("module", NAME),
    ("arrow_function", Bound),
    ("function_expression", Bound),
    ("generator_function", Bound),
    ("object", Bound),
    ("array", Bound),
    ("call_expression", TestCall),
];
const TYPED_WRAPPERS: &[&str] = &[
    "export_statement",
    "lexical_declaration",
    "variable_declaration",
    "ambient_declaration",
    "expression_statement",
];

static TYPESCRIPT: Code = Code {
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    definitions: TYPED,
    calls: SCRIPT_CALLS,
    wrappers: TYPED_WRAPPERS,
    attached: &["decorator"],
    comments: &["comment"],
    docs: JAVADOC,
};

static TSX: Code = Code {
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    definitions: TYPED,
    calls: SCRIPT_CALLS,
    wrappers: TYPED_WRAPPERS,
    attached: &["decorator"],
    comments: &["comment"],
    docs: JAVADOC,
};

static C_SHARP: Code = Code {
    grammar: || tree_sitter_c_sharp::LANGUAGE.into(),
    definitions: &[
        ("class_declaration", NAME),
        ("struct_declaration", NAME),
        ("record_declaration", NAME),
        ("interface_declaration", NAME),
        ("enum_declaration", NAME),
        ("delegate_declaration", NAME),
        ("method_declaration", NAME),
        ("constructor_declaration", NAME),
        ("destructor_declaration", NAME),
        ("property_declaration", NAME),
        ("event_declaration", NAME),
        ("operator_declaration", Field("operator")),
        ("local_function_statement", NAME),
        ("namespace_declaration", NAME),
        ("file_scoped_namespace_declaration", NAME),
        ("lambda_expression", Bound),
    ],
    calls: &[("invocation_expression", "function"), ("object_creation_expression", "type")],
    wrappers: &[],
    attached: &["attribute_list"],
    comments: &["comment"],
    docs: C_DOCS,
};

static PHP: Code = Code {
    grammar: || tree_sitter_php::LANGUAGE_PHP.into(),
    definitions: &[
        ("function_definition", NAME),
        ("method_declaration", NAME),
        ("class_declaration", NAME),
        ("interface_declaration", NAME),
        ("trait_declaration", NAME),
        ("enum_declaration", NAME),
        ("namespace_definition", WithBody("name")),
        ("anonymous_function", Bound),
        ("arrow_function", Bound),
    ],
    calls: &[
        ("function_call_expression", "function"),
        ("member_call_expression", "name"),
        ("scoped_call_expression", "name"),
        ("nullsafe_member_call_expression", "name"),
        ("object_creation_expression", ""),
    ],
    wrappers: &[],
    attached: &["attribute_list"],
    comments: &["comment"],
    docs: JAVADOC,
};

static RUBY: Code = Code {
    grammar: || tree_sitter_ruby::LANGUAGE.into(),
    definitions: &[
        ("method", NAME),
        ("singleton_method", NAME),
        ("class", NAME),
        ("module", NAME),
        ("lambda", Bound),
        ("hash", Bound),
        ("array", Bound),
        ("call", TestCall),
    ],
    calls: &[("call", "method")],
    wrappers: &[],
    attached: &[],
    comments: &["comment"],
    docs: Docs::Any,
};

static BASH: Code = Code {
    grammar: || tree_sitter_bash::LANGUAGE.into(),
    definitions: &[("function_definition", NAME)],
    calls: &[("command", "name")],
    wrappers: &[],
    attached: &[],
    comments: &["comment"],
    docs: Docs::Any,
};

impl Language {
    /// By the file's name, then by its `#!` line.
    pub(super) fn of(path: &str, bytes: &[u8]) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        Some(match ending.to_ascii_lowercase().as_str() {
            "rs" => Self::Code(&RUST),
            "c" => Self::Code(&C),
            // A header may be either; the C++ grammar reads both.
            "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "ipp" | "inl" | "tpp" | "ino" => {
                Self::Code(&CPP)
            }
            "py" | "pyi" | "pyw" => Self::Code(&PYTHON),
            "go" => Self::Code(&GO),
            "java" => Self::Code(&JAVA),
            "js" | "jsx" | "mjs" | "cjs" => Self::Code(&JAVASCRIPT),
            "ts" | "mts" | "cts" => Self::Code(&TYPESCRIPT),
            "tsx" => Self::Code(&TSX),
            "cs" => Self::Code(&C_SHARP),
            "php" | "phtml" => Self::Code(&PHP),
            "rb" | "rake" | "gemspec" => Self::Code(&RUBY),
            "sh" | "bash" | "bats" | "zsh" | "ksh" => Self::Code(&BASH),
            "md" | "markdown" | "mdx" => Self::Sections(Sections::Markdown),
            "yml" | "yaml" => Self::Sections(Sections::Yaml),
            "toml" => Self::Sections(Sections::Toml),
            "json" | "jsonc" | "json5" => Self::Sections(Sections::Json),
            "fpp" | "fppi" => Self::Fpp,
            _ => return Self::by_name(name).or_else(|| Self::by_first_line(bytes)),
        })
    }

    fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "Rakefile" | "Gemfile" | "Vagrantfile" | "Podfile" | "Guardfile" => Self::Code(&RUBY),
            "Cargo.lock" | "Pipfile" | "poetry.lock" => Self::Sections(Sections::Toml),
            ".bashrc" | ".bash_profile" | ".profile" | ".zshrc" | "PKGBUILD" => Self::Code(&BASH),
            ".clang-format" | ".clang-tidy" | "CITATION.cff" => Self::Sections(Sections::Yaml),
            ".eslintrc" | ".babelrc" | ".prettierrc" => Self::Sections(Sections::Json),
            _ => return None,
        })
    }

    fn by_first_line(bytes: &[u8]) -> Option<Self> {
        let first = bytes.split(|byte| *byte == b'\n').next()?;
        let first = std::str::from_utf8(first.get(..200).unwrap_or(first)).ok()?;
        let mut words = first.strip_prefix("#!")?.split_whitespace();
        let program = words.next()?.rsplit('/').next()?;
        let program = if program == "env" {
            words.find(|word| !word.starts_with('-') && !word.contains('='))?
        } else {
            program
        };
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        Some(match program {
            "sh" | "bash" | "dash" | "zsh" | "ksh" | "bats" => Self::Code(&BASH),
            "python" | "pypy" => Self::Code(&PYTHON),
            "ruby" => Self::Code(&RUBY),
            "node" | "nodejs" | "bun" => Self::Code(&JAVASCRIPT),
            "deno" | "ts-node" | "tsx" => Self::Code(&TYPESCRIPT),
            "php" => Self::Code(&PHP),
            _ => return None,
        })
    }
}

//! What resolution must know of a language: plain data, read from the `[resolution]` table of
//! `grammars/<language>/language.toml`.

use crate::Library;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The order in which a type's bases are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Linearization {
    /// Bases in written order, each with its own bases before the next.
    #[default]
    DepthFirst,
    /// The C3 order of Python.
    C3,
    /// Level by level, the shallowest member wins (Go embedding).
    BreadthFirst,
}

/// Whether names of a language's own top level need the module's name elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// Each file is a module of its own; other files import from it.
    #[default]
    File,
    /// Files of one package or namespace see each other's names.
    Unit,
    /// Names with external linkage are one pool, declared where they are used by prototypes in headers.
    Linkage,
}

/// How a lambda gets the object that it runs for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The receiver, as the lambda's parameter.
    It,
    /// The receiver, as the lambda's own object.
    This,
    /// The call's first argument, as the lambda's own object.
    Argument,
    /// There is none.
    #[default]
    None,
}

/// A function from outside that runs a lambda for an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScopeFunction {
    /// How the lambda gets the object.
    pub object: Subject,
    /// The object is given back; else what the lambda gives.
    pub gives_object: bool,
}

/// Rules of one language for the resolver.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LanguageRules {
    /// Languages of one family see each other's symbols (`ecmascript`, `jvm`, `c`); the language's name if empty.
    pub family: String,
    /// The named strategy that finds modules: a file of `resolve/src/modules/`.
    pub modules: String,
    /// How top-level names are shared between files.
    pub sharing: Sharing,
    /// What joins the segments of a module path or namespace (`.`, `::`, `\`).
    pub separator: String,
    /// Members of the class around are visible without a receiver.
    pub implicit_this: bool,
    /// Functions and variables of one name live side by side: a called name means functions only (Java).
    pub functions_apart: bool,
    /// Class scopes are skipped when a function inside looks a name up (Python).
    pub class_scope_hidden: bool,
    /// Members of a type are never visible without a receiver or a path, not even in its own body (Go, Rust).
    pub members_hidden: bool,
    /// Order of bases.
    pub linearization: Linearization,
    /// Names of members that a construction runs, in order of preference; `<type>` is the type's own name.
    pub constructors: Vec<String>,
    /// Calling a type converts a value to it, which is no call (`T(x)`).
    pub type_calls_convert: bool,
    /// Functions of the language's own that give one of their arguments back: name → index of the argument.
    pub passing_functions: BTreeMap<String, usize>,
    /// Functions outside the project whose result holds their first argument (`Some`, `Mutex.new`).
    pub holding_functions: Vec<String>,
    /// Macros whose result is what their only argument holds.
    pub inner_macros: Vec<String>,
    /// Several functions of one name in one scope differ by their parameters.
    pub overloads: bool,
    /// Instance methods may be overridden unless marked final (else only where marked virtual or abstract).
    pub virtual_by_default: bool,
    /// A type implements an interface by having its methods (Go, TypeScript).
    pub structural: bool,
    /// The name under which a type's own members can be reached, too (Kotlin `Companion`).
    pub companion: String,
    /// Types stand in documentation alone: one that nothing declares says nothing.
    pub documented_types: bool,
    /// A function is the type of what is constructed with it; members are put on its prototype.
    pub constructor_functions: bool,
    /// The member that runs when an instance is called.
    pub call_member: String,
    /// Where an operator finds no such member, the one that the language runs instead (`__iadd__` → `__add__`).
    pub instead_members: BTreeMap<String, String>,
    /// Functions of the language's own → the member of their argument that they run (`len` → `__len__`).
    pub running_functions: BTreeMap<String, String>,
    /// The argument among the bases of a class that says which class it is an object of.
    pub metaclass_argument: String,
    /// Any code may give objects attributes that their class does not name.
    pub open_objects: bool,
    /// The member of an object that runs where a class has the object and the member is read (`__get__`).
    pub reading_member: String,
    /// Members whose result a context manager gives (`__enter__`), in order of preference.
    pub entered_members: Vec<String>,
    /// Members whose result is iterated (`__iter__`), and whose result is one element (`__next__`), in this order.
    pub iterated_members: Vec<String>,
    /// The same for loops that wait for each element (`__aiter__`, `__anext__`).
    pub async_iterated_members: Vec<String>,
    /// Members that indexing calls (`__getitem__`, `operator[]`).
    pub index_members: Vec<String>,
    /// Heads of paths with a fixed meaning: text → `root`, `this_module`, `parent_module`.
    pub path_heads: BTreeMap<String, String>,
    /// Modules are a tree: `mod x;` says that one is below; an inline one sees its own names only; a path whose head
    /// nothing declares begins with the name of a crate.
    pub module_tree: bool,
    /// Unqualified names fall back to these when nothing declares them: calls of them are `builtin`.
    pub builtins: Vec<String>,
    /// Unqualified function names that are not found in the file's namespace are looked up in the global one (PHP).
    pub global_fallback: bool,
    /// Code sees what the packages or namespaces around its own declare (C#, C++), not only its own (Java, Go).
    pub nested_units: bool,
    /// Types and functions of one name may differ by how many type arguments they take (C#).
    pub arity_apart: bool,
    /// Names that no unit of the project has are from outside: they are external and never looked up by name only.
    pub closed_units: bool,
    /// The class of the receiver at run time has a word of its own (PHP `static`): members called through it may be a
    /// subclass's, those called through the word for the class around never are.
    pub late_static: bool,
    /// Functions do not see the variables around them; lambdas do (PHP, Ruby).
    pub closed_functions: bool,
    /// A block may be run with another receiver than that of the code around: a name that the code around does not know
    /// may be a member of anything (Ruby `instance_eval`).
    pub rebound_blocks: bool,
    /// Without a receiver only members of the innermost type around are meant; of those further out, types and constants
    /// are seen (Ruby).
    pub innermost_this: bool,
    /// Members of objects and members of classes are apart: one name may mean one of each (Ruby).
    pub static_apart: bool,
    /// A field is read in the form in which a method is called (Ruby).
    pub uniform_access: bool,
    /// The member of a type that constructs it, in languages without a form for it (Ruby `new`).
    pub construct_member: String,
    /// The member of an object that gives its class (Ruby `class`).
    pub class_member: String,
    /// Members that every object of the language has, sorted: calls of them on unknown objects are not guessed.
    pub common_members: Vec<String>,
    /// Types that stand for what they wrap, for member lookup: `Optional`, `Box`, `Promise` … → index of the argument.
    pub transparent_types: BTreeMap<String, usize>,
    /// Types that stand for any of their arguments (`Union`).
    pub union_types: Vec<String>,
    /// Types whose element type is one of their arguments, for iteration: `list` → 0, `dict` → 0, `Vec` → 0 …
    pub element_types: BTreeMap<String, usize>,
    /// Of those, the types whose iteration gives pairs of their first two arguments (`HashMap`).
    pub pair_types: Vec<String>,
    /// Types outside the project whose objects have the members of what they hold: `Box` → index of the argument.
    pub deref_types: BTreeMap<String, usize>,
    /// Members that such types have themselves.
    pub wrapper_members: Vec<String>,
    /// Members of containers outside the project that give what is held (`unwrap`), where called.
    pub inner_members: Vec<String>,
    /// Interfaces from outside that nearly all types implement (`Clone`, `Send`).
    pub implied_bounds: Vec<String>,
    /// Those that give what the second type argument says (`unwrap_err`).
    pub second_members: Vec<String>,
    /// Members of containers outside the project that give a container of the same (`iter`, `as_ref`), where called.
    pub same_members: Vec<String>,
    /// Variants outside the project in patterns: name → index of the type argument that they hold.
    pub foreign_variants: BTreeMap<String, usize>,
    /// Members of containers outside the project that call a given function with what is held (`map`).
    pub callback_members: Vec<String>,
    /// Members of containers outside the project that give a container of what a given function gives (`map`).
    pub mapping_members: Vec<String>,
    /// Members from outside that give what a given function gives (`and_then`).
    pub returning_members: Vec<String>,
    /// Members that types have though nothing in the project says so, and that give an object of the type (`default`).
    pub own_type_members: Vec<String>,
    /// Members whose result an object has the members of, too (`deref`).
    pub deref_members: Vec<String>,
    /// A use sees the last assignment before it in its function: `[branches]` says what may be left out.
    pub ordered: bool,
    /// A key of a number is another one than that of its text (Python `{1: a, "1": b}`).
    pub typed_keys: bool,
    /// A decorated name means what its decorators give (Python).
    pub decorators_replace: bool,
    /// Functions of the language's own, or of libraries, that call the functions given to them (`map`).
    pub calling_functions: Vec<String>,
    /// Of those, the ones that give a row of what the function gives.
    pub mapping_functions: Vec<String>,
    /// Members of containers that put an argument in: name → its index (`append`).
    pub storing_members: BTreeMap<String, usize>,
    /// Members of containers that put in all that another one holds (`update`).
    pub merging_members: Vec<String>,
    /// Members of containers that give what is under a key (`get`).
    pub keyed_members: Vec<String>,
    /// Members of containers with keys that give a row of what they hold (`values`).
    pub value_members: Vec<String>,
    /// Macros have a name space of their own.
    pub macros_apart: bool,
    /// Macros that make a function of the class that they are given first, as test frameworks do (C++ `TEST_F(Fixture, Name)`).
    pub fixture_macros: Vec<String>,
    /// Decorators or attributes after which a name no longer means the function written below it are those not
    /// listed here: these keep the function's type (`functools.wraps(f)`, `contextmanager`, `staticmethod` …).
    pub keeping_decorators: Vec<String>,
    /// Names that start with an underscore do not come in by a glob import unless the module lists them (Python).
    pub glob_hides_underscore: bool,
    /// Types and values have names apart: where a value is meant, a function or variable hides a type of its name (C).
    pub values_hide_types: bool,
    /// A member may have the name of a type: in the place of a type the type is meant, elsewhere the member (C#).
    pub types_apart: bool,
    /// A member hides all those of its name in the bases, whatever their parameters (C++).
    pub members_hide_bases: bool,
    /// Indexing something without a member for it gives an object of the same type: pointers and arrays (C).
    pub pointer_index: bool,
    /// Functions of the namespaces of a call's arguments are found, too; operators may be such functions (C++).
    pub argument_lookup: bool,
    /// Types that give what they hold when they are followed like pointers (`unique_ptr`) → index of the argument.
    pub pointer_types: BTreeMap<String, usize>,
    /// Members of types with arguments that give what is held (`get`, `front`).
    pub pointer_members: Vec<String>,
    /// A type outside the project → the types that a value of it can be given for, the nearest first: how overloads are
    /// chosen. Without it, arguments are compared by name alone.
    pub conversions: BTreeMap<String, Vec<String>>,
    /// Members that every object has (`equals`).
    pub root_members: Vec<String>,
    /// Types that every value can be given for (`Object`).
    pub top_types: Vec<String>,
    /// Types without a null and without subtypes (`int`).
    pub primitive_types: Vec<String>,
    /// Types without null → their objects (`int` → `Integer`): each stands for the other.
    pub boxes: BTreeMap<String, String>,
    /// The types of literals: `string`, `integer`, `float`, `boolean`, `character`, `other`.
    pub literal_types: BTreeMap<String, String>,
    /// Values of generic types of the project keep their type arguments; lambdas' parameters are typed by the call.
    pub generic_types: bool,
    /// Functions from outside that give their receiver to the lambda (Rust `with`).
    pub subject_functions: Vec<String>,
    /// Functions from outside that run a lambda for an object (Kotlin `let`, `apply`).
    pub scope_functions: BTreeMap<String, ScopeFunction>,
    /// Function types from outside (`Function`, `Func`) → how many of their arguments are types of parameters.
    pub function_types: BTreeMap<String, usize>,
    /// Function types from outside → how many parameters the function has: a number, or, below zero, the number of type
    /// arguments and one, two … less (`Func = -2`: all but the last one).
    pub function_arities: BTreeMap<String, i32>,
    /// Those of them that have no result.
    pub function_actions: Vec<String>,
    /// What methods from outside give: `Type.method` (or `*.method`) → the index of a type argument, `=` for the
    /// receiver's own type, or a type's name.
    pub foreign_results: BTreeMap<String, String>,
    /// What functions and types of the language's own library hand on: signatures (`Library`).
    pub library: Library,
    /// Built-in modules and packages: imports of them are external without a look at the project.
    pub standard_modules: Vec<String>,
    /// `super` is the class above and never an interface; what interfaces only declare, a class above brings.
    pub super_is_class: bool,
    /// Private members are not inherited.
    pub private_apart: bool,
    /// Calling an `async` function gives a future: what the function gives comes when that is awaited.
    pub lazy_async: bool,
    /// Types outside the project that bring their subtypes no members of their own (`Generic`).
    pub bare_types: Vec<String>,
    /// Macros whose result is a list of their arguments (`vec`).
    pub list_macros: Vec<String>,
}

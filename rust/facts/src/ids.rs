//! File-local identifiers: plain indices into the vectors of one `FileFacts`.

macro_rules! id {
    ($(#[$doc:meta] $name:ident),* $(,)?) => {$(
        #[$doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                Self(u32::try_from(index).expect("a file has fewer than 2^32 facts of a kind"))
            }
        }
    )*};
}

id!(
    /// An interned name: index into `FileFacts::names`.
    NameId,
    /// A longer text stored once (a signature, a doc): index into `FileFacts::texts`.
    TextId,
    /// Index into `FileFacts::scopes`; 0 is the file's own scope.
    ScopeId,
    /// Index into `FileFacts::symbols`.
    SymbolId,
    /// Index into `FileFacts::exprs`.
    ExprId,
    /// Index into `FileFacts::sites`.
    SiteId,
);

//! ECMAScript modules and CommonJS, as bundlers, Node and the TypeScript compiler resolve them.
//!
//! Where these differ, the file that holds the source wins: over declarations, and over built files that are not in the
//! repository.

mod files;
mod package;
mod patterns;
mod tsconfig;

use super::{paths, FileId, Found, Located, ModuleSystem, Project};
use files::Files;
use package::{Package, Packages, Target};
use tsconfig::{Alias, Configs};

/// Modules of the runtime, which no package of that name replaces.
const BUILT_IN: [&str; 42] = [
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "timers",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];
/// Prefixes that build tools map to a folder of the package; none of them begins a package's name.
const CUSTOMARY: [(&str, &[&str]); 7] = [
    ("@/", &["src", "app", ""]),
    ("~/", &["src", "app", ""]),
    ("@@/", &[""]),
    ("~~/", &[""]),
    ("$lib/", &["src/lib"]),
    ("src/", &["src"]),
    ("/", &["", "public", "src"]),
];
/// Endings of what bundlers import besides scripts.
const ASSETS: [&str; 40] = [
    "avif", "css", "csv", "eot", "frag", "gif", "glsl", "gql", "graphql", "html", "ico", "jpeg", "jpg", "json",
    "json5", "less", "md", "mdx", "mp3", "mp4", "node", "ogg", "otf", "pdf", "png", "sass", "scss", "styl", "svg",
    "toml", "ttf", "txt", "vert", "wasm", "wav", "webm", "webp", "woff", "woff2", "yaml",
];
/// No path is longer than this, but data in source files can be.
const LONGEST_TEXT: usize = 4096;
/// `imports` of a package may lead to packages, but not on and on.
const MOST_HOPS: usize = 4;

/// The module system of ECMAScript.
pub struct EcmaScript {
    paths: Vec<String>,
    files: Files,
    packages: Packages,
    configs: Configs,
}

/// The importing file, as far as it decides.
#[derive(Clone, Copy)]
struct Importer<'f> {
    folder: &'f str,
    /// Whether typed files are preferred.
    typed: bool,
    /// Whether it rather requires than imports.
    require: bool,
}

impl EcmaScript {
    /// Reads paths and manifests once.
    pub fn new(project: &Project) -> Self {
        let packages = Packages::new(project);
        let configs = Configs::new(project, &packages);
        let paths = project.files.iter().map(|file| file.path.clone()).collect();
        Self { paths, files: Files::new(project), packages, configs }
    }

    fn from(&self, file: FileId) -> Importer<'_> {
        let path = &self.paths[file.0 as usize];
        let folder = paths::folder(path);
        let typed = files::is_typed(path);
        let require = path.ends_with(".cjs")
            || path.ends_with(".cts")
            || (!typed
                && !path.ends_with(".mjs")
                && self.packages.around(folder).is_none_or(|package| !package.is_module));
        Importer { folder, typed, require }
    }

    /// `./a`, `..`, `./folder/`.
    fn relative(&self, from: Importer<'_>, text: &str) -> Found {
        let Some(path) = paths::join(from.folder, text) else { return missing(text) };
        let folder_only = text.ends_with(['/', '\\']) || matches!(text.rsplit(['/', '\\']).next(), Some("." | ".."));
        // Tests import what the build makes.
        let found = self.path(from, &path, folder_only).or_else(|| self.overlaid(from, &path));
        let found = found.or_else(|| self.built(from, &path));
        found.map_or_else(|| missing(text), Found::File)
    }

    /// A file, or a folder by its `package.json` or index.
    fn path(&self, from: Importer<'_>, path: &str, folder_only: bool) -> Option<FileId> {
        let file = (!folder_only).then(|| self.files.file(path, from.typed)).flatten();
        file.or_else(|| {
            let package = self.packages.at(path)?;
            package.entries(from.require).find_map(|entry| {
                let path = paths::join(path, entry)?;
                self.files.file_or_index(&path, from.typed)
            })
        })
        .or_else(|| self.files.index(path, from.typed))
    }

    /// The same path below another of the `rootDirs`.
    fn overlaid(&self, from: Importer<'_>, path: &str) -> Option<FileId> {
        self.configs.nearest(from.folder).find_map(|config| {
            let inner = config.root_dirs.iter().filter(|root| paths::within(path, root));
            let root = inner.max_by_key(|root| root.len())?;
            let rest = path[root.len()..].trim_start_matches('/');
            config.root_dirs.iter().find_map(|other| self.path(from, &paths::child(other, rest), false))
        })
    }

    fn bare(&self, from: Importer<'_>, text: &str, hops: usize) -> Found {
        let here = |path: &String| self.path(from, path, false);
        let aliased = self.configs.nearest(from.folder).find_map(|config| {
            let (paths, alias) = config.aliased(text);
            paths.iter().find_map(|path| here(path).or_else(|| self.built(from, path).filter(|_| alias != Alias::Any)))
        });
        if let Some(file) = aliased {
            return Found::File(file);
        }
        if text.starts_with('#') {
            return self.internal(from, text, hops);
        }
        let (name, inner) = package::split(text);
        if text.contains(':') || BUILT_IN.contains(&name) {
            return Found::External(if text.starts_with("node:") { name } else { outside(text, name) }.to_owned());
        }
        let from_base = self.configs.nearest(from.folder).filter_map(|config| config.base_url.as_deref());
        if let Some(file) = from_base.filter_map(|base| paths::join(base, text)).find_map(|path| here(&path)) {
            return Found::File(file);
        }
        if let Some(package) = self.packages.named(name, from.folder) {
            let external = || if has_code_ending(inner) { Found::Missing } else { Found::External(name.to_owned()) };
            return self.in_package(from, package, inner).map_or_else(external, Found::File);
        }
        let found = self.customary(from, text).or_else(|| {
            // Build tools often know only the aliases of an outer configuration.
            let outer = self.configs.upwards(from.folder).skip(1).map(|config| config.aliased(text));
            outer.filter(|(_, alias)| *alias == Alias::Prefix).flat_map(|(paths, _)| paths).find_map(|path| here(&path))
        });
        let outside = if name.is_empty() { text } else { name };
        found.map_or_else(|| Found::External(outside.to_owned()), Found::File)
    }

    /// `#name`, by the `imports` of the package around.
    fn internal(&self, from: Importer<'_>, text: &str, hops: usize) -> Found {
        let Some(package) = self.packages.around(from.folder) else { return Found::Missing };
        let Some((target, star)) = package.imports.get(text) else { return Found::Missing };
        let mut outside = None;
        for path in target.paths(from.require) {
            let path = path.replace('*', star);
            if path.starts_with("./") {
                if let Some(file) = self.target(from, &package.folder, &path) {
                    return Found::File(file);
                }
            } else if hops < MOST_HOPS && !path.starts_with('#') && outside.is_none() {
                outside = Some(self.bare(from, &path, hops + 1));
            }
        }
        outside.unwrap_or(Found::Missing)
    }

    /// A file of a package of the project: by `exports`, then as the path says, then its source.
    fn in_package(&self, from: Importer<'_>, package: &Package, inner: &str) -> Option<FileId> {
        let key = if inner.is_empty() { ".".to_owned() } else { format!("./{inner}") };
        let exported = package.exports.as_ref().and_then(|exports| exports.get(&key));
        let exported = exported.and_then(|(target, star)| self.exported(from, package, target, star));
        if exported.is_some() {
            return exported;
        }
        if inner.is_empty() {
            let name = package.name.as_deref().unwrap_or_default();
            let entry = package.entries(from.require).find_map(|entry| self.target(from, &package.folder, entry));
            return entry.or_else(|| self.files.main(&package.folder, name, from.typed));
        }
        self.target(from, &package.folder, inner)
    }

    fn exported(&self, from: Importer<'_>, package: &Package, target: &Target, star: &str) -> Option<FileId> {
        let paths: Vec<String> = target.paths(from.require).iter().map(|path| path.replace('*', star)).collect();
        let (types, code): (Vec<&String>, Vec<&String>) = paths.iter().partition(|path| is_declaration(path));
        code.into_iter().chain(types).find_map(|path| self.target(from, &package.folder, path))
    }

    /// A path in a package, or the source of the built file that it names.
    fn target(&self, from: Importer<'_>, package: &str, written: &str) -> Option<FileId> {
        let path = paths::join(package, written)?;
        self.path(from, &path, written.ends_with('/'))
            .filter(|&file| !is_declaration(&self.paths[file.0 as usize]))
            .or_else(|| self.files.source(package, written, from.typed))
            .or_else(|| self.path(from, &path, false))
    }

    /// The source of a built file, by its path from the root.
    fn built(&self, from: Importer<'_>, path: &str) -> Option<FileId> {
        let package = self.packages.around(paths::folder(path))?;
        let inner = path.strip_prefix(package.folder.as_str())?.trim_start_matches('/');
        files::is_output(inner).then(|| self.files.source(&package.folder, inner, from.typed)).flatten()
    }

    /// `@/a`, `~/a` and the like, without a configuration that could be read.
    fn customary(&self, from: Importer<'_>, text: &str) -> Option<FileId> {
        let (prefix, folders) = CUSTOMARY.iter().find(|(prefix, _)| text.starts_with(prefix))?;
        let inner = &text[prefix.len()..];
        let package = self.packages.around(from.folder).map_or("", |package| &package.folder);
        [package, ""].iter().find_map(|root| {
            let places = folders.iter().filter_map(|folder| paths::join(&paths::child(root, folder), inner));
            places.into_iter().find_map(|path| self.path(from, &path, false))
        })
    }
}

fn is_declaration(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

/// Whether a path names a script, or nothing by its ending.
fn has_code_ending(path: &str) -> bool {
    let base = paths::base(path);
    files::is_script(path) || !base.contains('.')
}

/// A relative import that leads nowhere; of an asset, it leads to no source.
fn missing(text: &str) -> Found {
    match text.rsplit_once('.') {
        Some((_, ending)) if ASSETS.contains(&ending.to_ascii_lowercase().as_str()) => Found::External(text.to_owned()),
        _ => Found::Missing,
    }
}

/// How users know a text that is no path: an address as a whole, a built-in by its name.
fn outside<'t>(text: &'t str, name: &'t str) -> &'t str {
    if text.contains(':') {
        text
    } else {
        name
    }
}

impl ModuleSystem for EcmaScript {
    fn unit_key(&self, file: FileId) -> String {
        self.paths[file.0 as usize].clone()
    }

    fn find(&self, from: FileId, module: &str) -> Located {
        let from = self.from(from);
        let loaded = module.rsplit('!').next().unwrap_or(module);
        let text = loaded.split('?').next().unwrap_or(loaded).trim();
        let relative = matches!(text.split(['/', '\\']).next(), Some("." | ".."));
        Located::whole(match text {
            "" => Found::Missing,
            _ if text.len() > LONGEST_TEXT => Found::Missing,
            _ if relative => self.relative(from, text),
            _ => self.bare(from, text, 0),
        })
    }
}

#[cfg(test)]
mod tests;

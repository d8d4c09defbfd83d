//! Ruby: constants are global, so all files share one unit; `require` only names files.

use super::{paths, FileId, Found, Located, ModuleSystem, Project};
use rustc_hash::{FxHashMap, FxHashSet};

/// Folders that are on the load path of a gem, its tests and its tools.
const LOAD_FOLDERS: [&str; 4] = ["lib", "test", "spec", "ext"];
/// Libraries that come with the language: a file beside that is called so is not meant by `require`; sorted.
#[rustfmt::skip]
const STANDARD: [&str; 62] = [
    "English", "abbrev", "base64", "benchmark", "bigdecimal", "cgi", "coverage", "csv", "date", "delegate",
    "digest", "drb", "erb", "etc", "expect", "fiddle", "fileutils", "find", "forwardable", "getoptlong",
    "io/console", "ipaddr", "irb", "json", "logger", "matrix", "minitest", "monitor", "net/http", "observer",
    "open-uri", "open3", "openssl", "optparse", "ostruct", "pathname", "pp", "prime", "pstore", "psych", "rbconfig",
    "ripper", "securerandom", "set", "shellwords", "singleton", "socket", "stringio", "strscan", "tempfile",
    "test/unit", "thread", "time", "timeout", "tmpdir", "tsort", "uri", "weakref", "webrick", "win32ole", "yaml",
    "zlib",
];

/// The module system of Ruby.
pub struct Ruby {
    paths: Vec<String>,
    by_path: FxHashMap<String, FileId>,
    /// Names of files, without the extension.
    names: FxHashSet<String>,
    /// Path below a load folder → the files there.
    loadable: FxHashMap<String, Vec<FileId>>,
}

impl Ruby {
    /// Reads the paths once.
    pub fn new(project: &Project) -> Self {
        let mut by_path = FxHashMap::default();
        let mut names = FxHashSet::default();
        let mut loadable: FxHashMap<String, Vec<FileId>> = FxHashMap::default();
        for (index, entry) in project.files.iter().enumerate() {
            let file = FileId(index as u32);
            by_path.insert(entry.path.clone(), file);
            names.insert(paths::stem(&entry.path).to_owned());
            let mut rest = entry.path.as_str();
            while let Some((folder, inner)) = rest.split_once('/') {
                if folder == "lib" {
                    loadable.entry(inner.to_owned()).or_default().push(file);
                }
                rest = inner;
            }
        }
        Self { paths: project.files.iter().map(|file| file.path.clone()).collect(), by_path, names, loadable }
    }

    fn file(&self, folder: &str, text: &str, from: FileId) -> Option<FileId> {
        let path = paths::join(folder, text)?;
        let found = self.by_path.get(&format!("{path}.rb")).or_else(|| self.by_path.get(&path));
        found.copied().filter(|&file| file != from)
    }

    /// On the load path: `lib` and the like of the folders around, then the only `lib` that has such a file.
    fn loaded(&self, from: FileId, folder: &str, text: &str) -> Option<FileId> {
        let near = paths::upwards(folder)
            .find_map(|at| LOAD_FOLDERS.iter().find_map(|name| self.file(&paths::child(at, name), text, from)));
        near.or_else(|| {
            let path = if text.ends_with(".rb") { text.to_owned() } else { format!("{text}.rb") };
            match self.loadable.get(&path).map(Vec::as_slice) {
                Some(&[only]) if only != from => Some(only),
                _ => None,
            }
        })
    }
}

impl ModuleSystem for Ruby {
    fn unit_key(&self, _: FileId) -> String {
        String::new()
    }

    fn find(&self, from: FileId, module: &str) -> Located {
        let folder = paths::folder(&self.paths[from.0 as usize]);
        if module.starts_with('.') {
            return Located::whole(self.file(folder, module, from).map_or(Found::Missing, Found::File));
        }
        let standard = STANDARD.binary_search(&module).is_ok();
        // `require_relative 'a'` and `require 'a'` look alike here: the folder of the file comes after the load path.
        let beside = || self.file(folder, module, from).or_else(|| self.file("", module, from));
        let base = paths::base(module);
        let found = self
            .names
            .contains(base.strip_suffix(".rb").unwrap_or(base))
            .then(|| self.loaded(from, folder, module).or_else(|| (!standard).then(beside).flatten()));
        let found = found.flatten();
        let name = module.split('/').next().unwrap_or(module);
        Located::whole(found.map_or_else(|| Found::External(name.to_owned()), Found::File))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::specimen::{check, words};

    #[test]
    fn required_files() {
        let project = words(
            "lib/shop.rb lib/shop/cart.rb lib/shop/json.rb lib/shop/tax.rb test/cart_test.rb test/test_helper.rb
             gems/tax/lib/tax/rate.rb bin/run.rb config.rb",
            &[],
        );
        let ruby = Ruby::new(&project);
        check(
            &project,
            &ruby,
            "test/cart_test.rb: shop/cart -> lib/shop/cart.rb
             test/cart_test.rb: test_helper -> test/test_helper.rb
             test/cart_test.rb: ../lib/shop -> lib/shop.rb
             lib/shop.rb: shop/cart -> lib/shop/cart.rb
             lib/shop/cart.rb: tax -> lib/shop/tax.rb
             lib/shop/cart.rb: ./tax.rb -> lib/shop/tax.rb
             lib/shop/cart.rb: json -> external json
             lib/shop/cart.rb: ./json -> lib/shop/json.rb
             lib/shop/cart.rb: ./nothing -> missing
             lib/shop/json.rb: net/http -> external net
             bin/run.rb: tax/rate -> gems/tax/lib/tax/rate.rb
             bin/run.rb: config -> config.rb
             bin/run.rb: rails/all -> external rails",
        );
        assert_eq!(ruby.unit_key(FileId(0)), "");
        assert!(STANDARD.is_sorted());
    }
}

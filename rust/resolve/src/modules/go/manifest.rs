//! `go.mod` and `go.work`: one directive a line, or several in a parenthesised block.

use rustc_hash::FxHashMap;

/// `replace old [version] => new [version]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replace {
    /// The only version that is replaced, if one is written.
    pub version: Option<String>,
    /// A directory (it starts with `./` or `../`) or another module's path.
    pub new: String,
}

impl Replace {
    /// Whether the replacement is a directory.
    pub fn is_local(&self) -> bool {
        self.new.starts_with('.')
    }
}

/// What the strategy needs of either file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModFile {
    /// The path that the module's packages are imported under.
    pub module: Option<String>,
    /// Required modules and their versions.
    pub requires: FxHashMap<String, String>,
    /// Replaced modules by their paths.
    pub replaces: FxHashMap<String, Vec<Replace>>,
    /// Directories of the workspace's modules as written (`go.work`).
    pub uses: Vec<String>,
}

impl ModFile {
    /// Reads what it understands and passes over the rest.
    pub fn parse(text: &str) -> Self {
        let mut file = Self::default();
        let mut block: Option<String> = None;
        for line in text.lines() {
            let words = words(line);
            let Some(first) = words.first() else { continue };
            if first == ")" {
                block = None;
            } else if let Some(verb) = &block {
                file.directive(verb, &words);
            } else if words.len() == 2 && words[1] == "(" {
                block = Some(first.clone());
            } else {
                file.directive(first, &words[1..]);
            }
        }
        file
    }

    fn directive(&mut self, verb: &str, words: &[String]) {
        match (verb, words) {
            ("module", [path, ..]) => self.module = Some(path.trim_end_matches('/').to_owned()),
            ("require", [path, version, ..]) => {
                self.requires.insert(path.clone(), version.clone());
            }
            ("use", [directory, ..]) => self.uses.push(directory.clone()),
            ("replace", words) => {
                let Some(arrow) = words.iter().position(|word| word == "=>") else { return };
                if let (Some(old), Some(new)) = (words[..arrow].first(), words.get(arrow + 1)) {
                    let version = words[..arrow].get(1).cloned();
                    let replace = Replace { version, new: new.clone() };
                    self.replaces.entry(old.clone()).or_default().push(replace);
                }
            }
            _ => {}
        }
    }

    /// The replacement of a module, unless it holds for another version than the required one.
    pub fn replacement(&self, path: &str, required: Option<&String>) -> Option<&Replace> {
        let replaces = self.replaces.get(path)?;
        let fits = |replace: &&Replace| match (&replace.version, required) {
            (Some(replaced), Some(required)) => replaced == required,
            _ => true,
        };
        // A replacement of one version takes precedence over that of all versions.
        let fitting = || replaces.iter().filter(fits);
        fitting().find(|replace| replace.version.is_some()).or_else(|| fitting().next())
    }
}

/// The words of a line: comments cut off, quotes removed, parentheses apart.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            break;
        }
        let (word, after) = match first {
            '(' | ')' => rest.split_at(1),
            '"' | '`' => match rest[1..].find(first) {
                Some(end) => (&rest[1..=end], &rest[end + 2..]),
                None => (&rest[1..], ""),
            },
            _ => rest.split_at(rest.find([' ', '\t', '\r', '(', ')', '"']).unwrap_or(rest.len())),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lines_and_blocks() {
        let file = ModFile::parse(
            "// example.org/not\nmodule \"example.org/shop\" // the shop\r\n\ngo 1.21\n\
             require example.org/a v1.0.0 // indirect\nrequire(\n\texample.org/b v2.0.0+incompatible\n)\n\
             replace example.org/a v1.0.0 => ../a\nreplace (\n\texample.org/b => ./b // near\n\t broken\n)\nuse ./x\n",
        );
        assert_eq!(file.module.as_deref(), Some("example.org/shop"));
        assert_eq!(file.requires["example.org/b"], "v2.0.0+incompatible");
        assert_eq!(file.replaces.len(), 2);
        assert_eq!(file.uses, ["./x"]);
        let version = |text: &str| Some(text.to_owned());
        assert!(file.replacement("example.org/a", version("v1.0.0").as_ref()).is_some());
        assert!(file.replacement("example.org/a", version("v1.1.0").as_ref()).is_none());
        assert!(file.replacement("example.org/b", None).is_some_and(Replace::is_local));
    }

    #[test]
    fn survives_what_is_no_module_file() {
        for text in ["", "module", "replace", "replace =>", "replace a =>", "module \"open", "(((", ")", "é => ü `"] {
            ModFile::parse(text);
        }
    }
}

//! Tables of names with at most one `*`, as `paths`, `exports` and `imports` have them.

use rustc_hash::FxHashMap;

/// Names and patterns with their values. An exact name comes first, then the pattern with the longest part before `*`.
pub struct Patterns<T> {
    exact: FxHashMap<String, T>,
    /// Part before `*` → parts after it.
    starred: FxHashMap<String, Vec<(String, T)>>,
}

impl<T> Default for Patterns<T> {
    fn default() -> Self {
        Self { exact: FxHashMap::default(), starred: FxHashMap::default() }
    }
}

impl<T> Patterns<T> {
    /// Adds a name or pattern; one that is there already stays.
    pub fn insert(&mut self, pattern: &str, value: T) {
        match pattern.split_once('*') {
            None => {
                self.exact.entry(pattern.to_owned()).or_insert(value);
            }
            Some((before, after)) => {
                self.starred.entry(before.to_owned()).or_default().push((after.to_owned(), value));
            }
        }
    }

    /// The value for a name, and what the `*` stands for.
    pub fn get<'t>(&self, name: &'t str) -> Option<(&T, &'t str)> {
        self.exact.get(name).map(|value| (value, "")).or_else(|| self.starred(name))
    }

    fn starred<'t>(&self, name: &'t str) -> Option<(&T, &'t str)> {
        if self.starred.is_empty() {
            return None;
        }
        let ends = (0..=name.len()).rev().filter(|&end| name.is_char_boundary(end));
        ends.filter_map(|end| Some((end, self.starred.get(&name[..end])?))).find_map(|(end, list)| {
            let found = list.iter().find(|(after, _)| name[end..].ends_with(after.as_str()))?;
            Some((&found.1, &name[end..name.len() - found.0.len()]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_wins() {
        let mut patterns = Patterns::default();
        for (pattern, value) in [("*", 0), ("@a/*", 1), ("@a/b/*", 2), ("@a/b", 3), ("@a/*.css", 4)] {
            patterns.insert(pattern, value);
        }
        assert_eq!(patterns.get("@a/b"), Some((&3, "")));
        assert_eq!(patterns.get("@a/b/c/d"), Some((&2, "c/d")));
        assert_eq!(patterns.get("@a/x"), Some((&1, "x")));
        assert_eq!(patterns.get("zäh"), Some((&0, "zäh")));
    }
}

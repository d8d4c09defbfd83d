//! Texts whose conditionals cut through what a grammar takes as a whole (C# `#if … => value #else { … } #endif`): read
//! with the first branch of each, without the others and without the directives.

/// The text with spaces for the directives and for all branches but the first that can be meant; `None` if it has no
/// conditional. Every other character keeps its place.
pub fn first_branches(source: &str) -> Option<String> {
    let mut text = String::with_capacity(source.len());
    // For each open conditional: whether a branch of it was taken, and whether the one at hand is.
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut found = false;
    for line in source.split_inclusive('\n') {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let word = directive.map(|rest| rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default());
        let around = |open: &[(bool, bool)]| open.iter().all(|(_, now)| *now);
        let known = match word {
            Some("if") => {
                let taken = !never(directive.unwrap_or_default());
                open.push((taken, taken));
                true
            }
            Some("elif" | "else") => {
                if let Some(last) = open.last_mut() {
                    let taken = !last.0 && !never(directive.unwrap_or_default());
                    *last = (last.0 || taken, taken);
                }
                true
            }
            Some("endif") => {
                open.pop();
                true
            }
            _ => false,
        };
        found |= known;
        if known || !around(&open) {
            text.extend(line.chars().flat_map(blank));
        } else {
            text.push_str(line);
        }
    }
    found.then_some(text)
}

/// Whether a condition never holds, by its look.
fn never(directive: &str) -> bool {
    let mut words = directive.split_whitespace();
    words.next() != Some("else") && matches!(words.next(), Some("false" | "0")) && words.next().is_none()
}

/// As many spaces as a character has bytes; the ends of lines stay.
fn blank(c: char) -> std::iter::RepeatN<char> {
    match c {
        '\n' | '\r' => std::iter::repeat_n(c, 1),
        _ => std::iter::repeat_n(' ', c.len_utf8()),
    }
}

#[cfg(test)]
mod tests {
    use super::first_branches;

    #[test]
    fn the_first_branch_that_can_hold_is_left() {
        let given = "a\n#if X\nb é\n#elif Y\nc\n#else\nd\n#endif\n#if false\ne\n#else\nf\n# endif\ng";
        let left = first_branches(given).expect("it has conditionals");
        assert_eq!(left.len(), given.len());
        assert_eq!(left.split_whitespace().collect::<String>(), "abéfg");
        assert_eq!(left.lines().count(), given.lines().count());
    }

    #[test]
    fn what_is_inside_a_branch_left_out_is_left_out() {
        let left =
            first_branches("#if X\na\n#else\n#if Y\nb\n#endif\nc\n#endif\n#endif\nd").expect("it has conditionals");
        assert_eq!(left.split_whitespace().collect::<String>(), "ad");
        assert_eq!(first_branches("#region a\nb\n#endregion"), None);
    }
}

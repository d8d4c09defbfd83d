//! Branches of conditional compilation.

use super::{Kind, Token};

/// What a directive does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Does {
    /// `#if`, with whether its condition is plainly false or plainly true.
    If(Option<bool>),
    /// `#else`, `#elif`.
    Else,
    /// `#endif`.
    End,
    /// Anything else.
    Other,
}

/// The directives of a text: index of the token and what it does.
pub(crate) fn directives(text: &[u8], tokens: &[Token]) -> Vec<(usize, Does)> {
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Directive {
            continue;
        }
        let line = std::str::from_utf8(&text[token.start as usize + 1..token.end as usize]).unwrap_or("");
        let line = line.trim_start();
        let word_end = line.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(line.len());
        let rest = line[word_end..].trim();
        let does = match &line[..word_end] {
            "if" => Does::If(match rest.split_whitespace().next().unwrap_or("") {
                "0" | "false" if !rest.contains("||") => Some(false),
                "1" | "true" if !rest.contains("&&") => Some(true),
                _ => None,
            }),
            "ifdef" | "ifndef" => Does::If(None),
            "else" | "elif" | "elifdef" | "elifndef" => Does::Else,
            "endif" => Does::End,
            _ => Does::Other,
        };
        found.push((index, does));
    }
    found
}

/// A group of branches that is not closed yet.
struct Group {
    /// Tokens of the directives that begin its branches, with the depths before the first branch.
    begins: Vec<usize>,
    condition: Option<bool>,
    braces: i32,
    parens: i32,
    /// Depth at the end of the first branch.
    first: Option<(i32, i32)>,
    uneven: bool,
}

/// Blanks what is never compiled and what cannot stand beside the first branch. Returns token ranges that are gone.
pub(crate) fn blank(
    text: &[u8],
    tokens: &[Token],
    directives: &[(usize, Does)],
    blanks: &mut Vec<(usize, usize)>,
) -> Vec<(usize, usize)> {
    let mut gone: Vec<(usize, usize)> = Vec::new();
    if directives.is_empty() {
        return gone;
    }
    let mut groups: Vec<Group> = Vec::new();
    let (mut braces, mut parens) = (0_i32, 0_i32);
    let mut next = directives.iter().peekable();
    let mut index = 0;
    while index < tokens.len() {
        match tokens[index].kind {
            Kind::Mark(b'{') => braces += 1,
            Kind::Mark(b'}') => braces -= 1,
            Kind::Mark(b'(') => parens += 1,
            Kind::Mark(b')') => parens -= 1,
            Kind::Directive => {
                let does = next.next_if(|(at, _)| *at == index).map_or(Does::Other, |(_, does)| *does);
                match does {
                    Does::If(condition) => {
                        let uneven = parens > 0;
                        groups.push(Group { begins: vec![index], condition, braces, parens, first: None, uneven });
                    }
                    Does::Else | Does::End => {
                        if let Some(group) = groups.last_mut() {
                            let here = (braces - group.braces, parens - group.parens);
                            if group.condition == Some(false) && group.begins.len() == 1 {
                                // What is never compiled counts for nothing.
                                (braces, parens) = (group.braces, group.parens);
                            } else {
                                group.uneven |= here != (0, 0);
                                let first = *group.first.get_or_insert(here);
                                if does == Does::Else {
                                    (braces, parens) = (group.braces, group.parens);
                                } else {
                                    (braces, parens) = (group.braces + first.0, group.parens + first.1);
                                }
                            }
                            group.begins.push(index);
                        }
                        if does == Does::End {
                            if let Some(group) = groups.pop() {
                                close(text, tokens, &group, &mut gone);
                            }
                        }
                    }
                    Does::Other => {}
                }
            }
            _ => {}
        }
        index += 1;
    }
    gone.sort_unstable();
    for &(from, to) in &gone {
        blanks.push((tokens[from].start as usize, tokens[to - 1].end as usize));
    }
    gone
}

/// Decides which branches of a finished group stay.
fn close(_: &[u8], tokens: &[Token], group: &Group, gone: &mut Vec<(usize, usize)>) {
    let branches: Vec<(usize, usize)> = group.begins.windows(2).map(|w| (w[0], w[1])).collect();
    let mut drop = |from: usize, to: usize| {
        if from < to && to <= tokens.len() {
            gone.push((from, to));
        }
    };
    match (group.condition, group.uneven) {
        (Some(false), uneven) => {
            if let Some(&(begin, end)) = branches.first() {
                drop(begin + 1, end);
            }
            if uneven {
                only_one(&branches, 1, group, &mut drop);
            }
        }
        (Some(true), false) => {
            for &(begin, end) in &branches[1..] {
                drop(begin + 1, end);
            }
        }
        (_, true) => only_one(&branches, 0, group, &mut drop),
        _ => {}
    }
}

/// Of several branches one stays; the directives around it go, too.
fn only_one(branches: &[(usize, usize)], kept: usize, group: &Group, drop: &mut impl FnMut(usize, usize)) {
    for (index, &(begin, end)) in branches.iter().enumerate() {
        match index == kept {
            true => drop(begin, begin + 1),
            false => drop(begin, end),
        }
    }
    if let Some(&last) = group.begins.last() {
        drop(last, last + 1);
    }
}

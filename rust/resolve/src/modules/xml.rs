//! The little of XML that build files need: elements with their path, attributes and text.

use quick_xml::events::{BytesStart, Event};
use quick_xml::Reader;

/// An element without its children.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Element {
    /// Names from the root element to this one, joined by `/`, without namespace prefixes.
    pub path: String,
    /// Attributes, as written.
    pub attributes: Vec<(String, String)>,
    /// Its own text, trimmed.
    pub text: String,
}

impl Element {
    /// An attribute's value.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// Elements deeper than this are passed over: build files are flat, and paths grow with the depth.
const DEEPEST: usize = 32;

/// All elements in document order. Reading stops at the first thing that is no XML; what came before stays.
pub fn elements(text: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(text);
    let mut all: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut passed_over = 0usize;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) if passed_over > 0 || open.len() >= DEEPEST => {
                let _ = start;
                passed_over += 1;
            }
            Ok(Event::Start(start)) => {
                let element = element(&start, &all, &open);
                open.push(all.len());
                all.push(element);
            }
            Ok(Event::Empty(start)) if passed_over == 0 => all.push(element(&start, &all, &open)),
            Ok(Event::End(_)) if passed_over > 0 => passed_over -= 1,
            Ok(Event::End(_)) => {
                open.pop();
            }
            Ok(Event::Text(text)) if passed_over == 0 => {
                if let (Some(&at), Ok(text)) = (open.last(), std::str::from_utf8(&text)) {
                    all[at].text.push_str(text.trim());
                }
            }
            Ok(Event::Eof) | Err(_) => return all,
            Ok(_) => {}
        }
    }
}

fn element(start: &BytesStart<'_>, all: &[Element], open: &[usize]) -> Element {
    let name = String::from_utf8_lossy(start.local_name().as_ref()).into_owned();
    let attributes = start
        .attributes()
        .flatten()
        .map(|attribute| {
            let key = String::from_utf8_lossy(attribute.key.local_name().as_ref()).into_owned();
            (key, String::from_utf8_lossy(&attribute.value).into_owned())
        })
        .collect();
    let path = match open.last() {
        Some(&around) => format!("{}/{name}", all[around].path),
        None => name,
    };
    Element { path, attributes, text: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_elements() {
        let all = elements("<?xml version=\"1.0\"?><!-- x --><p:a xmlns:p='u'><b n='1'/><b>\n two </b></p:a>");
        let seen: Vec<_> = all.iter().map(|e| (e.path.as_str(), e.text.as_str())).collect();
        assert_eq!(seen, [("a", ""), ("a/b", ""), ("a/b", "two")]);
        assert_eq!(all[1].attribute("N"), Some("1"));
    }

    #[test]
    fn survives_what_is_no_xml() {
        assert!(elements("").is_empty());
        assert!(elements("{\"json\": 1}").is_empty());
        assert_eq!(elements("<a><b></a><c>").first().map(|e| e.path.as_str()), Some("a"));
        assert!(elements(&"<a>".repeat(200_000)).len() <= DEEPEST);
        elements("<!DOCTYPE a [<!ENTITY x \"&x;&x;\">]><a>&x;</a>");
        elements("<a b=\"");
    }
}

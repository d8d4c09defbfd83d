//! Which parameters an answer was found from, as far as their arguments are not known yet.

use std::rc::Rc;

/// More parameters than this are remembered as "any".
const MOST: usize = 24;
/// Stands for any parameter.
const ANY: u32 = u32::MAX;

/// A set of numbers of parameters, shared between answers.
#[derive(Clone, Default, Debug)]
pub struct Deps(Option<Rc<[u32]>>);

impl Deps {
    /// One parameter.
    pub fn one(param: u32) -> Self {
        Self(Some(Rc::from([param].as_slice())))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether any of them is in a set, by number.
    pub fn any_of(&self, set: &[bool]) -> bool {
        self.0.iter().flat_map(|all| all.iter()).any(|&param| param == ANY || set.get(param as usize) == Some(&true))
    }

    /// Adds those of another set.
    pub fn join(&mut self, other: &Deps) {
        let Some(others) = &other.0 else { return };
        let Some(own) = &self.0 else {
            self.0 = Some(Rc::clone(others));
            return;
        };
        if Rc::ptr_eq(own, others) || own[0] == ANY || others.iter().all(|param| own.binary_search(param).is_ok()) {
            return;
        }
        let mut all: Vec<u32> = own.iter().chain(others.iter()).copied().collect();
        all.sort_unstable();
        all.dedup();
        if all.len() > MOST || all.last() == Some(&ANY) {
            all = vec![ANY];
        }
        self.0 = Some(all.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_sets_hold_the_numbers_of_both() {
        let mut all = Deps::default();
        for param in [7, 3, 7] {
            all.join(&Deps::one(param));
        }
        assert!(all.any_of(&[false, false, false, true]));
        assert!(!all.any_of(&[true, true, true, false]));
    }

    #[test]
    fn a_large_set_stands_for_any_parameter() {
        let mut all = Deps::default();
        (0..=MOST as u32).for_each(|param| all.join(&Deps::one(param)));
        let mut later = vec![false; 100];
        later[99] = true;
        assert!(all.any_of(&later));
    }
}

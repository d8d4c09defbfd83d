//! Module systems by name.

use super::crates::ModDeclaration;
use super::{FileId, ModuleSystem, Project};
use std::sync::Arc;

/// The module systems that the languages of a run ask for.
#[derive(Default)]
pub(crate) struct Registry {
    wanted: Vec<String>,
}

impl Registry {
    /// The index of a module system, by the name that `LanguageRules::modules` gives.
    pub(crate) fn index(&mut self, name: &str) -> usize {
        match self.wanted.iter().position(|known| known == name) {
            Some(index) => index,
            None => {
                self.wanted.push(name.to_owned());
                self.wanted.len() - 1
            }
        }
    }

    /// Makes them. `namespaces`: every lexical namespace that a file writes.
    /// `declared`: the modules that files declare below them.
    pub(crate) fn build(
        self,
        project: &Arc<Project>,
        namespaces: &[(FileId, String)],
        declared: &[ModDeclaration],
    ) -> Vec<Box<dyn ModuleSystem>> {
        self.wanted.iter().map(|name| make(name, project, namespaces, declared)).collect()
    }
}

fn make(
    name: &str,
    project: &Arc<Project>,
    namespaces: &[(FileId, String)],
    declared: &[ModDeclaration],
) -> Box<dyn ModuleSystem> {
    match name {
        "python" => Box::new(super::python::Python::new(project)),
        "ecmascript" => Box::new(super::ecmascript::EcmaScript::new(project)),
        "go" => Box::new(super::go::GoModules::new(project)),
        "crates" => Box::new(super::crates::Crates::with_declarations(project, declared)),
        "jvm" => Box::new(super::jvm::Jvm::new(project)),
        "dotnet" => Box::new(super::dotnet::Dotnet::new(project, namespaces)),
        "php" => Box::new(super::php::Php::new(project, namespaces)),
        "ruby" => Box::new(super::ruby::Ruby::new(project)),
        "includes" => Box::new(super::includes::Includes::new(project)),
        _ => Box::new(Alone { project: Arc::clone(project) }),
    }
}

/// Every file for itself: languages of which only symbols are known.
struct Alone {
    project: Arc<Project>,
}

impl ModuleSystem for Alone {
    fn unit_key(&self, file: FileId) -> String {
        self.project.entry(file).path.clone()
    }

    fn find(&self, _: FileId, module: &str) -> super::Located {
        super::Located::whole(super::Found::External(module.to_owned()))
    }
}

//! Project files that configure imports. The strategies of the resolver read them; the engine only brings their texts.

use crate::decode::decode_verbatim;
use crate::options::MAX_MANIFEST_BYTES;
use crate::skip::{Reason, Skipped};
use crate::walk::Found;
use mmcg_resolve::modules::Manifest;
use std::path::Path;

/// Names of manifests. A star stands for any run of characters.
const NAMES: &[&str] = &[
    "package.json",
    "pnpm-workspace.yaml",
    "tsconfig*.json",
    "jsconfig*.json",
    "deno.json",
    "go.mod",
    "go.work",
    "Cargo.toml",
    "composer.json",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "pyproject.toml",
    "setup.cfg",
    "*.csproj",
    "*.projitems",
    "*.props",
    "*.targets",
    "compile_commands.json",
];

/// Whether a path is a manifest's.
pub fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    NAMES.iter().any(|pattern| match pattern.split_once('*') {
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
        None => name == *pattern,
    })
}

/// Reads the manifests, in the order in which they are given. Those that cannot be read, or are larger than any that
/// people write, are left out and told: imports are then resolved as if they were not there.
pub fn read(root: &Path, found: &[Found]) -> (Vec<Manifest>, Vec<Skipped>) {
    let (mut manifests, mut skipped) = (Vec::with_capacity(found.len()), Vec::new());
    for file in found {
        let path = file.path.clone();
        if file.size > MAX_MANIFEST_BYTES {
            skipped.push(Skipped { path, reason: Reason::TooLarge });
        } else if let Ok(bytes) = std::fs::read(root.join(&path)) {
            manifests.push(manifest(path, &bytes));
        } else {
            skipped.push(Skipped { path, reason: Reason::Unreadable });
        }
    }
    (manifests, skipped)
}

/// A manifest of these bytes.
pub fn manifest(path: String, bytes: &[u8]) -> Manifest {
    let text = decode_verbatim(bytes).trim_start_matches('\u{feff}').to_owned();
    Manifest { path, text }
}

#[cfg(test)]
mod tests {
    use super::is_manifest;

    #[test]
    fn names_with_and_without_a_star() {
        assert!(is_manifest("a/b/tsconfig.base.json") && is_manifest("tsconfig.json") && is_manifest("App.csproj"));
        assert!(!is_manifest("a/tsconfig.js") && !is_manifest("my-package.json") && !is_manifest("package.json/x"));
    }
}

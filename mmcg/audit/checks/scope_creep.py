"""A file was changed that the spec does not declare.

Found when a changed path fits none of `touches`, `creates`, `deletes`, `docs`, `tests` and the files of exact edits. Of
a renamed file the new path counts. Untracked files count as changes; files that git ignores, and the caches of
interpreters and test runners, do not. Lock files are named as generated.

What to do: take the change back, or declare the file in the spec and approve it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.work import Work
    from mmcg.query.worktree import Change

KIND = Kind("scope_creep", effect="drift")

GENERATED = frozenset(
    {
        "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock",
        "Cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "composer.lock", "Gemfile.lock", "go.sum",
        "go.work.sum", "packages.lock.json", "gradle.lockfile", "mix.lock", "pubspec.lock", "Podfile.lock",
        "Package.resolved", "flake.lock",
    }
)  # fmt: skip
"""Names of files that package managers write."""


def audit(work: Work) -> Iterator[Finding]:
    """The changed files that no one declared."""
    for change in work.changes:
        if change.renamed:
            # A declared path that is renamed goes on under its new name; that name is what was not declared.
            if not work.spec.declares(change.path):
                yield _finding(change, f"was renamed from `{change.before}`")
        elif not work.spec.declares(change.path):
            yield _finding(change, _what(change))


def _what(change: Change) -> str:
    if change.before is None:
        return "was added"
    if change.after is None:
        return "was deleted"
    return "has another mode" if change.mode_only else "was changed"


def _finding(change: Change, what: str) -> Finding:
    name = change.path.rpartition("/")[2]
    generated = f"a generated lock file, `{change.path}`," if name in GENERATED else f"`{change.path}`"
    message = f"{generated[0].upper()}{generated[1:]} {what}, which the spec does not declare."
    return KIND.in_audit(
        message,
        about=change.paths(),
        file=change.path,
        expected="only declared files are changed",
        found=what,
        hint=f"Take the change of `{change.path}` back, or declare the file in the spec and approve it again.",
    )

r"""Patterns of paths and packages, as rules name them.

A pattern is a path, a folder (all below it is meant) or a glob as in specs. One without `/` may also be a package or
module: parted by dots, `::` or `\`, it means what it begins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mmcg.audit.files import clean, fits, is_glob

_PARTS = re.compile(r"::|[./\\]")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern of a rule."""

    text: str
    """As written."""
    line: int = field(default=1, compare=False)

    @property
    def path(self) -> str:
        """The pattern as one of paths."""
        return clean(self.text)

    @property
    def _package(self) -> str:
        """The pattern as one of packages, with `/` between their names; empty for one that can only be a path."""
        parts = _PARTS.split(self.text)
        return "/".join(parts) if "/" not in self.text and all(parts) else ""

    def fits_path(self, path: str) -> bool:
        """Whether a path is meant: itself, below a folder, or in a package of several names."""
        if _below(self.path, path):
            return True
        package = self._package
        return "/" in package and (fits(f"**/{package}/**", path) or fits(f"**/{package}.*", path))

    def fits_name(self, name: str) -> bool:
        """Whether a module or package is meant, by its name as an import has it."""
        if not name or name.startswith("."):
            return False
        return _below("/".join(_PARTS.split(self.text)), "/".join(_PARTS.split(name)))


def _below(pattern: str, path: str) -> bool:
    if fits(pattern, path):
        return True
    return fits(f"{pattern}/**", path) if is_glob(pattern) else path.startswith(f"{pattern}/")


@dataclass(frozen=True, slots=True)
class Scope:
    """The paths that a rule is about; all, if it names none."""

    paths: tuple[Pattern, ...] = ()
    exceptions: tuple[Pattern, ...] = ()

    def covers(self, path: str) -> bool:
        """Whether the rule is about a path."""
        if any(each.fits_path(path) for each in self.exceptions):
            return False
        return not self.paths or any(each.fits_path(path) for each in self.paths)

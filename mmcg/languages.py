"""Further languages: their grammars are in an optional package, which is loaded only for folders that need it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType

EXTRA = "mastermind-code-graph[languages]"
"""What to install for them."""

_PACKAGE = "tree-sitter-language-pack"
_MODULE = "tree_sitter_language_pack"


def pack_version() -> str | None:
    """The version of the package with the grammars, if it is installed."""
    found = find_spec(_MODULE)
    if found is None:
        return None
    # Installers put the version into the name of a folder beside the package.
    named = list(Path(found.origin).parents[1].glob(f"{_MODULE}-*.dist-info")) if found.origin else []
    if len(named) == 1:
        return named[0].name.removeprefix(f"{_MODULE}-").removesuffix(".dist-info")
    # Imported only now: it costs a tenth of a short command.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(_PACKAGE)
    except PackageNotFoundError:
        return None


def attach_needed(core: ModuleType, files: Callable[[], list[tuple[str, int, int]]]) -> list[str]:
    """Hand the core the grammars that files need, the path first of each; notices about those that cannot be had."""
    waiting = [language for language in core.languages() if not language["available"]]
    if not waiting or pack_version() is None:
        return []
    paths = [path for path, _, _ in files()]
    needed = [language for language in waiting if any(_claims(language, path) for path in paths)]
    return [notice for language in needed for notice in _attach(core, language["name"])]


def missing_notices(core: ModuleType, missing: Mapping[str, int]) -> list[str]:
    """What to say about files whose grammars are not installed."""
    if not missing or pack_version() is not None:
        return []
    known = {language["name"]: language for language in core.languages()}
    suffixes = sorted(f".{suffix}" for name in missing for suffix in known[name]["extensions"])
    count = sum(missing.values())
    files = "1 file is" if count == 1 else f"{count} files are"
    return [f"{files} left out ({', '.join(suffixes)}): install `{EXTRA}` to index such files."]


def _claims(language: Mapping[str, Any], path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    if name in language["file_names"]:
        return True
    return _ends_in(name.lower(), language["extensions"])


def _ends_in(name: str, suffixes: Iterable[str]) -> bool:
    return any(name.endswith(f".{suffix}") and len(name) > len(suffix) + 1 for suffix in suffixes)


def _attach(core: ModuleType, name: str) -> list[str]:
    try:
        core.attach(name, import_module(_MODULE).get_binding(name))
    except (ImportError, LookupError, OSError, core.CoreError) as error:
        return [f"The grammar of `{name}` could not be loaded: {error}"]
    return []

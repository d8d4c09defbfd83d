"""One module for each kind of finding; its docstring is what `mastermind explain` prints.

A new kind is a new module here: nothing else lists them.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


def names() -> list[str]:
    """Every kind of finding, in order of the alphabet."""
    return sorted(each.name for each in pkgutil.iter_modules(__path__) if not each.name.startswith("_"))


def module(name: str) -> ModuleType:
    """The module of one kind."""
    return importlib.import_module(f"{__name__}.{name}")


def having(function: str) -> list[ModuleType]:
    """The modules that have a function of this name, such as `verify` or `audit`."""
    return [each for each in map(module, names()) if hasattr(each, function)]

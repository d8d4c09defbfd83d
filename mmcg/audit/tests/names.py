"""Which test a name means: an address, a bare name, or what a runner prints.

`tests/test_a.py::TestA::test_b[1]`, `TestX/sub_name`, `Suite.Name`, `a group a test`, `module::tests::name`,
`test_b (tests.test_a.TestA)`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmcg.audit.evidence import Evidence, Unit

_SEPARATORS = re.compile(r"(?<!\s)\s*+(?:::|->|[.#/\\>\u203a])\s*+")
_CASE = re.compile(r"(\[[^\[\]]*\]|\([^()]*\)|/\d+|::case_\d+\w*){1,20}+$")
_UNITTEST = re.compile(r"^(\w+) \(([\w.]+)\)$")
_HOLE = re.compile(r"%[sdifjopcx#%]|\$\{[^}]*\}|\$[A-Za-z_][\w.]*|#\{[^}]*\}")
_JOINTS = (" ", " > ", " \u203a ", ".", "::", "/", " / ", "#", "->", ": ")


def named(found: Evidence, name: str) -> list[Unit]:
    """The tests of a file that a name means: one, all of one name, or all of a group."""
    for spelling in _spellings(found.path, name):
        # An address says all that is around a test.
        exact = [each for each in found.tests if "::" in name and "::".join(each.path) == spelling]
        if exact:
            return exact
        for fits in (_whole, _printed, _qualified):
            units = [each for each in found.units if each.kind != "group" and fits(each, spelling)]
            if units:
                # A function of that name is meant only where no test has it.
                return [each for each in units if each.test] or units
        grouped = _grouped(found, spelling)
        if grouped:
            return grouped
    return _written(found, name)


def _spellings(path: str, name: str) -> list[str]:
    plain = name.strip().strip("`")
    found = [plain]
    file, separator, _ = plain.replace("\\", "/").partition("::")
    if separator and ("/" in file or "." in file) and (path == file or path.endswith("/" + file)):
        found.append(plain[len(file) + 2 :])
    unittest = _UNITTEST.match(plain)
    if unittest:
        method, place = unittest.groups()
        found.append(place if place.endswith("." + method) else f"{place}.{method}")
    for each in list(found):
        cut = _CASE.sub("", each)
        if cut and cut != each:
            found.append(cut)
    return list(dict.fromkeys(each for each in found if each))


def _whole(unit: Unit, name: str) -> bool:
    """Its own name, or the names around it and its own, joined as runners join them."""
    if unit.name == name:
        return True
    tails = [unit.path[at:] for at in range(len(unit.path))]
    return any(joint.join(tail) == name for tail in tails for joint in _JOINTS)


def _printed(unit: Unit, name: str) -> bool:
    """As a runner prints it: blanks as underscores, and values in place of holes."""
    tails = [unit.path[at:] for at in range(len(unit.path))]
    flat = name.replace(" ", "_")
    if any(joint.join(tail).replace(" ", "_") == flat for tail in tails for joint in ("/", ".", " ")):
        return True
    return any(
        _HOLE.search(text) is not None and _template(text).fullmatch(name) is not None
        for tail in tails
        for text in (" ".join(tail), " > ".join(tail))
    )


@lru_cache(maxsize=4096)
def _template(text: str) -> re.Pattern[str]:
    parts = _HOLE.split(text)
    # A name that is nothing but a hole would be every name.
    return re.compile(".+".join(map(re.escape, parts)) if any(part.strip() for part in parts) else r"(?!)")


def _qualified(unit: Unit, name: str) -> bool:
    """With more of what is around it than the file says, such as modules and packages, or with less."""
    if unit.kind in ("call", "block"):
        return False
    parts = tuple(part for part in _SEPARATORS.split(name) if part)
    own = unit.path
    least = min(len(parts), len(own))
    return least > 1 and parts[-least:] == own[-least:] if len(parts) > 1 else parts == own[-1:]


def _grouped(found: Evidence, name: str) -> list[Unit]:
    """The tests of a group, class or suite."""
    parts = tuple(part for part in _SEPARATORS.split(name) if part)

    def holds(unit: Unit) -> bool:
        around = unit.path[:-1]
        tails = [around[at:end] for end in range(1, len(around) + 1) for at in range(end)]
        return any(tail == parts or any(joint.join(tail) == name for joint in _JOINTS) for tail in tails)

    return [each for each in found.tests if holds(each)]


def _written(found: Evidence, name: str) -> list[Unit]:
    """The test that makes others from names it holds: those of a table."""
    head, separator, rest = name.rpartition("::")[2].partition("/")
    if not separator or not rest:
        return []
    spelt = {f"{quote}{text}{quote}" for quote in "\"'`" for text in (rest, rest.replace("_", " "))}
    return [each for each in found.tests if each.path[-1] == head and any(text in each.text for text in spelt)]

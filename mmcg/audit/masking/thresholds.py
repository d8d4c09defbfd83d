"""Limits that a declared check reads, and that a change makes easier to keep."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mmcg import indexing
from mmcg.audit import evidence
from mmcg.audit.masking.allowed import allows
from mmcg.audit.masking.declared import reading
from mmcg.audit.masking.hidden import Masked
from mmcg.audit.masking.texts import LARGEST, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.work import Work

_LEAST = re.compile(
    r"\bmin(?:imum)?\b|fail.?under|\bunder\b|floor|cover|branches|functions|statements|required?|at.?least|score|"
    r"precision|places|digits|expect(?:ed)?\b|grade|level"
)
"""Words in the names of limits below which a value must not fall: lower is looser."""

_MOST = re.compile(
    r"\bmax(?:imum)?\b|limit|ceiling|budget|toleran|\btol\b|epsilon|\beps\b|time.?out|delta|allow|warnings?|errors?|"
    r"complexity|length|size|bytes|lines|retries|retry|threshold|depth|count|number|skip|\bmost\b|upper|\blong|deadline"
)
"""Words in the names of limits that a value must not exceed: higher is looser."""

_FLAG = re.compile(r"(?<![\w-])(--?[A-Za-z][\w.-]*)[= ]+(\d+(?:\.\d+)?)(?![\w.])")
_COMPARED = re.compile(r"(<=?|>=?)\s*$")

Numbers = dict[tuple[str, ...], list[tuple[float, int]]]
"""Values with their lines, by name."""


def raised(work: Work) -> Iterator[Masked]:
    """The limits that are easier to keep than before."""
    for change in work.changes:
        if not change.after or not change.before:
            continue
        command = reading(work, change.after)
        if not command:
            continue
        old = _numbers(work, change.before, now=False)
        new = _numbers(work, change.after, now=True)
        for name, values in new.items():
            before = old.get(name, [])
            if len(before) != len(values):
                continue
            for (then, _), (now, line) in zip(before, values, strict=True):
                if then != now:
                    yield from _judged(work, change.after, name, then, now, line, command)
        for name, values in old.items():
            # A limit that is not there any more is kept by everything.
            if name not in new and _direction(name) and not _renamed(old, new):
                yield _masked(change.after, name, values[0][0], None, 1, command, doubtful=True)


def _renamed(old: Numbers, new: Numbers) -> bool:
    return bool(set(new) - set(old))


def _numbers(work: Work, path: str, *, now: bool) -> Numbers:
    data = work.graphs.text_now(path) if now else work.graphs.text_then(path)
    if len(data) > LARGEST:
        return {}
    found: Numbers = {}
    seen = evidence.now(work, path) if now else evidence.then(work, path)
    if seen.known:
        for each in seen.numbers:
            value = _value(each.value)
            if value is not None:
                found.setdefault((each.symbol, each.name), []).append((value, each.at.line))
        return found
    text = indexing.decoded(data)
    lines = text.splitlines()
    for keys, value in settings(path, text):
        number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
        if isinstance(value, str):
            number = _value(value)
            for flag, given in _FLAG.findall(value):
                found.setdefault((*keys, flag), []).append((float(given), _line(lines, flag)))
        if number is not None and keys:
            found.setdefault(keys, []).append((number, _line(lines, keys[-1])))
    if not found:
        for number_, line in enumerate(lines, 1):
            for flag, given in _FLAG.findall(line):
                found.setdefault((flag,), []).append((float(given), number_))
            for name, given in re.findall(
                r"^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*[:=]+\s*[\"']?(\d+(?:\.\d+)?)\b", line
            ):
                found.setdefault((name,), []).append((float(given), number_))
    return found


def _value(text: str) -> float | None:
    try:
        return float(text.replace("_", "").rstrip("%"))
    except ValueError:
        return None


def _line(lines: list[str], text: str) -> int:
    return next((number for number, line in enumerate(lines, 1) if text in line), 1)


def _direction(name: tuple[str, ...]) -> int:
    """1 where higher is looser, -1 where lower is, 0 where that cannot be told."""
    own = _spoken(name[-1:])
    compared = _COMPARED.search(name[-1])
    if compared:
        # What is compared with a limit is wrong on the other side of it.
        return 1 if compared[1].startswith(">") else -1
    for words in (own, _spoken(name)):
        if _LEAST.search(words):
            return -1
        if _MOST.search(words):
            # Coverage is counted in lines and functions, too.
            return -1 if "cover" in _spoken(name) else 1
    return 0


def _spoken(name: tuple[str, ...]) -> str:
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", " ".join(name))
    return re.sub(r"[_\W]+", " ", text).lower()


def _judged(
    work: Work, file: str, name: tuple[str, ...], then: float, now: float, line: int, command: str
) -> Iterator[Masked]:
    direction = _direction(name)
    if direction and (now > then) != (direction > 0):
        return
    shown = f"{now:g}"
    if allows(work, file, f"{name[-1]}: {shown}", f"{name[-1]}={shown}"):
        return
    yield _masked(file, name, then, now, line, command, doubtful=not direction)


def _masked(
    file: str, name: tuple[str, ...], then: float, now: float | None, line: int, command: str, *, doubtful: bool
) -> Masked:
    shown = ".".join(part for part in name if part).rstrip(" =:<>")
    became = f"from {then:g} to {now:g}" if now is not None else f"from {then:g} to nothing"
    what = "changed" if doubtful else "loosened"
    return Masked(
        file,
        line,
        f"`{shown}`, which the command `{command}` reads, was {what} {became} ({file}:{line}).",
        (file, shown),
        hides=f"the command `{command}`",
        doubtful=doubtful,
        expected=f"{then:g}",
        found="none" if now is None else f"{now:g}",
        hint="Leave the limit as it was, or plan its change in the spec.",
    )

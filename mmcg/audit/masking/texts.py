"""What lets a script or a CI file pass whatever its commands say: `|| true`, `continue-on-error`, and kin."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mmcg import indexing
from mmcg.audit import evidence
from mmcg.audit.masking.allowed import allows
from mmcg.audit.masking.declared import reading
from mmcg.audit.masking.hidden import Masked, short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.work import Work

LARGEST = 1_000_000
"""Bytes; larger files are no scripts or settings."""

MOST = 50_000
"""Values of one file that are looked at: aliases of YAML can make many of few."""

_SHELL_NAME = re.compile(
    r"(?:^|/)(?:Makefile|makefile|GNUmakefile|Dockerfile[^/]*|Jenkinsfile|[jJ]ustfile|Procfile)$"
    r"|\.(?:sh|bash|zsh|ksh|mk|bats|ps1|cmd|bat)$"
)
_SHEBANG = re.compile(rb"#!.*\b(?:ba|z|da|k)?sh\b")
_STRUCTURED = re.compile(
    r"\.(?:json|jsonc|json5|toml|ya?ml|ini|cfg)$|(?:^|/)\.(?:coveragerc|flake8|pylintrc|eslintrc|mocharc|nycrc|babelrc)$"
)

MASKS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "|| true",
        re.compile(r"\|\|\s*(?:/bin/)?(?:true|:)(?![\w-])|\|\|\s*(?:exit|return)\s+0\b|\|\|\s*(?:echo|printf)\b"),
    ),
    ("; true", re.compile(r";\s*+(?:true|:|exit\s++0)\s*+[)\"']?+\s*+$")),
    ("set +e", re.compile(r"^\s*set\s+\+(?:e\b|o\s+errexit)|\$ErrorActionPreference\s*=\s*['\"]?SilentlyContinue")),
    (
        "a flag that lets a tool pass",
        re.compile(
            r"(?<![\w-])(?:--exit-zero|--pass-?[wW]ith-?[nN]o-?[tT]ests|--no-verify|--allow-no-tests|--soft-fail"
            r"|--exit-code[ =]0|-DskipTests(?:=true)?|-Dmaven\.test\.skip(?:=true)?"
            r"|-Dmaven\.test\.failure\.ignore(?:=true)?|--no-fail|--ignore-failures?|--suppress-no-test-exit-code|--allow-failure|-x\s+test(?![\w-]))"
        ),
    ),
    (
        "tests left out",
        re.compile(r"(?<![\w-])(?:--deselect|--ignore(?:-glob)?|--testPathIgnorePatterns|--skip)(?:[= ]\S+)"),
    ),
)
"""What makes a command pass, with what it is called."""

_HARMLESS = re.compile(
    r"^\W*(?:-\s+)?(?:run:\s*)?(?:sudo\s+)?(?:cat|echo|printf|rm|rmdir|mkdir|kill|pkill|killall|cp|mv|ls|ln|sleep|touch"
    r"|chmod|unset|tail|head|tee|docker|podman|umount|popd|pushd|wait|trap|brew|apt-get|apk"
    r"|git\s+(?:fetch|stash|tag|remote|config|branch))\b"
)
"""Commands that prepare, tidy up or show something: whether they fail says nothing."""

_RECIPE = re.compile(r"^\t@?-(?!-)")
_ERREXIT = re.compile(r"^\s*set\s+-\w*e|^\s*set\s+-o\s+errexit|^#!.*\s-\w*e")
_FAILS = re.compile(r"(?<![\w-])(?:exit|return)\s+[1-9]\d*\b|^\s*false\s*$|;\s*false\b")
_COMMENT = re.compile(r"(^|\s)#.*$")

_SWITCHES = frozenset(
    {"continue-on-error", "allow_failure", "allow-failure", "continueonerror", "ignore_errors", "ignore-errors",
     "passwithnotests", "soft_fail", "ignore_failures"}
)  # fmt: skip
"""Keys of settings that, being true, let things pass."""


@dataclass(frozen=True, slots=True)
class _Seen:
    what: str
    text: str
    line: int


def added(work: Work) -> Iterator[Masked]:
    """What is new in scripts and settings and makes them pass."""
    for change in work.changes:
        if not change.after:
            continue
        after = work.graphs.text_now(change.after)
        before = work.graphs.text_then(change.before) if change.before else b""
        if not after or max(len(after), len(before)) > LARGEST:
            continue
        seen = _find(change.after, after)
        if seen is None:
            continue
        old = Counter((each.what, each.text) for each in (_find(change.after, before) or []))
        kinds = Counter(each.what for each in (_find(change.after, before) or []))
        new = []
        for each in seen:
            if old[(each.what, each.text)] > 0:
                old[(each.what, each.text)] -= 1
                kinds[each.what] -= 1
            else:
                new.append(each)
        command = reading(work, change.after)
        for each in new:
            # The same on a line that was edited is nothing new.
            if kinds[each.what] > 0:
                kinds[each.what] -= 1
            elif not allows(work, change.after, each.text, each.what):
                yield _masked(change.after, each, command)
        if command:
            yield from _fewer_failures(change.after, before, after, command)


_LEFT_OUT = re.compile(r"ignore|exclude|disable|skip|omit|suppress|allow|except", re.IGNORECASE)
"""Words in the keys of lists of what a check leaves out."""


def left_out(work: Work) -> Iterator[Masked]:
    """What is new in the lists of what a declared check leaves out. It may be meant."""
    for change in work.changes:
        if not change.after or not change.before or not _STRUCTURED.search(change.after):
            continue
        command = reading(work, change.after)
        after, before = work.graphs.text_now(change.after), work.graphs.text_then(change.before)
        if not command or max(len(after), len(before)) > LARGEST:
            continue
        text = indexing.decoded(after)
        old = {(keys[:-1], value) for keys, value in settings(change.before, indexing.decoded(before))}
        for keys, value in settings(change.after, text):
            listed = keys and keys[-1].isdigit() and any(_LEFT_OUT.search(key) for key in keys[:-1])
            if listed and isinstance(value, str) and (keys[:-1], value) not in old:
                name = ".".join(key for key in keys[:-1] if not key.isdigit())
                yield Masked(
                    change.after,
                    _line(text.splitlines(), value),
                    f"`{value}` was added to `{name}`, which the command `{command}` reads ({change.after}).",
                    (change.after, name),
                    hides=f"the command `{command}`",
                    doubtful=True,
                    expected="nothing left out that was checked before",
                    found=value,
                    hint="Mend what the check finds, or plan the exception in the spec.",
                )


def _masked(file: str, each: _Seen, command: str) -> Masked:
    return Masked(
        file,
        each.line,
        f"`{file}` has {_article(each.what)} now ({file}:{each.line}): `{short(each.text)}`.",
        (file,),
        hides=f"the command `{command}`" if command else "",
        expected="a check that fails where it finds something",
        found=short(each.text),
        hint="Take it out, and mend what the check finds.",
    )


def _find(path: str, data: bytes) -> list[_Seen] | None:
    """What a script or a file of settings has; None for other files."""
    if _is_shell(path, data):
        return _in_shell(indexing.decoded(data), path)
    if _STRUCTURED.search(path):
        return _in_settings(path, indexing.decoded(data))
    return None


def _is_shell(path: str, data: bytes) -> bool:
    if _SHELL_NAME.search(path):
        return True
    return bool(_SHEBANG.match(data[:200])) and not evidence.read(data, path).known


def _in_shell(text: str, path: str = "") -> list[_Seen]:
    found = []
    recipe = re.search(r"(?:akefile|\.mk)$", path) is not None
    errexit = 0
    for number, line in enumerate(text.splitlines(), 1):
        code = _COMMENT.sub("", line) if not line.startswith("#!") else line
        errexit += bool(_ERREXIT.search(line if line.startswith("#!") else code))
        for what, pattern in MASKS:
            if pattern.search(code) and not (what == "|| true" and _HARMLESS.match(code)):
                found.append(_Seen(what, code.strip(), number))
                break
        if recipe and _RECIPE.match(line):
            found.append(_Seen("a recipe whose failure is ignored", line.strip(), number))
    off = any(each.what == "set +e" for each in found)
    if not errexit and not off and re.search(r"\.(?:sh|bash)$", path):
        found.append(_Seen("no `set -e`", "set -e", 1))
    return found


def _in_settings(path: str, text: str) -> list[_Seen]:
    found = []
    lines = text.splitlines()
    for keys, value in settings(path, text):
        last = keys[-1].lower() if keys else ""
        if last in _SWITCHES and value is True:
            found.append(_Seen(keys[-1], f"{keys[-1]}: true", _line(lines, keys[-1])))
        elif last == "if" and value is False:
            found.append(_Seen("a step that never runs", "if: false", _line(lines, "false")))
        elif isinstance(value, str):
            found += [
                _Seen(each.what, each.text, _line(lines, each.text))
                for each in _in_shell(value)
                if each.what != "no `set -e`"
            ]
    return found


def settings(path: str, text: str) -> list[tuple[tuple[str, ...], Any]]:
    """Every value in a file of settings with the keys that lead to it; nothing where it cannot be read."""
    try:
        if re.search(r"\.ya?ml$", path):
            import yaml

            documents: Any = list(yaml.safe_load_all(text))
        elif path.endswith(".toml"):
            documents = tomllib.loads(text)
        elif re.search(r"\.json[c5]?$|rc$", path) and text.lstrip()[:1] in ("{", "["):
            documents = json.loads(_without_comments(text))
        else:
            parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
            parser.read_string(text)
            documents = {name: dict(parser[name]) for name in parser.sections()}
    except Exception:  # Whatever a parser says about a broken file: there is nothing to compare.
        return []
    found: list[tuple[tuple[str, ...], Any]] = []
    todo: list[tuple[tuple[str, ...], Any]] = [((), documents)]
    while todo and len(found) < MOST:
        keys, value = todo.pop()
        if isinstance(value, dict):
            # YAML's `on:` is true to it.
            todo += [((*keys, str(key)), each) for key, each in reversed(value.items())]
        elif isinstance(value, list):
            todo += [((*keys, str(at)), each) for at, each in reversed(list(enumerate(value)))]
        else:
            found.append((keys, value))
    return found


def _without_comments(text: str) -> str:
    kept = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda fit: fit[1] or "", text, flags=re.DOTALL)
    return re.sub(r",(\s*[}\]])", r"\1", kept)


def _line(lines: list[str], text: str) -> int:
    return next((number for number, line in enumerate(lines, 1) if text in line), 1)


def _fewer_failures(path: str, before: bytes, after: bytes, command: str) -> Iterator[Masked]:
    """A script of a declared check that ends with a failure in fewer places than before."""
    if not before or not _is_shell(path, before):
        return
    old, new = (
        sum(len(_FAILS.findall(_COMMENT.sub("", line))) for line in indexing.decoded(text).splitlines())
        for text in (before, after)
    )
    masks = _find(path, after) or []
    if new < old and not any(each.what != "no `set -e`" for each in masks):
        yield Masked(
            path,
            1,
            f"`{path}`, which the command `{command}` runs, ends with a failure in {new} places now; there were {old}.",
            (path,),
            hides=f"the command `{command}`",
            expected=f"{old} places that fail",
            found=str(new),
            hint="Let the check fail where it did.",
        )


def _article(what: str) -> str:
    return what if what.startswith(("a ", "no ", "tests ")) else f"`{what}`"

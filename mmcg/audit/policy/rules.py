"""Reading a policy: values and findings, never an exception for what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

from mmcg.audit import checks, files
from mmcg.audit.checks import policy_invalid
from mmcg.audit.documents.fields import Entries, Fields, shown
from mmcg.audit.documents.nodes import Mapping, Node, Scalar, YamlError, load
from mmcg.audit.policy.patterns import Pattern, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from types import ModuleType

    from mmcg.audit.findings import Effect, Finding, Kind, Rest

NAME = "mastermind-policy.yml"
"""The file in the repository's root."""

KEYS = ("schema_version", "rules")
RULE_KEYS = ("id", "paths", "except", "effect", "message")
"""What a rule may say besides its action."""

EFFECTS = ("broken", "drift", "warning")

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule."""

    id: str
    action: str
    """The key that says what it asks for."""
    value: Any
    """What that key says, as its check read it."""
    scope: Scope = field(default_factory=Scope)
    effect: Effect = "broken"
    message: str = ""
    line: int = 1

    def finding(
        self, kind: Kind, message: str, *, about: Iterable[str] = (), effect: Effect | None = None, **rest: Unpack[Rest]
    ) -> Finding:
        """A finding of this rule."""
        said = f"{message} {self.message}" if self.message else message
        made = kind.in_audit(said, about=about, effect=effect or self.effect, **rest)
        return replace(made, origin=self.id)


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy as far as it could be read."""

    path: str
    """From the root."""
    rules: tuple[Rule, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What is wrong with it."""


def actions() -> dict[str, ModuleType]:
    """The modules of the checks that hold rules, by the key of their action."""
    return {each.ACTION: each for each in checks.having("hold")}


def read_policy(root: Path, path: Path) -> Policy:
    """Read a policy.

    Raises `InputError` when the file cannot be read at all: missing, outside the root, a link, a pipe, too large, or
    not UTF-8.
    """
    text, _ = files.read_document(root, path)
    return parse_policy(text, path.absolute().relative_to(root).as_posix())


def parse_policy(text: str, path: str = NAME) -> Policy:
    """A policy's text, read."""
    reader = Fields(policy_invalid.KIND, path)
    try:
        node = load(text)
    except YamlError as error:
        reader.wrong(f"The policy is no YAML that can be read: {error.message}.", error.line)
        return Policy(path, (), tuple(reader.findings))
    entries = reader.entries(Mapping(1) if node is None else node, "the policy", KEYS)
    if reader.text(entries, "schema_version", "1") != "1":
        line = entries["schema_version"][0]
        reader.wrong("`schema_version` is none that is known.", line, hint="Write `schema_version: 1`.")
    rules: list[Rule] = []
    for item in reader.items(entries, "rules", of="rules"):
        rule = _rule(reader, item)
        if rule is None:
            continue
        first = next((each for each in rules if each.id == rule.id), None)
        if first is not None:
            where = f"in line {first.line} and here"
            reader.wrong(f"Two rules have the id `{rule.id}`: {where}.", rule.line, [rule.id], "Give each its own.")
        rules.append(rule)
    if not rules and not reader.findings:
        reader.wrong("The policy has no rules.", 1, ["rules"], "Write a list under `rules:`, or remove the file.")
    return Policy(path, tuple(rules), tuple(reader.findings))


def _rule(reader: Fields, item: Node) -> Rule | None:
    known = actions()
    keys = reader.entries(item, "a rule", (*RULE_KEYS, *known))
    if not isinstance(item, Mapping):
        return None
    name = reader.text(keys, "id", required=True, line=item.line)
    if name and not _ID.fullmatch(name):
        hint = "Use letters, digits, `-`, `_` and `.`, at most 80 of them."
        reader.wrong(f"`{shown(name)}` is no id of a rule.", keys["id"][0], [shown(name)], hint)
    given = sorted((key for key in known if key in keys), key=lambda key: keys[key][0])
    listed = ", ".join(f"`{each}`" for each in known)
    if not given:
        reader.wrong(f"The rule `{shown(name)}` has no action.", item.line, [shown(name)], f"Add one of {listed}.")
        return None
    if len(given) > 1:
        line = keys[given[1]][0]
        several = " and ".join(f"`{each}`" for each in given)
        reader.wrong(f"The rule `{shown(name)}` has several actions: {several}.", line, given, "Make a rule of each.")
        return None
    value = known[given[0]].read(reader, keys)
    effect: Any = reader.choice(keys, "effect", EFFECTS, "broken")
    scope = Scope(paths(reader, keys, "paths"), paths(reader, keys, "except"))
    message = " ".join(reader.text(keys, "message").split())
    return None if value is None else Rule(name, given[0], value, scope, effect, message, item.line)


def patterns(reader: Fields, entries: Entries, key: str) -> tuple[Pattern, ...]:
    """The patterns under a key: one text, or a list of them."""
    if key not in entries:
        return ()
    line, node = entries[key]
    if isinstance(node, Scalar):
        text = reader.text(entries, key, required=True)
        return (Pattern(text.strip(), line),) if text.strip() else ()
    found = [Pattern(text.strip(), place) for text, place in reader.texts(entries, key, of="patterns")]
    if not found:
        reader.wrong(f"`{key}` names nothing.", line, [key], "List a path, or remove the key.")
    return tuple(each for each in found if each.text)


def paths(reader: Fields, entries: Entries, key: str) -> tuple[Pattern, ...]:
    """The same, where each may be a path: those that can be none are findings."""
    found = patterns(reader, entries, key)
    for each in found:
        wrong = files.fault(each.path)
        if wrong:
            hint = "Give a path or a glob from the root of the repository."
            reader.wrong(f"The path `{shown(each.text)}` under `{key}` {wrong}.", each.line, [shown(each.text)], hint)
    return found


def whole(reader: Fields, keys: Entries, key: str) -> bool | None:
    """The value of an action that has nothing to say but that it is wanted: `true`."""
    line = keys[key][0]
    if reader.boolean(keys, key, default=True):
        return True
    reader.wrong(f"`{key}` is `false`.", line, [key], "Write `true`, or remove the rule.")
    return None


def with_origin(found: Iterable[Finding], origin: str) -> tuple[Finding, ...]:
    """The same findings, as those of a task or rule."""
    return tuple(replace(each, origin=origin) for each in found)

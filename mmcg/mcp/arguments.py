"""Whether what a client gave fits a tool's definition. A fault is named so that an agent can mend it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from mmcg.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mmcg.mcp.tools import Argument, Tool

LONGEST = 4_000
"""Characters of a text; addresses and names are shorter."""

_WORDS = {"string": "a text", "integer": "a whole number", "boolean": "true or false"}


def checked(tool: Tool, given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The arguments, with defaults filled in; what is null counts as not given. Raises `InputError`."""
    known = {each.name: each for each in tool.arguments()}
    found = {name: value for name, value in (given or {}).items() if value is not None}
    for name in found:
        if name not in known:
            raise _unknown(tool, name, list(known))
    for argument in known.values():
        if argument.name in found:
            found[argument.name] = _value(tool, argument, found[argument.name])
        elif argument.required:
            raise InputError(f"`{tool.name}` needs `{argument.name}`.", argument.doc)
        elif argument.default is not None:
            found[argument.name] = argument.default
    return found


def _value(tool: Tool, argument: Argument, value: object) -> object:
    where = f"`{argument.name}` of `{tool.name}`"
    if argument.type == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    kind = {"string": str, "integer": int, "boolean": bool}[argument.type]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InputError(f"{where} must be {_WORDS[argument.type]}.", argument.doc)
    if isinstance(value, str):
        return _text(where, argument, value)
    if argument.type == "integer" and isinstance(value, int):
        low, high = argument.least, argument.most
        if (low is not None and value < low) or (high is not None and value > high):
            bounds = f"from {low} to {high}" if high is not None else f"at least {low}"
            raise InputError(f"{where} is {value}.", f"Give a number {bounds}.")
    return value


def _text(where: str, argument: Argument, value: str) -> str:
    if argument.choices and value not in argument.choices:
        choices = ", ".join(f"`{each}`" for each in argument.choices)
        raise InputError(f"{where} is `{value[:100]}`.", f"Give one of {choices}.")
    if len(value) > LONGEST:
        raise InputError(f"{where} has {len(value)} characters.", f"Give at most {LONGEST}.")
    if not value.strip():
        raise InputError(f"{where} is empty.", argument.doc)
    # Half of a surrogate pair is in no file's text, and no encoding can say it.
    return value.encode("utf-8", "replace").decode()


def _unknown(tool: Tool, name: str, known: list[str]) -> InputError:
    near = difflib.get_close_matches(name, known, n=1)
    hint = (
        f"Did you mean `{near[0]}`?" if near else f"It takes {', '.join(f'`{each}`' for each in known) or 'nothing'}."
    )
    return InputError(f"`{tool.name}` takes no `{name[:100]}`.", hint)

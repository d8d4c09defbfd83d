"""Adding a table to a TOML text, and taking it out, without touching anything else.

A table is appended and cut as text, which undoes to the byte. Where that is not possible, because the outer table is
written inline or the table was edited, `tomlkit` changes the text. Either way the result is parsed, and must say what
was said before but for this table.
"""

from __future__ import annotations

import json
import re
import tomllib
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from mmcg.setup.broken import BrokenError

if TYPE_CHECKING:
    from mmcg.setup.jsonc import Keys


def parsed(text: str) -> dict[str, Any]:
    """What a text says. Raises `BrokenError`."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        # `Invalid value (at line 3, column 5)`, or `(at end of document)`.
        message, _, place = str(error).partition(" (at ")
        numbers = re.findall(r"\d+", place)
        raise BrokenError(int(numbers[0]) if numbers else text.count("\n") + 1, message) from None


def put(text: str | None, keys: Keys, value: dict[str, Any]) -> str:
    """The text with the table set to the value; None is a file that is not there. Raises `BrokenError`."""
    outer, name = keys
    if text is None:
        return _block(keys, value, "\n")
    wanted = parsed(text)
    holder = wanted.setdefault(outer, {})
    if not isinstance(holder, dict):
        raise BrokenError(1, f"`{outer}` is no table")
    known = holder.get(name)
    holder[name] = {**known, **value} if isinstance(known, dict) else value
    if known is None:
        appended = _appended(text, keys, value)
        if _says(appended, wanted):
            return appended
    return _checked(_edited(text, keys, value), wanted)


def without(text: str, keys: Keys) -> str | None:
    """The text without the table; None for: no file at all."""
    outer, name = keys
    wanted = parsed(text)
    holder = wanted.get(outer)
    if not isinstance(holder, dict) or name not in holder:
        return text
    value = holder.pop(name)
    for newline in ("\n", "\r\n"):
        block = _block(keys, value, newline)
        if text == block:
            return None
        if text == block.removesuffix(newline):
            return ""
        for whole in (newline + block, newline * 2 + block.removesuffix(newline)):
            rest = text.removesuffix(whole)
            if rest != text and (_says(rest, wanted) or _says(rest, _bare(wanted, outer))):
                return rest
    return _checked(_edited(text, keys, None), wanted, _bare(wanted, outer))


def _block(keys: Keys, value: dict[str, Any], newline: str) -> str:
    # Texts and lists of texts look in TOML as they do in JSON.
    lines = [f"[{'.'.join(keys)}]", *(f"{key} = {json.dumps(each, ensure_ascii=False)}" for key, each in value.items())]
    return "".join(line + newline for line in lines)


def _appended(text: str, keys: Keys, value: dict[str, Any]) -> str:
    """The text and the table, which ends in a line's end if the text does."""
    newline = "\r\n" if "\r\n" in text else "\n"
    block = _block(keys, value, newline)
    if not text:
        return block.removesuffix(newline)
    if text.endswith("\n"):
        return text + newline + block
    return text + newline * 2 + block.removesuffix(newline)


def _edited(text: str, keys: Keys, value: dict[str, Any] | None) -> str:
    """The text with the table changed in place, or taken out."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    outer, name = keys
    try:
        document = tomlkit.parse(text)
        holder: Any = document[outer]
        if value is None:
            del holder[name]
        elif name not in holder:
            table = tomlkit.inline_table()
            table.update(value)
            holder[name] = table
        else:
            for key, each in value.items():
                if holder[name].get(key) != each:
                    holder[name][key] = each
        return tomlkit.dumps(document)
    except (TOMLKitError, KeyError, TypeError, ValueError) as error:
        raise BrokenError(1, f"`{outer}` is written in a way that is not understood ({error})") from None


def _bare(wanted: dict[str, Any], outer: str) -> dict[str, Any]:
    """The same without the outer table, if it is empty: whether that is written or not is all one."""
    bare = deepcopy(wanted)
    if not bare.get(outer):
        bare.pop(outer, None)
    return bare


def _checked(text: str, *wanted: dict[str, Any]) -> str:
    if not any(_says(text, each) for each in wanted):
        raise BrokenError(1, "it is written in a way that cannot be changed without changing more")
    return text


def _says(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return parsed(text) == wanted
    except BrokenError:
        return False

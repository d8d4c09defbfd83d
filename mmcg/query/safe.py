"""Text from a repository, made safe to show."""

from __future__ import annotations

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def safe(text: object) -> str:
    """One line without control, formatting or bidirectional characters: those are written as escapes."""
    return _escaped(str(text), kept="")


def safe_block(text: str) -> str:
    """Several lines, tabs kept; every other control character is written as an escape."""
    return _escaped(text.replace("\r\n", "\n"), kept="\n\t")


def _escaped(text: str, kept: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        each if each in kept or each.isprintable() or each == " " else _SHORT.get(each) or _escape(each)
        for each in text
    )


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"

"""`source`: the text of a definition, read from disk.

Row: `symbol, file, line, end_line, text`. The index knows where a definition was; the file is compared with what was
indexed before a byte of it is shown, so that an edit in between never yields another definition's text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg import indexing
from mmcg.query.address import resolve
from mmcg.query.answer import Answer, Options, Row, answer

if TYPE_CHECKING:
    from mmcg.query.context import Context, Symbol

# Two look-ups by position are quicker than a join.
_PLACE = "SELECT start_byte, end_byte, end_line FROM symbols WHERE rowid = {id:d}"
_FILE = "SELECT size, hash FROM files WHERE rowid = {id:d}"


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """The text, or a notice why there is none."""
    found = resolve(context, targets[0])
    symbol = found.symbol
    if symbol is None:
        return found.refusal(query, targets[0])
    start, end, end_line = context.rows(_PLACE.format(id=symbol.id))[0]
    size, hash_ = context.rows(_FILE.format(id=context.files()[symbol.path]))[0]
    try:
        whole = indexed_text(context, symbol.path, size, hash_)
    except Withheld as reason:
        return Answer(query, symbol.address, notices=[str(reason)])
    text = _cut(whole, start, end, symbol, end_line)
    row: Row = {"symbol": symbol.address, "file": symbol.path, "line": symbol.line, "end_line": end_line, "text": text}
    return answer(query, symbol.address, [row], options)


class Withheld(Exception):  # noqa: N818 - no fault, but why a text is not shown
    """Why the text of a file is not to be had; a sentence."""


def indexed_text(context: Context, name: str, size: int, hash_: str) -> str:
    """The text of a file as it was indexed, given its path, size and hash there. Raises `Withheld`."""
    path = context.inside_root(name)
    if path is None:
        raise Withheld(f"`{name}` leads out of the repository and is not read.")
    try:
        with path.open("rb") as file:
            # One byte more than there should be: a longer file is another.
            data = file.read(size + 1)
    except OSError as error:
        raise Withheld(f"`{name}` cannot be read: {error.strerror}.") from None
    if indexing.content_hash(data) != hash_:
        raise Withheld(f"`{name}` was changed after it was indexed; run `mastermind index` and ask again.")
    return indexing.decoded(data)


def _cut(whole: str, start: int, end: int, symbol: Symbol, end_line: int) -> str:
    """The definition's part of a file; places are those in the file's UTF-8 text."""
    if symbol.kind == "module":
        return whole
    plain = whole.encode()
    # The first line's indentation belongs to the text, as that of the others does.
    line = plain.rfind(b"\n", 0, start) + 1
    start = line if not plain[line:start].strip() else start
    text = plain[start:end].decode("utf-8", "replace")
    # A cut that does not hold the name is no cut of this symbol; lines are a safe second.
    return text if symbol.name in text else "\n".join(whole.split("\n")[symbol.line - 1 : end_line])

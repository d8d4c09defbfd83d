"""The envelope of an answer as MCP sends it: the documented one, cut to a size that an agent can take.

What is left out is counted: `total` and `truncated` for rows, `next_offset` where there is another page, and
`<key>_total` beside a list or text inside a row.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mmcg.query.answer import Answer, Row

MOST_CHARACTERS = 60_000
"""Of the JSON of an answer's rows."""
LONGEST_LIST = 20
"""Entries of a list inside a row, such as a caller's sites."""
LONGEST_TEXT = 40_000
"""Characters of a definition's text."""
LONGEST_WORD = 1_000
"""Characters of any other text, such as a signature."""


def fitted(answer: Answer) -> Answer:
    """The same answer, no larger than agents can take; changes it in place."""
    kept: list[Row] = []
    room = MOST_CHARACTERS
    for row in answer.results:
        small = _row(row, answer)
        room -= len(json.dumps(small, ensure_ascii=False))
        if room < 0 and kept:
            break
        kept.append(small)
    answer.results = kept
    answer.target = _word(answer.target)
    if len(answer.candidates) > LONGEST_LIST:
        answer.notices.append(f"{LONGEST_LIST} of {len(answer.candidates)} candidates are shown.")
    answer.candidates = [_row(each, answer) for each in answer.candidates[:LONGEST_LIST]]
    return answer


def envelope(answer: Answer) -> dict[str, Any]:
    """The answer as JSON, with where the next page begins."""
    found = answer.to_json()
    if answer.offset:
        found["offset"] = answer.offset
    if answer.truncated and answer.results:
        found["next_offset"] = answer.offset + len(answer.results)
    return found


def _row(row: Row, answer: Answer) -> Row:
    if all(_small(value) for value in row.values()):
        return row
    small: Row = {}
    for key, value in row.items():
        if isinstance(value, list) and len(value) > LONGEST_LIST:
            small[key] = value[:LONGEST_LIST]
            small[f"{key}_total"] = len(value)
        elif key == "text" and isinstance(value, str) and len(value) > LONGEST_TEXT:
            small[key] = value[: value.rfind("\n", 0, LONGEST_TEXT) + 1] or value[:LONGEST_TEXT]
            small["text_total"] = len(value)
            last = row["line"] + small[key].count("\n") - 1
            answer.notices.append(f"The text is cut after line {last} of {row['end_line']}; read the rest in the file.")
        elif isinstance(value, str) and key != "text":
            small[key] = _word(value)
        else:
            small[key] = value
    return small


def _small(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST_WORD
    return not isinstance(value, list) or len(value) <= LONGEST_LIST


def _word(text: str) -> str:
    return text if len(text) <= LONGEST_WORD else text[: LONGEST_WORD - 1] + "…"

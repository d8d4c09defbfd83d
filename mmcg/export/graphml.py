"""GraphML: symbols as nodes, and how they are related as edges.

The format is that of http://graphml.graphdrawing.org: a `key` declares each attribute, `data` gives its value. The id
of a node is `n` and the symbol's id in the index; its address is the attribute `address`. An edge stands for all sites
with the same source, target and relation: `call`, `read`, `write`, `type`, `import` and `inherit` for uses, `extends`,
`implements`, `mixin` and `embeds` for bases, `override` for members.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from mmcg.export.lines import batches, file_ranges
from mmcg.query.context import listed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from mmcg.query.answer import Options
    from mmcg.query.context import Context

# Attribute, its type in GraphML, and the element it belongs to; the order is that of the columns below.
_KEYS = (
    ("address", "string", "node"),
    ("name", "string", "node"),
    ("kind", "string", "node"),
    ("file", "string", "node"),
    ("line", "int", "node"),
    ("end_line", "int", "node"),
    ("language", "string", "node"),
    ("test", "boolean", "node"),
    ("relation", "string", "edge"),
    ("confidence", "string", "edge"),
    ("rule", "string", "edge"),
    ("sites", "int", "edge"),
    ("lines", "string", "edge"),
)
_NODES = """
SELECT s.id, s.address, s.name, s.kind::VARCHAR, s.path, s.line, s.end_line, s.language, s.test
FROM symbols AS s WHERE s.file BETWEEN {first} AND {last} ORDER BY s.id"""

# The surest site speaks for all. Lines are those of the source's file, each once. A range of files at a time, so that
# no more than that is ever gathered.
_EDGES = """
WITH uses AS (
    SELECT source, unnest([target, constructs]) AS target, 'call' AS relation, confidence, rule, line, "column"
    FROM calls WHERE file BETWEEN {first} AND {last}
    UNION ALL
    SELECT source, target, kind, confidence, rule, line, "column"
    FROM "references" WHERE file BETWEEN {first} AND {last}
    UNION ALL
    SELECT symbol, base, b.kind, confidence, rule, b.line, NULL
    FROM bases AS b JOIN symbols AS s ON s.rowid = b.symbol WHERE s.file BETWEEN {first} AND {last}
    UNION ALL
    SELECT symbol, overridden, 'override', 'exact', NULL, NULL, NULL
    FROM overrides AS o JOIN symbols AS s ON s.rowid = o.symbol WHERE s.file BETWEEN {first} AND {last}
),
ranked AS (
    SELECT *, list_position({confidences}, confidence::VARCHAR) AS rank FROM uses
    WHERE target IS NOT NULL AND list_contains({confidences}, confidence::VARCHAR)
)
SELECT source, target, relation, arg_min(confidence::VARCHAR, rank), arg_min(rule::VARCHAR, rank),
       count(DISTINCT (line, "column")) FILTER (line IS NOT NULL),
       array_to_string(list_sort(list_distinct(list(line) FILTER (line IS NOT NULL))), ' ')
FROM ranked GROUP BY source, target, relation ORDER BY source, target, relation"""

# What no XML 1.0 text may hold, whatever the escape (https://www.w3.org/TR/xml/#charsets).
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


def write(context: Context, options: Options, out: BinaryIO) -> None:
    """The graph with all edges that are sure enough."""
    out.write(_HEAD.encode())
    for name, type_, owner in _KEYS:
        out.write(f'<key id="{name}" for="{owner}" attr.name="{name}" attr.type="{type_}"/>\n'.encode())
    out.write(b'<graph id="mastermind" edgedefault="directed">\n')
    for text in _nodes(context):
        out.write(text.encode())
    for text in _edges(context, options):
        out.write(text.encode())
    out.write(b"</graph>\n</graphml>\n")


def _nodes(context: Context) -> Iterator[str]:
    names = [name for name, _, owner in _KEYS if owner == "node"]
    for first, last in file_ranges(context):
        for id_, *values in batches(context, _NODES.format(first=first, last=last)):
            yield f'<node id="n{id_}">{_data(names, values)}</node>\n'


def _edges(context: Context, options: Options) -> Iterator[str]:
    names = [name for name, _, owner in _KEYS if owner == "edge"]
    sure = f"[{listed(options.confidences())}]"
    number = 0
    for first, last in file_ranges(context):
        for source, target, *values in batches(context, _EDGES.format(confidences=sure, first=first, last=last)):
            yield f'<edge id="e{number}" source="n{source}" target="n{target}">{_data(names, values)}</edge>\n'
            number += 1


def _data(names: list[str], values: list[object]) -> str:
    """The attributes that have a value."""
    return "".join(
        f'<data key="{name}">{_text(value)}</data>'
        for name, value in zip(names, values, strict=True)
        if value not in (None, "")
    )


def _text(value: object) -> str:
    if isinstance(value, str):
        return escape(_FORBIDDEN.sub("\ufffd", value))
    # As XML Schema writes them: `true`, not `True`.
    return str(value).lower()

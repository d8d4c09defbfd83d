"""`symbols` and `outline`: what a file, or each file of a folder, defines.

Row: `symbol, kind, file, line, signature, language, end_line, container`, in order of the source. `outline` is the same
rows; its text is a tree.
"""

from __future__ import annotations

from mmcg.query.answer import Answer, Options, Row, answer
from mmcg.query.context import Context, among
from mmcg.query.nearest import nearest_paths
from mmcg.query.paths import file_elsewhere, file_named, files_ending, files_under

_SQL = """
SELECT id, address, kind, file, line, signature, end_line, container FROM symbols AS s
WHERE {files}"""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """All symbols of the file or folder that a path names."""
    paths, refused = paths_named(context, query, targets[0])
    if refused is not None:
        return refused
    known = context.files()
    sql = _SQL.format(files=among("s.file", (known[path] for path in paths)))
    found = sorted(context.rows(sql))
    # What contains a symbol is in the same file; that it is in the file needs no saying.
    containers = {row[0]: row[1] for row in found if row[2] != "module"}
    rows: list[Row] = []
    for _, address, kind, file, line, signature, end_line, container in found:
        path = context.path_of(file)
        language = context.language_at(path)
        if kind == "module" or options.language not in (None, language):
            continue
        row = {"symbol": address, "kind": kind, "file": path, "line": line, "signature": signature}
        rows.append(row | {"language": language, "end_line": end_line, "container": containers.get(container)})
    return answer(query, paths[0] if len(paths) == 1 else targets[0], rows, options)


def folder_condition(context: Context, query: str, targets: list[str]) -> tuple[str, Answer | None]:
    """The SQL condition that a symbol (`s`) is in the folder that may be named; else the answer that says why not."""
    if not targets:
        return "TRUE", None
    paths, refused = paths_named(context, query, targets[0])
    return among("s.file", (context.files()[path] for path in paths)), refused


def paths_named(context: Context, query: str, text: str) -> tuple[list[str], Answer | None]:
    """The files that a path means: one file, or all of a folder. Else the answer that says why not."""
    exact = file_named(context, text)
    if exact is not None:
        return [exact], None
    ending = files_ending(context, text)
    if not ending and (elsewhere := file_elsewhere(context, text)):
        return [elsewhere], None
    if len(ending) > 1:
        return [], Answer(query, text, status="ambiguous", candidates=[{"file": path} for path in ending])
    paths = ending or files_under(context, text)
    if paths:
        return paths, None
    return [], Answer(query, text, status="not_found", candidates=nearest_paths(context, text))

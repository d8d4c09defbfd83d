"""`imports` and `imported-by`: which files a file needs, and which need it.

Row: `file, module, name, line, column, alias, kind, external`. `file` is the imported file for `imports` (null where it
is none of the project's), the importing one for `imported-by`; `line` is the import's line in the importing file.
"""

from __future__ import annotations

from mmcg.query.answer import Answer, Options, Row, answer
from mmcg.query.context import Context, among
from mmcg.query.symbols import paths_named

_BY_FILES = """
SELECT file, target_file, module, name, alias, line, "column", kind, external FROM imports WHERE {files}"""
_BY_MODULE = """
SELECT file, target_file, module, name, alias, line, "column", kind, external FROM imports
WHERE module = $1 OR external = $1 OR starts_with(module, $1 || '.') OR starts_with(module, $1 || '/')
   OR starts_with(module, $1 || '::')"""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """The imports of a file or folder, or those that lead to it."""
    backward = query == "imported-by"
    text = targets[0]
    paths, refused = paths_named(context, query, text)
    if refused is None:
        known = context.files()
        files = among("target_file" if backward else "file", (known[path] for path in paths))
        found = context.rows(_BY_FILES.format(files=files))
    elif backward and refused.status == "not_found" and (found := context.rows(_BY_MODULE, text)):
        pass
    else:
        return refused
    languages = _languages(context, options)
    rows: list[Row] = []
    for file, target, module, name, alias, line, column, kind, external in found:
        if languages is not None and file not in languages:
            continue
        shown = file if backward else target
        row: Row = {"file": None if shown is None else context.path_of(shown), "module": module, "name": name}
        row |= {"line": line, "column": column, "alias": alias, "kind": kind, "external": external}
        if backward or len(paths) > 1:
            row["importer"] = context.path_of(file)
        rows.append(row)
    rows.sort(key=lambda row: (row["file"] is None, row["file"] or "", row["line"], row["column"], row["module"]))
    return answer(query, paths[0] if len(paths) == 1 else text, rows, options)


def _languages(context: Context, options: Options) -> set[int] | None:
    if options.language is None:
        return None
    return {row[0] for row in context.rows("SELECT id FROM files WHERE language = ?", options.language)}

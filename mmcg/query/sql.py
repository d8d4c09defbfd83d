"""`sql`: one read-only statement on the documented schema, with a row and a time bound.

Row: the statement's own columns. Before the first statement runs, the connection gives up reaching files, networks and
extensions, and locks its settings, for good: no text can take that back.
"""

from __future__ import annotations

import math
import re
import threading
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING
from uuid import UUID

import duckdb

from mmcg.errors import InputError
from mmcg.query.answer import Answer, Options
from mmcg.store.schema import TABLES

if TYPE_CHECKING:
    from mmcg.query.context import Context

SECONDS = 10.0
"""How long a statement may run."""

_COUNTED = 1_000_000
_BATCH = 10_000
_CLOSED = ("SET enable_external_access = false", "SET lock_configuration = true")


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """The rows of one SELECT."""
    statement = _single(targets[0])
    connection = context.index.cursor()
    try:
        _close(connection)
        return _run(connection, statement, Answer(query, targets[0]), options)
    finally:
        connection.close()


def _single(text: str) -> duckdb.Statement:
    try:
        statements = duckdb.extract_statements(text)
    except duckdb.Error as error:
        raise _refused(error, text) from None
    if len(statements) != 1:
        raise InputError(f"{len(statements)} statements were given.", "Give exactly one SELECT.")
    if statements[0].type not in (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN):
        raise InputError("That is no SELECT.", "The index can only be read; write `SELECT … FROM symbols`.")
    return statements[0]


def _close(connection: duckdb.DuckDBPyConnection) -> None:
    locked = connection.execute("SELECT current_setting('lock_configuration')").fetchone()
    if locked is None or not locked[0]:
        for each in _CLOSED:
            connection.execute(each)


def _run(
    connection: duckdb.DuckDBPyConnection, statement: duckdb.Statement, answer: Answer, options: Options
) -> Answer:
    late = threading.Event()

    def stop() -> None:
        late.set()
        connection.interrupt()

    clock = threading.Timer(SECONDS, stop)
    clock.daemon = True
    clock.start()
    try:
        cursor = connection.execute(statement)
        names = _distinct([column[0] for column in cursor.description or ()])
        while batch := cursor.fetchmany(_BATCH):
            for row in batch if options.limit is None else batch[: max(0, options.limit - len(answer.results))]:
                answer.results.append({name: plain(value) for name, value in zip(names, row, strict=True)})
            answer.total += len(batch)
            if answer.total >= _COUNTED:
                answer.notices.append(f"Stopped after {answer.total} rows; there may be more.")
                break
    except duckdb.InterruptException:
        if not late.is_set():
            raise KeyboardInterrupt from None
        advice = "Narrow it, for example with `LIMIT`."
        raise InputError(f"The statement took longer than {SECONDS:.0f} s and was stopped.", advice) from None
    except duckdb.Error as error:
        raise _refused(error, statement.query) from None
    finally:
        clock.cancel()
    return answer


def _refused(error: duckdb.Error, statement: str) -> InputError:
    # What DuckDB guesses is about its own tables, too, and about columns that stand in the advice.
    text = re.split(r"\n\nLINE|\nDid you mean|\n+Candidate", str(error).strip())[0]
    return InputError(f"The statement was refused: {text.rstrip('.!')}.", _advice(error, statement))


def _advice(error: duckdb.Error, statement: str) -> str:
    """What there is to ask for: the columns of the tables that the statement names, or all tables."""
    named = [table for table in TABLES if re.search(rf"\b{table.name}\b", statement, re.IGNORECASE)]
    if isinstance(error, duckdb.BinderException) and named:
        columns = (f"`{table.name}` has {', '.join(column.name for column in table.columns)}" for table in named)
        return "; ".join(columns) + "."
    tables = ", ".join(table.name for table in TABLES)
    return f"The tables are {tables}; `mastermind query sql 'DESCRIBE calls'` lists columns."


def _distinct(names: list[str]) -> list[str]:
    """Column names as keys: a repeated one gets a number."""
    seen: dict[str, int] = {}
    result = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return result


def plain(value: object) -> object:
    """A value of the database as JSON can say it."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, (Decimal, UUID, timedelta)):
        return str(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex()
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value

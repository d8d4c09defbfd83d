"""Where questions are answered: any number at once, each on a thread of its own with its own reader."""

from __future__ import annotations

import importlib
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mmcg.errors import BadIndexError, NoIndexError, StoppedError
from mmcg.mcp.tools import targets_of
from mmcg.query.answer import Options
from mmcg.query.registry import OPTIONS, QUESTIONS, ask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.mcp.readers import Readers
    from mmcg.mcp.tools import Tool
    from mmcg.mcp.upkeep import Upkeep
    from mmcg.model import Meta
    from mmcg.query.answer import Answer
    from mmcg.query.context import Context
    from mmcg.settings import Places
    from mmcg.store.reader import Index


class Job:
    """A question that is being answered, and may be withdrawn from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._indexes: list[Index] = []
        self._stopped = False

    def stop(self) -> None:
        """Nobody wants the answer any more."""
        with self._lock:
            self._stopped = True
            for index in self._indexes:
                index.stop()

    def stopped(self) -> bool:
        """Whether it was withdrawn."""
        return self._stopped

    def asks(self, index: Index) -> None:
        """Let `stop` end what this reader does. Raises `StoppedError` when the question was withdrawn already."""
        with self._lock:
            if self._stopped:
                raise StoppedError("The question was withdrawn before it was answered.")
            self._indexes.append(index)

    @contextmanager
    def using(self, index: Index) -> Iterator[None]:
        """The same for a reader that others use afterwards: `stop` leaves it alone then."""
        self.asks(index)
        try:
            yield
        finally:
            with self._lock:
                self._indexes.remove(index)


class Desk:
    """Answers for one repository."""

    def __init__(self, places: Places, readers: Readers, upkeep: Upkeep) -> None:
        self.places = places
        self.upkeep = upkeep
        self._readers = readers

    def answer(self, tool: Tool, arguments: dict[str, Any], job: Job) -> Answer:
        """The answer to a call whose arguments were checked."""
        if tool.answer:
            module, _, function = tool.answer.partition(":")
            found: Answer = getattr(importlib.import_module(module), function)(self, arguments, job)
            return found
        try:
            return self._asked(tool, arguments, job)
        except BadIndexError:
            # The file was spoilt under the readers. The next look sets it aside and makes another.
            self._readers.forget()
            return self._asked(tool, arguments, job)

    @contextmanager
    def context(self, job: Job) -> Iterator[Context]:
        """What to ask, brought up to date first where that is quick. Raises what stands in the way."""
        try:
            snapshot: Meta | None = self._readers.meta()
        except (NoIndexError, BadIndexError):
            snapshot = None
        state = self.upkeep.ready(snapshot, job.stopped)
        with self._readers.context() as context, job.using(context.index):
            context.freshness = state
            yield context

    def _asked(self, tool: Tool, arguments: dict[str, Any], job: Job) -> Answer:
        name, turn = tool.question, tool.turned
        if turn[0] and arguments.get(turn[0]):
            name = turn[1]
        given = [arguments[each] for each in targets_of(QUESTIONS[tool.question]) if each in arguments]
        options = Options(**{key: value for key, value in arguments.items() if key in OPTIONS})
        begun_ns = time.time_ns()
        with self.context(job) as context:
            found = ask(context, name, given, options)
        if not self.upkeep.changed_since(begun_ns):
            return found
        # News of a change may take a moment: one that the client made just before it asked is heard of by now.
        with self.context(job) as context:
            return ask(context, name, given, options)

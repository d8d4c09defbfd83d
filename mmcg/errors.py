"""Every way in which the program can fail to answer, with its exit code.

An error says what happened, with the name it is about in back-quotes, and what to do next. The command line, MCP and
library users all see the same two sentences.
"""

from __future__ import annotations

EXIT_OK = 0
"""Done, and something was found."""
EXIT_NEGATIVE = 1
"""Done, with a negative answer: no such symbol, or findings at or above the threshold."""
EXIT_USAGE = 2
"""Bad usage or input."""
EXIT_UNAVAILABLE = 3
"""Could not be evaluated: no index, or incomplete evidence."""
EXIT_INTERRUPTED = 130
"""Stopped by the user."""


class MastermindError(Exception):
    """Base of all errors that are meant for users: what happened, and what to do next."""

    exit_code = EXIT_UNAVAILABLE
    code = "error"
    """The stable word by which programs tell errors apart (`code` in JSON)."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.message}\n{self.advice}" if self.advice else self.message

    def to_json(self) -> dict[str, object]:
        """The error as the JSON object that `--json` prints."""
        return {"status": "error", "code": self.code, "message": self.message, "advice": self.advice}


class InputError(MastermindError):
    """What the user gave cannot be used: a bad path, option, query or file."""

    exit_code = EXIT_USAGE
    code = "bad_input"


class NoIndexError(MastermindError):
    """There is no index where one is needed."""

    code = "no_index"


class BadIndexError(MastermindError):
    """The index cannot be read: corrupt, truncated, foreign, or written by another version."""

    code = "bad_index"


class OutdatedIndexError(BadIndexError):
    """The index was written by an older version: nothing is wrong with it, but it must be built again."""

    code = "outdated_index"


class StoreWriteError(MastermindError):
    """The index cannot be written: read-only folder, full disk, missing permission."""

    code = "store_not_writable"


class StoppedError(MastermindError):
    """Whoever asked does not want the answer any more."""

    code = "stopped"


class LockedError(MastermindError):
    """Another process is writing the index and did not finish in time."""

    code = "locked"


class NotWatchableError(MastermindError):
    """The system does not tell of changes in a tree."""

    code = "not_watchable"


class CoreError(MastermindError):
    """The native core is missing or does not fit this version of the package."""

    code = "core"


class MissingPackageError(MastermindError):
    """An optional package is needed and not installed."""

    code = "missing_package"

    def __init__(self, package: str, extra: str, what: str) -> None:
        super().__init__(
            f"{what} needs the package `{package}`, which is not installed.",
            f"Install it with `pip install 'mastermind-code-graph[{extra}]'`.",
        )


class InternalError(MastermindError):
    """A fault of this program, not of its input."""

    code = "internal"

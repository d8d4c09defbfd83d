"""The native core: extraction, resolution and the tables of the graph."""

from collections.abc import Callable
from os import PathLike
from typing import Literal, TypedDict, final

class CoreError(Exception):
    """The core could not do what was asked; the message says why."""

class KeptFactsError(CoreError):
    """Facts kept from earlier runs may be the cause: try again without them."""

class WatchLimitError(CoreError):
    """The system watches no more folders for this user."""

class SkippedFile(TypedDict):
    path: str
    reason: Literal["binary", "too_large", "minified", "unreadable", "undecodable"]

class FileProblem(TypedDict):
    path: str
    code: Literal["syntax_error", "encoding", "too_deep", "internal"]
    line: int
    message: str

class EdgeCounts(TypedDict):
    exact: int
    inferred: int
    possible: int
    external: int
    unresolved: int

class Timings(TypedDict):
    read: float
    extract: float
    facts: float
    resolve: float
    tables: float

class Summary(TypedDict):
    root: str
    fingerprint: str
    """Equal to that of a look as long as the folder does not change."""
    content: str
    """Two runs of the same version with the same content have the same rows but for files' times."""
    files: int
    parsed: int
    reused: int
    symbols: int
    call_sites: int
    edges: EdgeCounts
    languages: dict[str, int]
    missing: dict[str, int]
    """Files by language whose parser was not attached."""
    skipped: list[SkippedFile]
    problems: list[FileProblem]
    notices: list[str]
    seconds: float
    timings: Timings

class Version(TypedDict):
    core: str
    facts: int
    grammars: dict[str, dict[str, str | int]]

class LanguageInfo(TypedDict):
    name: str
    family: str
    extensions: list[str]
    file_names: list[str]
    available: bool
    """Whether its parser is at hand."""
    external: bool
    """Whether its parser comes from outside: see `attach`."""

class RuleInfo(TypedDict):
    rule: str
    confidence: Literal["exact", "inferred", "possible", "external", "unresolved"]
    doc: str

class Floor(TypedDict):
    files: int
    bytes: int
    cpu_seconds: float
    wall_seconds: float

@final
class ArrowTable:
    """A table of the graph; DuckDB reads it by the PyCapsule interface, any number of times."""

    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Look:
    """The files that an index of a folder would be made of, as they were at one time."""

    @property
    def fingerprint(self) -> str:
        """A text that differs if the folder has changed."""
    @property
    def latest_ns(self) -> int:
        """When a file was last changed, in nanoseconds since 1970."""
    @property
    def folders(self) -> list[str]:
        """The folders that were looked into, from the root, which is the empty text."""
    def files(self) -> list[tuple[str, int, int]]:
        """Path, size and time of change (ns) of the files, in path order."""
    def missing(self) -> dict[str, int]:
        """Files by language of which no parser is at hand."""

def look(root: str | PathLike[str]) -> Look:
    """Walk a folder; nothing but ignore files is opened."""

@final
class Watch:
    """Watches the folders that a look found, and none other, for changes that matter to an index."""

    def __init__(self, look: Look) -> None:
        """Raise `WatchLimitError` if the system watches no more folders, `CoreError` if it watches none."""
    def wait(self, timeout: float | None, quiet: float, longest: float) -> tuple[bool, bool]:
        """Wait until something happened and then nothing for `quiet` seconds, or something went on for `longest`.

        Give whether files changed, and whether the folders to watch may have; neither after `timeout` seconds or when
        woken.
        """
    def wake(self) -> None:
        """End a wait, or the next one; from any thread."""

@final
class IndexRun:
    """A finished run."""

    @property
    def summary(self) -> Summary | None:
        """Numbers and messages; nothing if all edges are as they were."""
    @property
    def content(self) -> str:
        """As `Summary.content`; empty if that is as it was."""
    @property
    def parsed(self) -> int:
        """Files that were parsed."""
    def tables(self) -> dict[str, ArrowTable]:
        """The tables that were not handed over, by name.

        If all edges are as they were: none, or `files` and `symbols` of the files that were laid out anew, numbered by
        themselves, `lines`: `path`, `before` and `line` of each line of code that is another now, and `columns`:
        `path`, `line` as it is now, `before` and `column` of what stands at another column of its line.
        """
    def times(self) -> list[tuple[str, int]]:
        """If all edges are as they were: the files, and their times of change (ns)."""

def index(
    root: str | PathLike[str] | Look,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    cache: str | PathLike[str] | None = None,
    known: tuple[str, list[tuple[str, str, str]]] | None = None,
    take: Callable[[str, ArrowTable], object] | None = None,
) -> IndexRun:
    """Index a folder, or what a look at it found.

    `progress` is called with the numbers of done and of all files, at most twenty times a second. An exception that
    it raises, or Ctrl-C, ends the run. `cache` is a folder in which facts of unchanged files are kept from run to
    run; it may be deleted at any time. `known` is `Summary.content` of an earlier run and its files (path, hash,
    language) in path order: while no edge can have changed since, nothing is resolved. `take` is called with the name
    of each table and the table as soon as it is there, on the calling thread.
    """

def select(root: str | PathLike[str], paths: list[str], ignores: list[tuple[str, str, str]]) -> list[str]:
    """Give those of a tree's paths that an index of it reads; the tree need not be on disk.

    `ignores` are the absolute folder, the kind (`own`, `git` or `exclude`) and the text of each ignore file.
    """

@final
class Gathering:
    """A tree that is handed over in parts; its graph is that of a folder with the same files."""

    def __new__(cls, *, jobs: int | None = None, cache: str | PathLike[str] | None = None) -> Gathering: ...
    def add(self, files: list[tuple[str, bytes]]) -> None:
        """Take more files: paths from the root with `/`, and bytes. An interrupt ends the gathering."""

    def finish(self) -> IndexRun: ...

def scan(root: str | PathLike[str]) -> list[tuple[str, int, int]]:
    """Give path, size and time of change (ns) of each file that an index of the folder would read."""

def decode(data: bytes) -> str:
    """Decode a file as the index does: UTF-8, UTF-16 with a byte-order mark, else Windows-1252."""

def content_hash(data: bytes) -> str:
    """Give the hash of a file's bytes as the index keeps it (`files.hash`)."""

def test_paths(paths: list[str]) -> list[bool]:
    """Say of each path whether it is that of a test file by the rules of its language."""

def evidence(data: bytes, path: str) -> str | None:
    """Find tests, assertions, marks, suppressions, numbers and calls in a file, as JSON (`docs/evidence.md`).

    None where the path and the content are of no language whose parser is at hand.
    """

def parse_floor(root: str | PathLike[str], *, jobs: int | None = None) -> Floor:
    """Walk, read and parse like a run, and nothing else: what benchmarks measure a run against."""

def parse_fixture(text: str, name: str) -> str:
    """Read a suite (`docs/fixtures.md`); its sections and the mistakes in its form, as JSON."""

def judge_fixture(text: str, name: str, section: int, graph: str) -> str:
    """Hold a section's claims against a graph; both the graph and the verdict are JSON."""

def version() -> Version: ...
def languages() -> list[LanguageInfo]: ...
def rules() -> list[RuleInfo]: ...
def attach(language: str, capsule: object) -> None:
    """Give a language its parser: a capsule named `tree_sitter.Language`, as Python packages of grammars make them."""

def check(language: str) -> list[str]:
    """Give what a language's data names that its parser does not know."""

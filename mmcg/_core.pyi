"""The native core: extraction, resolution and the tables of the graph."""

from collections.abc import Callable
from os import PathLike
from typing import Literal, TypedDict, final

class CoreError(Exception):
    """The core could not do what was asked; the message says why."""

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
    walk: float
    extract: float
    resolve: float
    tables: float

class Summary(TypedDict):
    root: str
    fingerprint: str
    """Equal to `fingerprint(root)` as long as the folder does not change."""
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
class IndexRun:
    """A finished run."""

    @property
    def summary(self) -> Summary: ...
    def tables(self) -> dict[str, ArrowTable]: ...

def index(
    root: str | PathLike[str],
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    cache: str | PathLike[str] | None = None,
) -> IndexRun:
    """Index a folder.

    `progress` is called with the numbers of done and of all files, at most twenty times a second. An exception that
    it raises, or Ctrl-C, ends the run. `cache` is a folder in which facts of unchanged files are kept from run to
    run; it may be deleted at any time.
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

def fingerprint(root: str | PathLike[str]) -> str:
    """Give a text that differs from `Summary.fingerprint` if the folder has changed since."""

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

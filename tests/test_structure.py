"""The shape of the source: which layer may know which, how long a file may be, and what no general layer may name."""

from __future__ import annotations

import ast
import re
import statistics
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "mmcg"
CRATES = ROOT / "rust"

LOWEST_FIRST = (
    {"errors", "model"},
    {"settings", "files"},
    {"store", "languages"},
    {"indexing"},
    {"query"},
    {"export"},
    {"graph"},
    {"corpus", "audit", "setup"},
    {"demo"},
    {"watch", "mcp", "cli"},
)
"""Python layers: each knows those before it, and its own members know each other only where `SIBLINGS` says so."""

SIBLINGS = {("model", "errors"), ("audit", "corpus"), ("mcp", "watch"), ("cli", "mcp"), ("cli", "watch")}

CRATES_KNOW = {
    "facts": set(),
    "lang": {"facts"},
    "extract": {"facts", "lang"},
    "resolve": {"facts"},
    "engine": {"facts", "lang", "extract", "resolve"},
    "fixture": {"facts", "lang", "extract", "resolve", "engine"},
    "evidence": {"facts", "lang", "extract"},
    "py": {"facts", "lang", "engine", "fixture", "evidence"},
}
"""Rust crates: the most that each may depend on."""

LONGEST = 800
MEDIAN = 250

PYTHON = sorted(PACKAGE.rglob("*.py"))
RUST = sorted(file for file in CRATES.rglob("*.rs") if "target" not in file.parts)
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def layer(module: str) -> str:
    """The first name below the package."""
    return module.split(".")[1] if "." in module else ""


def imported(file: Path) -> set[str]:
    """Every module of the package that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            inside = {f"mmcg.{name.name}" for name in node.names}
            found |= inside if node.module == "mmcg" else {str(node.module)}
    return {name for name in found if name.split(".")[0] == "mmcg"}


def rank(name: str) -> int:
    """How high a layer is."""
    return next(at for at, names in enumerate(LOWEST_FIRST) if name in names)


@pytest.mark.parametrize("file", PYTHON, ids=lambda file: str(file.relative_to(ROOT)))
def test_python_layers_know_only_lower_ones(file):
    own = file.relative_to(PACKAGE).with_suffix("").parts[0]
    if own in ("__init__", "__main__"):
        return
    for module in imported(file):
        other = layer(module)
        if other in ("", "__version__", own, "_core"):
            continue
        assert rank(other) < rank(own) or (own, other) in SIBLINGS, f"`{own}` must not know `{other}`"


def test_only_indexing_knows_the_core():
    knowing = {str(file.relative_to(PACKAGE)) for file in PYTHON if "mmcg._core" in imported(file)}
    assert knowing == {"indexing.py"}


def test_only_the_store_and_the_queries_speak_to_the_database():
    for file in PYTHON:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
        if "duckdb" in names:
            part = file.relative_to(PACKAGE).parts[0]
            assert part in ("store", "query", "corpus") or file.name == "doctor.py", f"{file} imports the database"


def test_no_python_parses_source():
    for file in PYTHON:
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(import|from) (ast|tree_sitter|tokenize|lib2to3|libcst)\b", text, re.MULTILINE), file


@pytest.mark.parametrize("crate", sorted(path.parent.name for path in CRATES.glob("*/Cargo.toml")))
def test_rust_crates_know_only_lower_ones(crate):
    manifest = tomllib.loads((CRATES / crate / "Cargo.toml").read_text(encoding="utf-8"))
    known = {name.removeprefix("mmcg-") for name in manifest.get("dependencies", {}) if name.startswith("mmcg-")}
    assert crate in CRATES_KNOW, f"say in CRATES_KNOW what `{crate}` may depend on"
    assert known <= CRATES_KNOW[crate]


def test_rust_never_opens_the_database():
    for manifest in CRATES.glob("*/Cargo.toml"):
        assert "duckdb" not in manifest.read_text(encoding="utf-8")


def test_the_resolver_reads_nothing_that_layout_and_docs_decide():
    """What `layout.rs` of the engine rests on: an edit of these alone changes no edge."""
    for file in (CRATES / "resolve" / "src").rglob("*.rs"):
        code = code_of_rust(file.read_text(encoding="utf-8"))
        assert not re.search(r"\.(span|signature|doc|body_hash)\b(?!\()", code), file
        # Lines and columns are only compared with each other, so that their order is all that counts.
        assert not re.search(r"\.(line|column\(\)) [-+*/%] |[-+*/%] [\w.]+\.(line|column)\b", code), file
        assert all("sort_by_key" in line for line in code.splitlines() if ".column()" in line), file


def lengths(files):
    return {str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines()) for file in files}


def test_no_file_is_long():
    long = {name: count for name, count in lengths([*PYTHON, *RUST, *TESTS]).items() if count > LONGEST}
    assert not long


@pytest.mark.parametrize("files", [PYTHON, RUST], ids=["python", "rust"])
def test_most_files_are_short(files):
    assert statistics.median(lengths(files).values()) <= MEDIAN


LANGUAGES = sorted(
    {folder.name for folder in (ROOT / "grammars").iterdir() if folder.is_dir()}
    | {"python", "javascript", "typescript", "golang", "java", "csharp", "php", "ruby", "kotlin", "cpp"}
)

NEUTRAL_RUST = [
    file
    for crate in ("facts", "extract", "resolve", "engine", "evidence")
    for file in (CRATES / crate / "src").rglob("*.rs")
    # Strategies are named, and some by the language whose rule they are.
    if "modules" not in file.relative_to(CRATES / crate / "src").parts and file.name != "tests.rs"
]


def code_of_rust(text: str) -> str:
    """The text without comments and tests: what the program does."""
    text = re.sub(r"//[^\n]*", "", text)
    return text.split("#[cfg(test)]")[0]


def code_of_python(text: str) -> str:
    """The text without comments and docstrings."""
    return ast.unparse(_Bare().visit(ast.parse(text)))


class _Bare(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and not node.body:
            node.body = [ast.Pass()]
        return node


def named(code: str) -> set[str]:
    """Languages that a code names as a string."""
    # Only whole names of three letters and more: `c` and `go` are words of their own.
    return {name for name in LANGUAGES if len(name) > 2 and re.search(rf"[\"']{name}[\"']", code, re.IGNORECASE)}


@pytest.mark.parametrize("file", NEUTRAL_RUST, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_language_is_named_in_rust(file):
    assert not named(code_of_rust(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("file", PYTHON, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_language_is_named_in_python(file):
    code = code_of_python(file.read_text(encoding="utf-8"))
    # The interpreter and the shell that run the program are no languages of a repository.
    programs = {"doctor.py": {"python"}, "complete.py": {"bash"}}
    assert named(code) <= programs.get(file.name, set())


def test_each_flag_has_a_bit_of_its_own() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (CRATES / "facts" / "src").glob("*.rs")]
    found = [
        kind for text in sources for kind in re.findall(r"^impl (\w+Flags \{.*?)^\}", text, re.DOTALL | re.MULTILINE)
    ]
    assert len(found) > 1
    for kind in found:
        bits = re.findall(r"Self = Self\(1 << (\d+)\)", kind)
        assert len(bits) == len(set(bits)), kind.split()[0]

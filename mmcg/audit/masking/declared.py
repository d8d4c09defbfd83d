"""The declared checks of a spec: which programs they run, which files they read, which tests they cover.

Commands are parsed, and followed through scripts, Makefiles and the scripts of packages; nothing is run.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from mmcg.audit.commands import commands_in, simple_commands
from mmcg.audit.files import inside

if TYPE_CHECKING:
    from mmcg.audit.evidence import Unit
    from mmcg.audit.work import Work

DEPTH = 5
"""Scripts that run scripts are followed so far."""

LARGEST = 300_000
"""Bytes; larger files are no scripts."""

_WRAPPERS: dict[str, int] = {
    "env": 0, "nice": 0, "nohup": 0, "sudo": 0, "stdbuf": 0, "xvfb-run": 0, "timeout": 1, "npx": 0, "pnpx": 0,
    "bunx": 0, "uvx": 0, "exec": 0, "time": 0,
}  # fmt: skip
"""Programs that run the program behind them, and how many words stand between besides options."""

_RUN = {("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("hatch", "run"), ("pdm", "run"), ("rye", "run"),
        ("bundle", "exec"), ("pnpm", "exec"), ("pnpm", "dlx"), ("yarn", "exec"), ("npm", "exec"), ("coverage", "run"),
        ("composer", "exec"), ("yarn", "dlx"), ("bun", "x")}  # fmt: skip

_CONFIGS: dict[str, tuple[str, ...]] = {
    "pytest": ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "conftest.py", ".coveragerc"),
    "unittest": (),
    "coverage": (".coveragerc", "pyproject.toml", "setup.cfg", "tox.ini"),
    "ruff": ("ruff.toml", ".ruff.toml", "pyproject.toml"),
    "flake8": (".flake8", "setup.cfg", "tox.ini"),
    "mypy": ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg"),
    "pyright": ("pyrightconfig.json", "pyproject.toml"),
    "pylint": (".pylintrc", "pylintrc", "pyproject.toml", "setup.cfg"),
    "bandit": (".bandit", "pyproject.toml"),
    "tox": ("tox.ini", "pyproject.toml", "setup.cfg"),
    "nox": ("noxfile.py",),
    "pre-commit": (".pre-commit-config.yaml",),
    "eslint": ("eslint.config.*", ".eslintrc*", ".eslintignore"),
    "jest": ("jest.config.*", "package.json"),
    "vitest": ("vitest.config.*", "vite.config.*", "vitest.workspace.*"),
    "mocha": (".mocharc*", "package.json"),
    "nyc": (".nycrc*", "package.json"),
    "c8": (".c8rc*", "package.json"),
    "tsc": ("tsconfig*.json",),
    "biome": ("biome.json*",),
    "cargo": ("Cargo.toml", ".cargo/config.toml", "clippy.toml", ".clippy.toml", "nextest.toml", "deny.toml"),
    "go": ("go.mod",),
    "golangci-lint": (".golangci.*",),
    "mvn": ("pom.xml",),
    "mvnw": ("pom.xml",),
    "gradle": ("build.gradle", "build.gradle.kts", "gradle.properties"),
    "gradlew": ("build.gradle", "build.gradle.kts", "gradle.properties"),
    "phpunit": ("phpunit.xml", "phpunit.xml.dist"),
    "phpstan": ("phpstan.neon*",),
    "psalm": ("psalm.xml*",),
    "phpcs": ("phpcs.xml*", ".phpcs.xml*"),
    "dotnet": ("*.csproj", "Directory.Build.props", ".editorconfig", "*.runsettings"),
    "cmake": ("CMakeLists.txt",),
    "ctest": ("CMakeLists.txt", "CTestTestfile.cmake"),
    "clang-tidy": (".clang-tidy",),
    "make": ("Makefile", "makefile", "GNUmakefile"),
    "just": ("justfile", "Justfile", ".justfile"),
}
"""Files by name that programs read without being told."""

_SUFFIXES: dict[str, tuple[str, ...]] = {
    "pytest": (".py",),
    "unittest": (".py",),
    "tox": (".py",),
    "nox": (".py",),
    "cargo": (".rs",),
    "go": (".go",),
    "jest": (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts"),
    "vitest": (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte"),
    "mocha": (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs"),
    "node": (".js", ".mjs", ".cjs", ".ts"),
    "mvn": (".java", ".kt", ".scala", ".groovy"),
    "mvnw": (".java", ".kt", ".scala", ".groovy"),
    "gradle": (".java", ".kt", ".scala", ".groovy"),
    "gradlew": (".java", ".kt", ".scala", ".groovy"),
    "phpunit": (".php",),
    "pest": (".php",),
    "ctest": (".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"),
    "dotnet": (".cs", ".fs", ".vb"),
}
"""Programs that run tests, and what their tests are written in."""

_TEST_WORDS = {
    "cargo": ("test", "nextest", "t"),
    "go": ("test",),
    "node": ("--test",),
    "dotnet": ("test",),
    "mvn": ("test", "verify", "install", "package", "surefire:test"),
    "mvnw": ("test", "verify", "install", "package", "surefire:test"),
    "gradle": ("test", "check", "build"),
    "gradlew": ("test", "check", "build"),
}
"""Of programs that do other things too: the words with which they run tests."""

_FILTERS = frozenset({"-k", "-run", "--run", "-t", "--grep", "-g", "--filter", "-R", "--tests", "-m",
                      "--testNamePattern", "--test-name-pattern"})  # fmt: skip
_SHELL = re.compile(r"(?:ba|z|da|k)?sh")
_WORD = re.compile(r"[A-Za-z_]\w+")
_PATH = re.compile(r"(?<![\w.@+-])[\w.@+-]++(?:/[\w.@+-]++)*+")
_SUFFIX = re.compile(r"\.\w{1,12}$")


@dataclass
class Declared:
    """What one declared command comes to."""

    id: str
    commands: list[list[str]] = field(default_factory=list)
    """Every simple command that it runs, as far as that can be told without running it."""
    files: set[str] = field(default_factory=set)
    """Files that it reads as scripts, configuration or data: not what it checks."""

    @property
    def words(self) -> set[str]:
        """The programs and words of all its commands."""
        found = set()
        for each in self.commands:
            found |= {word.rpartition("/")[2] for word in each}
        return found


def declared(work: Work) -> list[Declared]:
    """What each declared command comes to."""
    key = ("declared", "")
    if key not in work.kept:
        work.kept[key] = [_Reader(work).read(command.id, simple_commands(command)) for command in work.spec.verify]
    found: list[Declared] = work.kept[key]
    return found


def obeying(work: Work, tools: tuple[str, ...]) -> str:
    """The declared command that runs one of these tools; empty without one."""
    return next((each.id for each in declared(work) if each.words & set(tools)), "")


def reading(work: Work, path: str) -> str:
    """The declared command that reads a file; empty without one."""
    return next((each.id for each in declared(work) if path in each.files), "")


def covering(work: Work, file: str, unit: Unit | None) -> str:
    """The declared command that runs a test (or any of a file); empty where none surely does."""
    for each in declared(work):
        if any(_runs(work, words, file, unit) for words in each.commands):
            return each.id
    return ""


def unwrapped(words: list[str]) -> list[str]:
    """A command without the programs that only run it: `python -m pytest` is `pytest`."""
    for _ in range(DEPTH):
        if not words:
            return words
        program = words[0].rpartition("/")[2]
        rest = words[1:]
        if program in _WRAPPERS:
            while rest and (rest[0].startswith("-") or re.fullmatch(r"\w+=.*", rest[0])):
                rest = rest[1:]
            words = rest[_WRAPPERS[program] :]
        elif rest and (program, rest[0]) in _RUN:
            words = rest[1:]
            while words and words[0].startswith("-") and words[0] != "-m":
                words = words[1:]
            if words and words[0] == "-m":
                words = words[1:]
        elif re.fullmatch(r"(?:python|pypy)[\d.]*|py", program):
            while rest and rest[0].startswith("-") and rest[0] != "-m":
                rest = rest[2:] if rest[0] in ("-W", "-X") else rest[1:]
            if not rest or rest[0] != "-m":
                return [program, *rest]
            words = rest[1:]
        else:
            return [program, *rest]
    return words


class _Reader:
    def __init__(self, work: Work) -> None:
        self.work = work
        self.seen: set[tuple[str, ...]] = set()

    def read(self, id_: str, commands: list[list[str]]) -> Declared:
        found = Declared(id_)
        for words in commands:
            self._command(found, words, 0)
        self._named(found)
        return found

    def _command(self, found: Declared, words: list[str], depth: int) -> None:
        if depth > DEPTH or tuple(words) in self.seen:
            return
        self.seen.add(tuple(words))
        if words and _SHELL.fullmatch(words[0].rpartition("/")[2]) and "-c" in words[1:]:
            at = words.index("-c") + 1
            for inner in commands_in(words[at]) if at < len(words) else []:
                self._command(found, inner, depth + 1)
            return
        plain = unwrapped(words)
        if not plain:
            return
        found.commands.append(plain)
        program = plain[0]
        found.files |= self._configs(program)
        for word in [words[0], *plain]:
            path = self._path(word)
            if path and path not in found.files and not self.work.is_test_path(path):
                found.files.add(path)
                self._script(found, path, depth)
        if program == "make" or program == "gmake":
            self._make(found, [word for word in plain[1:] if not word.startswith("-") and "=" not in word], depth)
        elif program in ("npm", "yarn", "pnpm", "bun"):
            self._package(found, plain[1:], depth)
        elif program in ("tox", "nox", "pre-commit", "just"):
            # What they run is named there, in forms of their own.
            for path in self._configs(program):
                found.commands.append([program, *re.findall(r"[\w.-]+", self._text(path))])

    def _script(self, found: Declared, path: str, depth: int) -> None:
        text = self._text(path)
        shell = path.endswith((".sh", ".bash", ".zsh")) or re.match(r"#!.*\b(?:ba|z|da)?sh\b", text)
        for words in commands_in(text) if shell else []:
            self._command(found, words, depth + 1)

    def _named(self, found: Declared) -> None:
        """Changed files whose names stand in a script that it reads."""
        for _ in range(DEPTH):
            texts = [self._text(path) for path in found.files if path not in self.work.changed or path in found.files]
            named = {name.rstrip(".@+-") for text in texts for name in _PATH.findall(text)}
            names = {name for name in named if _SUFFIX.search(name[-13:])}
            last = {name.rpartition("/")[2] for name in names}
            new = {
                path
                for path in self.work.changed
                if path not in found.files and path.rpartition("/")[2] in last and not self.work.is_test_path(path)
            }
            # What the scripts check is named in them too, if at all, as source.
            new = {path for path in new if path not in self.work.after.files() or path in names}
            if not new:
                return
            found.files |= new

    def _make(self, found: Declared, targets: list[str], depth: int) -> None:
        for name in ("GNUmakefile", "makefile", "Makefile"):
            text = self._text(name)
            if not text:
                continue
            rules: dict[str, tuple[list[str], list[str]]] = {}
            current: list[str] = []
            for line in text.replace("\\\n", " ").splitlines():
                rule = re.match(r"([^\s:=#][^:=#]*):(?!=)([^=]*)$", line)
                if line.startswith("\t"):
                    for target in current:
                        rules[target][1].append(line.strip().lstrip("@-+"))
                elif rule:
                    current = rule[1].split()
                    for target in current:
                        needs, recipe = rules.get(target, ([], []))
                        rules[target] = (needs + rule[2].split("#")[0].split(), recipe)
            first = next((target for target in rules if not target.startswith(".")), None)
            todo, done = list(targets or ([first] if first else [])), set()
            while todo:
                target = todo.pop()
                if target in done or target not in rules:
                    continue
                done.add(target)
                todo += rules[target][0]
                for line in rules[target][1]:
                    for words in commands_in(line):
                        self._command(found, words, depth + 1)
            return

    def _package(self, found: Declared, words: list[str], depth: int) -> None:
        plain = [word for word in words if not word.startswith("-")]
        if not plain:
            return
        name = plain[1] if plain[0] in ("run", "run-script") and len(plain) > 1 else plain[0]
        try:
            scripts = json.loads(self._text("package.json") or "{}").get("scripts", {})
        except (ValueError, AttributeError):
            return
        for each in (f"pre{name}", name, f"post{name}"):
            text = scripts.get(each) if isinstance(scripts, dict) else None
            if isinstance(text, str):
                found.files.add("package.json")
                for inner in commands_in(text):
                    self._command(found, inner, depth + 1)

    def _configs(self, program: str) -> set[str]:
        wanted = _CONFIGS.get(program, ())
        names = {*self.work.changed, *(name for name in wanted if self._text(name))}
        return {path for path in names for name in wanted if fnmatchcase(path, name) or fnmatchcase(path, f"*/{name}")}

    def _path(self, word: str) -> str:
        word = word.removeprefix("./")
        if not word or word.startswith(("-", "/")) or ".." in word.split("/"):
            return ""
        if word in self.work.changed:
            return word
        return word if inside(self.work.root, word) and (self.work.root / word).is_file() else ""

    def _text(self, path: str) -> str:
        data = self.work.graphs.text_now(path)
        return data.decode("utf-8", "replace") if len(data) <= LARGEST else ""


def _runs(work: Work, words: list[str], file: str, unit: Unit | None) -> bool:
    """Whether a command surely runs a test of a file."""
    program, rest = words[0], words[1:]
    suffixes = _SUFFIXES.get(program)
    if suffixes is None or not file.endswith(suffixes):
        return False
    needed = _TEST_WORDS.get(program)
    if needed is not None:
        if not any(word in needed for word in rest):
            return False
        rest = [word for word in rest if word not in needed]
    places: list[str] = []
    texts: list[str] = []
    at = 0
    while at < len(rest):
        word = rest[at]
        name, separator, value = word.partition("=")
        if word in _FILTERS and at + 1 < len(rest):
            texts.append(rest[at + 1])
            at += 1
        elif separator and (name in _FILTERS or name in ("-Dtest", "-Dit.test")):
            texts.append(value)
        elif word == "--test" and at + 1 < len(rest):
            places.append(rest[at + 1])
            at += 1
        elif word in ("-p", "-s", "--package", "-c", "--config", "-n", "-j", "--manifest-path") and at + 1 < len(rest):
            at += 1
        elif not word.startswith("-") and word not in ("discover", "run", "."):
            places.append(word)
        at += 1
    if places and not any(_names(work, place, file, unit) for place in places):
        return False
    spoken = " ".join((file, *(unit.path if unit else ()))).lower()
    return all(any(word.lower() in spoken for word in _WORD.findall(text)) for text in texts)


def _names(work: Work, place: str, file: str, unit: Unit | None) -> bool:
    """Whether a word of a test command stands for a file, or a test in it."""
    path, _, inner = place.replace("\\", "/").removeprefix("./").partition("::")
    path = path.rstrip("/")
    if path.endswith("..."):
        return file.startswith(path[:-3].rstrip("/") + "/" if path[:-3].strip("/") else "")
    if path == file or fnmatchcase(file, path) or (path and file.startswith(path + "/")):
        return not inner or unit is None or inner.split("[")[0].split("::")[-1] in unit.path
    stem = file.rpartition(".")[0]
    module = path.replace(".", "/")
    if module == stem or stem.startswith(module + "/"):
        return True
    if module.startswith(stem + "/"):
        return unit is None or all(part in unit.path for part in module[len(stem) + 1 :].split("/"))
    if (work.root / path).exists():
        return False
    # A pattern of files, the name of a test binary, or of a test.
    return path in file or (unit is not None and any(path in part for part in unit.path))

"""Each action of a policy, both ways."""

# ruff: noqa: E501 (sources, a file a line)

from __future__ import annotations

import pytest

from mmcg.audit.policy.patterns import Pattern
from tests.audit.changing import Changing, only

FILES = {
    "core/__init__.py": "",
    "core/a.py": "def deep():\n    return 1\n\n\ndef mid():\n    return deep()\n\n\ndef top():\n    return mid()\n",
    "core/old.py": "import ui.screen\n\n\ndef legacy():\n    return ui.screen.draw()\n",
    "ui/__init__.py": "",
    "ui/screen.py": "from core.a import top\n\n\ndef draw():\n    return top()\n",
    "ui/button.py": "def press():\n    return 1\n",
    "tests/test_a.py": "from core.a import deep\n\n\ndef test_deep():\n    assert deep() == 1\n",
}
A = FILES["core/a.py"]
DENY = "deny_imports: {from: core, to: [ui, requests]}"
LEGACY = ("denied_import", "warning", "r1")


@pytest.fixture
def shop(tmp_path):
    return Changing(tmp_path / "shop", FILES)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("from ui.screen import draw", ["ui/screen.py"]),
        ("from ui import screen", ["ui/__init__.py", "ui/screen.py"]),
        ("import requests.sessions as s", ["requests.sessions"]),
        ("from core import old", []),
        ("import requests_cache", []),
        ("import json", []),
    ],
)
def test_imports_that_are_denied(shop, line, found):
    shop.write({"core/new.py": f"{line}\n"})
    wanted = [("denied_import", "broken", each) for each in found]
    assert shop.found(DENY) == [*wanted, LEGACY]


def test_what_a_commit_had_is_told_once_and_counts_only_where_the_rule_says_so(shop):
    shop.write({"core/older.py": "x = 1\n"})
    finding = only(shop.check(DENY).findings)
    assert finding.weight == "warning"
    assert "`core/old.py:1`" in finding.message
    assert shop.check(DENY).verdict == "held"
    assert shop.found(DENY.replace("]}", "], existing: true}")) == [("denied_import", "broken", "ui/screen.py")]


def test_a_moved_file_brings_no_new_import(shop):
    shop.write({"core/old.py": None, "core/elder.py": FILES["core/old.py"]})
    assert shop.found(DENY) == [LEGACY]


def test_exceptions_of_files_and_of_what_is_imported(shop):
    shop.write({"core/new.py": "from ui.screen import draw\nfrom ui.button import press\n"})
    assert shop.found(DENY + ", except: [core/new.py, core/old.py]") == []
    rule = "deny_imports: {from: [core/new.py], to: [ui], except: [ui/screen.py]}"
    assert shop.found(rule) == [("denied_import", "broken", "ui/button.py")]
    assert shop.found(rule + ", effect: warning")[0][1] == "warning"


def test_what_is_handed_over_may_be_used(shop):
    shop.write(
        {
            "core/new.py": "def run(screen):\n    return screen.draw()\n",
            "ui/main.py": "from core.new import run\n\n\nclass Screen:\n    def draw(self):\n        return 1\n\n\ndef main():\n    return run(Screen())\n",
        }
    )
    assert shop.found(DENY) == [LEGACY]


def test_a_message_of_the_rule_and_a_rule_about_nothing(shop):
    shop.write({"core/new.py": "import requests\n"})
    done = shop.check(
        DENY + ", message: Core is used without a screen., except: core/old.py",
        "deny_imports: {from: [lib/**], to: [ui]}",
        "no_new_cycles: true, paths: nowhere",
    )
    assert only(done.findings).message.endswith("denies. Core is used without a screen.")
    assert only(done.findings).origin == "r1"
    assert [each for each in done.notices if "Rule" in each] == [
        "Rule `r3`: no file fits `paths`.",
        "Rule `r2`: no file fits `from`.",
    ]


def test_circles_that_are_new(shop):
    shop.write({"core/a.py": "import ui.screen\n\n\n" + A})
    finding = only(shop.check("no_new_cycles: true").findings)
    assert (finding.file, finding.line) == ("core/a.py", 1)
    assert finding.found == "core/a.py → ui/screen.py → core/a.py"
    assert shop.found("no_new_cycles: true, paths: [ui]") == [("new_cycle", "broken", "ui/screen.py")]
    assert shop.found("no_new_cycles: true, paths: [ui/button.py]") == []


def test_circles_that_were_there(tmp_path):
    shop = Changing(tmp_path / "shop", FILES | {"core/a.py": "import ui.screen\n\n\n" + A})
    shop.write(
        {
            "core/a.py": None,
            "core/b.py": "import ui.screen\n\n\n" + A,
            "ui/screen.py": FILES["ui/screen.py"].replace("core.a", "core.b"),
        }
    )
    assert shop.found("no_new_cycles: true") == []
    # Another circle through the same files.
    shop.write({"ui/button.py": "import core.b\n", "core/b.py": "import ui.screen\nimport ui.button\n\n\n" + A})
    assert shop.found("no_new_cycles: true") == [("new_cycle", "broken", "ui/button.py")]


@pytest.mark.parametrize(("most", "found"), [(3, ["core/a.py::deep"]), (4, [])])
def test_blast_radius(shop, most, found):
    # mid, top, draw, legacy; the test does not count.
    shop.write({"core/a.py": A.replace("return 1", "return 2")})
    assert [each[2] for each in shop.found(f"max_blast_radius: {most}")] == found
    assert shop.found(f"max_blast_radius: {most}, paths: [ui]") == []


def test_blast_radius_of_what_is_gone_and_of_what_is_only_laid_out_anew(shop):
    shop.write({"core/a.py": A.replace("return 1", "# one\n    return 1")})
    assert shop.found("max_blast_radius: 0") == []
    shop.write({"core/a.py": A.replace("def deep():\n    return 1\n\n\n", "").replace("deep()", "1")})
    assert ("blast_radius", "broken", "core/a.py::deep") in shop.found("max_blast_radius: 3")


def test_tests_that_are_required(shop):
    shop.write(
        {
            "core/a.py": A.replace("return 1", "return 2"),
            "ui/button.py": FILES["ui/button.py"] + "\n\ndef hold():\n    return 2\n",
        }
    )
    assert shop.found("require_tests: any") == [("untested_change", "broken", "ui/button.py::hold")]
    assert shop.found("require_tests: any, paths: [core]") == []
    assert shop.found("require_tests: changed, paths: core/**") == [("untested_change", "broken", "core/a.py::deep")]
    shop.write({"tests/test_a.py": FILES["tests/test_a.py"].replace("== 1", "== 2")})
    assert shop.found("require_tests: changed, paths: core/**") == []


def test_a_test_that_was_there_is_not_changed_by_its_neighbour(shop):
    shop.write(
        {
            "core/a.py": A.replace("return 1", "return 2"),
            "tests/test_a.py": FILES["tests/test_a.py"] + "\n\ndef test_other():\n    assert True\n",
        }
    )
    assert shop.found("require_tests: changed") == [("untested_change", "broken", "core/a.py::deep")]


def test_declarations_without_a_body_need_no_test(shop):
    shop.write({"core/b.py": "import abc\n\n\nclass Base(abc.ABC):\n    @abc.abstractmethod\n    def run(self): ...\n"})
    assert shop.found("require_tests: any") == []


OWNERS = "*.py @me\n/ui/\n"


def test_owners(shop):
    shop.write(
        {
            ".github/CODEOWNERS": OWNERS,
            "ui/button.py": "def press(hard):\n    return hard\n",
            "core/a.py": A.replace("return 1", "return 2"),
        }
    )
    finding = only(shop.check("require_owners: true").findings)
    assert (finding.file, finding.line) == ("ui/button.py", 1)
    assert "Line 2 (`/ui/`) names nobody" in finding.hint
    assert shop.found("require_owners: true, paths: core") == []
    shop.write({".github/CODEOWNERS": OWNERS + "ui/button.py @you\n"})
    assert shop.found("require_owners: true") == []


def test_what_is_not_public_needs_no_owner(shop):
    shop.write(
        {
            "core/a.py": A + "\n\ndef _own():\n    return 1\n\n\nclass _Own:\n    def x(self):\n        return 1\n",
            "ui/screen.py": FILES["ui/screen.py"],
            "tests/test_b.py": "def test_b():\n    assert 1 + 1 == 2\n",
        }
    )
    assert shop.found("require_owners: true") == []
    shop.write({"ui/button.py": None})
    finding = only(shop.check("require_owners: true").findings)
    assert "There is no CODEOWNERS" in finding.hint
    assert "`press`" in finding.message


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("allow_suppressions: {most: 0}", 2),
        ("allow_suppressions: {most: 1}", 1),
        ("allow_suppressions: {most: 2}", 0),
        ("allow_suppressions: {only: ['noqa: E501']}", 1),
        ("allow_suppressions: {only: ['noqa*', 'type: ignore*']}", 0),
        ("allow_suppressions: {only: [mypy]}", 1),
        ("allow_suppressions: {only: ['noqa*', mypy], most: 1}", 1),
        ("allow_suppressions: {most: 0}, paths: ui", 0),
        ("allow_suppressions: {most: 0}, except: core/a.py", 0),
    ],
)
def test_suppressions(shop, rule, found):
    shop.write(
        {
            "core/a.py": A.replace("return 1", "return 1  # noqa: E501").replace(
                "return mid()", "return mid()  # type: ignore[x]"
            )
        }
    )
    assert [each[0] for each in shop.found(rule)] == ["new_suppression"] * found


def test_a_suppression_that_moves_is_not_new(tmp_path):
    text = A.replace("return 1", "return 1  # noqa: E501")
    shop = Changing(tmp_path / "shop", FILES | {"core/a.py": text})
    shop.write({"core/a.py": None, "core/moved.py": "X = 1\n\n\n" + text})
    assert shop.found("allow_suppressions: {most: 0}") == []


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("src/core", "src/core/a/b.py", True),
        ("src/core/", "src/core/a.py", True),
        ("./src/core", "src/core/a.py", True),
        ("src/core", "src/core2/a.py", False),
        ("src/*/api", "src/x/api/a.py", True),
        ("**/*.go", "a/b.go", True),
        ("com.acme.ui", "java/com/acme/ui/B.java", True),
        ("com.acme.ui.B", "java/com/acme/ui/B.java", True),
        ("com.acme.*", "java/com/acme/ui/B.java", True),
        ("com.acme.ui", "java/com/acme/uix/B.java", False),
        ("App\\Ui", "src/App/Ui/B.php", True),
        ("ui", "src/ui/a.py", False),
    ],
)
def test_patterns_of_paths(pattern, path, fits):
    assert Pattern(pattern).fits_path(path) is fits


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("requests", "requests.sessions", True),
        ("requests", "requests_cache", False),
        ("@scope/*", "@scope/pkg/sub", True),
        ("node:fs", "node:fs", True),
        ("github.com/pkg/errors", "github.com/pkg/errors", True),
        ("std::fs", "std::fs::File", True),
        ("App\\Ui", "App\\Ui\\B", True),
        ("java.util", "java.util.List", True),
        ("ui", "..ui.b", False),
    ],
)
def test_patterns_of_packages(pattern, name, fits):
    assert Pattern(pattern).fits_name(name) is fits


def test_overloads_that_only_declare_need_no_test(shop):
    heads = "".join(f"@overload\ndef both(x: {each}) -> {each}: ...\n" for each in ("int", "str"))
    shop.write(
        {
            "core/b.py": f"from typing import overload\n\n\n{heads}def both(x):\n    return x\n",
            "tests/test_b.py": "from core.b import both\n\n\ndef test_both():\n    assert both(1) == 1\n",
        }
    )
    assert shop.found("require_tests: any") == []

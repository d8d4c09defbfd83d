# ruff: noqa: E501 - sources are specimens, a line each
"""What a change does to keep checks from telling what they would, and what only looks like it."""

from __future__ import annotations

import pytest

from tests.audit.working import Working, one, told

FILES = {
    "shop/cart.py": "import os  # noqa: F401\n\n\ndef total(lines):\n    return sum(lines)\n\n\ndef drop(lines):\n    lines.clear()\n",
    "tests/test_cart.py": """\
import unittest
from shop.cart import drop, total


class CartTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
        self.assertEqual(total([]), 0)

    def test_drop(self):
        lines = [1]
        drop(lines)
        self.assertEqual(lines, [])

    def test_close(self):
        self.assertAlmostEqual(total([0.1, 0.2]), 0.3, places=7)
""",
    "tools/check.py": "import json\nimport sys\n\nMOST = 90\nlimits = json.load(open('tools/limits.json'))\n"
    "if limits['max_bytes'] < 10:\n    sys.exit(1)\n",
    "tools/limits.json": '{"max_bytes": 900, "min_coverage": 80, "skip": []}\n',
    "scripts/style.sh": "#!/bin/sh\nset -e\ngrep -rn gets shop && exit 1\nexit 0\n",
    ".github/workflows/ci.yml": "on: push\njobs:\n  test:\n    runs-on: x\n    steps:\n      - run: pytest\n",
    "Makefile": "check: lint\n\tpytest tests\n\nlint:\n\tflake8 shop\n",
    "package.json": '{"scripts": {"lint": "eslint src", "test": "npm run lint && mocha"}}\n',
    ".pre-commit-config.yaml": "repos:\n- repo: x\n  hooks:\n  - id: flake8\n",
    "pyproject.toml": "[tool.coverage.report]\nfail_under = 80\n",
}
ALL = [{"file": "**"}]
PYTEST = [{"id": "unit", "run": "python -m pytest tests"}]
UNIT = [{"id": "unit", "run": "python3 -m unittest tests.test_cart"}]


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One repository for all; each test puts its files back."""
    return Working(tmp_path_factory.mktemp("masking") / "shop", FILES)


@pytest.fixture
def work(shared):
    yield shared
    for path in {
        *FILES,
        *(str(p.relative_to(shared.root)) for d in ("shop", "tests") for p in (shared.root / d).glob("*.py")),
    }:
        if path in FILES:
            (shared.root / path).parent.mkdir(parents=True, exist_ok=True)
            (shared.root / path).write_text(FILES[path])
        else:
            (shared.root / path).unlink()


def masked(work, **keys):
    """Effects of the masking findings, warnings too."""
    done = work.audit(*ALL, **keys)
    return sorted(each.weight for each in done.findings if each.kind == "suppression_masking")


TEST = "tests/test_cart.py"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("shop/cart.py", "return sum(lines)", "return sum(lines)  # type: ignore"),
        ("shop/cart.py", "noqa: F401", "noqa"),
        (TEST, "    def test_drop", '    @unittest.skip("flaky")\n    def test_drop'),
        (TEST, "    def test_drop", "    @unittest.expectedFailure\n    def test_drop"),
        (TEST, "class CartTest", '@unittest.skip("x")\nclass CartTest'),
        (TEST, "        self.assertEqual(total([]), 0)\n", ""),
        (TEST, "self.assertEqual(lines, [])", "self.assertIsNotNone(lines)"),
        (TEST, "self.assertEqual(lines, [])", "self.assertTrue(True)"),
        (TEST, "self.assertEqual(lines, [])", "self.assertEqual(lines, lines)"),
        (TEST, "places=7", "places=1"),
        (TEST, "self.assertEqual(lines, [])", "self.assertIn(lines, [[], None])"),
        (TEST, "self.assertEqual(lines, [])", "self.assertLessEqual(len(lines), 1)"),
        (TEST, "self.assertAlmostEqual(total([0.1, 0.2]), 0.3, places=7)", "self.assertGreater(total([0.1, 0.2]), 0)"),
        (TEST, "    def test_drop", "    def _test_drop"),
        (TEST, "    def test_drop", "    def drop_test"),
        (
            TEST,
            "    def test_drop(self):\n        lines = [1]\n        drop(lines)\n        self.assertEqual(lines, [])\n\n",
            "",
        ),
        ("scripts/style.sh", "grep -rn gets shop && exit 1", "grep -rn gets shop || true"),
        ("scripts/style.sh", "set -e\n", "set +e\n"),
        (".github/workflows/ci.yml", "- run: pytest", "- run: pytest || true"),
        (".github/workflows/ci.yml", "- run: pytest", "- run: pytest\n        continue-on-error: true"),
        ("Makefile", "\tpytest tests", "\t-pytest tests"),
        ("package.json", "&& mocha", "&& mocha --pass-with-no-tests"),
    ],
)
def test_what_masks_is_drift(work, path, old, new):
    assert masked(work.replace(path, old, new)) == ["drift"]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("shop/cart.py", "import os  # noqa: F401\n\n", "import os, re  # noqa: F401\n\n"),
        ("shop/cart.py", "import os  # noqa: F401\n", ""),
        ("shop/cart.py", "import os  # noqa: F401\n\n\n", "import re\nimport os  # noqa: F401\n\n\n"),
        ("shop/cart.py", "return sum(lines)", "return sum(lines)  # not noqa, nor type: ignore"),
        (TEST, "        self.assertEqual(total([]), 0)", "        self.assertEqual(total([4]), 4)"),
        (TEST, "total([1, 2]), 3)", "total([1, 2, 3]), 6)"),
        (TEST, "self.assertEqual(lines, [])", "self.assertEqual(lines, [])\n        self.assertTrue(True)"),
        (TEST, "test_drop", "test_drops_all"),
        (TEST, "    def test_total", '    @unittest.skipIf(x, "y")\n    def test_new(self):\n        self.assertTrue(total([1]))\n\n'
         "    def test_total"),
        (TEST, "places=7", "places=9"),
        ("scripts/style.sh", "grep -rn gets shop && exit 1", "if grep -rn gets shop; then exit 1; fi"),
        ("scripts/style.sh", "set -e\n", "set -e\n# grep x || true\n"),
        ("scripts/style.sh", "set -e\n", "set -e\nrm -f log || true\n"),
        (TEST, "self.assertEqual(lines, [])", "self.assertIsNone(drop([2]))"),
        ("tools/limits.json", "900", "9000"),
    ],
)  # fmt: skip
def test_what_does_not_mask_is_fine(work, path, old, new):
    assert [each for each in masked(work.replace(path, old, new)) if each != "warning"] == []


@pytest.mark.parametrize(
    ("path", "old", "new", "verify"),
    [
        (TEST, "    def test_drop", '    @unittest.skip("x")\n    def test_drop', PYTEST),
        (TEST, "    def test_drop", '    @unittest.skip("x")\n    def test_drop', UNIT),
        (TEST, "self.assertEqual(lines, [])", "self.assertIsNotNone(lines)", [{"id": "all", "run": "make check"}]),
        ("shop/cart.py", "return sum(lines)", "return sum(lines)  # noqa", [{"id": "all", "run": "make check"}]),
        ("shop/cart.py", "return sum(lines)", "return sum(lines)  # noqa", [{"id": "a", "run": "uv run flake8 shop"}]),
        ("shop/cart.py", "return sum(lines)", "return sum(lines)  # noqa",
         [{"id": "a", "run": "cd . && ruff check", "shell": True}]),
        ("scripts/style.sh", "grep -rn gets shop && exit 1", "grep -rn gets shop || true", [{"id": "s", "run": "sh scripts/style.sh"}]),
        ("scripts/style.sh", "grep -rn gets shop && exit 1\n", "", [{"id": "s", "run": "./scripts/style.sh"}]),
        ("Makefile", "\tflake8 shop", "\t-flake8 shop", [{"id": "m", "run": "make check"}]),
        ("shop/cart.py", "return sum(lines)", "return sum(lines)  # noqa", [{"id": "p", "run": "pre-commit run -a"}]),
        ("tools/limits.json", "900", "9000", [{"id": "c", "run": "python3 tools/check.py"}]),
        ("tools/limits.json", "80", "10", [{"id": "c", "run": "python3 tools/check.py"}]),
        ("tools/check.py", "MOST = 90", "MOST = 900", [{"id": "c", "run": ["python3", "tools/check.py"]}]),
        ("tools/check.py", "    sys.exit(1)", "    pass", [{"id": "c", "run": "python3 tools/check.py"}]),
        ("pyproject.toml", "80", "10", [{"id": "c", "run": "coverage run -m pytest"}]),
    ],
)  # fmt: skip
def test_what_hides_a_declared_check_is_broken(work, path, old, new, verify):
    report = {"verifications": [{"id": each["id"], "result": "pass"} for each in verify]}
    assert masked(work.replace(path, old, new), verify=verify, report=report) == ["broken"]


@pytest.mark.parametrize(
    ("path", "old", "new", "verify"),
    [
        ("shop/cart.py", "return sum(lines)", "return sum(lines)  # noqa", "mypy shop"),
        ("shop/cart.py", "return sum(lines)", "return sum(lines)  # noqa", "echo flake8x"),
        (
            TEST,
            "    def test_drop",
            '    @unittest.skip("x")\n    def test_drop',
            "python3 -m unittest tests.test_other",
        ),
        (TEST, "    def test_drop", '    @unittest.skip("x")\n    def test_drop', "pytest tests -k total"),
        (TEST, "    def test_drop", '    @unittest.skip("x")\n    def test_drop', "cargo test"),
        (TEST, "    def test_drop", '    @unittest.skip("x")\n    def test_drop', "make lint"),
    ],
)
def test_what_hides_no_declared_check_stays_drift(work, path, old, new, verify):
    report = {"verifications": [{"id": "a", "result": "pass"}]}
    assert masked(work.replace(path, old, new), verify=[{"id": "a", "run": verify}], report=report) == ["drift"]


@pytest.mark.parametrize(("old", "new"), [("900", "800"), ("80", "95")])
def test_a_limit_that_is_harder_to_keep_is_fine(work, old, new):
    report = {"verifications": [{"id": "c", "result": "pass"}]}
    verify = [{"id": "c", "run": "python3 tools/check.py"}]
    assert masked(work.replace("tools/limits.json", old, new), verify=verify, report=report) == []


def test_a_planned_test_that_is_skipped_is_broken(work):
    work.replace(TEST, "    def test_drop", '    @unittest.skip("x")\n    def test_drop')
    assert masked(work, tests=[{"file": TEST, "names": ["test_drop"]}]) == ["broken"]


def test_a_test_that_moved_to_another_file_is_not_deleted(work):
    body = "    def test_drop(self):\n        lines = [1]\n        drop(lines)\n        self.assertEqual(lines, [])\n\n"
    work.replace(TEST, body, "")
    work.write(
        {
            "tests/test_drop.py": f"import unittest\nfrom shop.cart import drop\n\n\nclass DropTest(unittest.TestCase):\n{body}"
        }
    )
    assert masked(work) == []


def test_tests_that_became_one_with_parameters_are_not_deleted(work):
    work.replace(TEST, "        self.assertEqual(total([1, 2]), 3)\n        self.assertEqual(total([]), 0)\n",
                 "        for lines, expected in (([1, 2], 3), ([], 0)):\n            self.assertEqual(total(lines), expected)\n")  # fmt: skip
    assert masked(work) == []


def test_a_suppression_that_moved_with_its_function_is_not_added(work):
    work.replace("shop/cart.py", "import os  # noqa: F401\n\n\n", "")
    work.write({"shop/paths.py": "import os  # noqa: F401\n"})
    assert masked(work) == []


def test_what_the_spec_removes_may_go_with_its_test(work):
    work.replace("shop/cart.py", "\n\ndef drop(lines):\n    lines.clear()\n", "")
    work.replace(
        TEST,
        "    def test_drop(self):\n        lines = [1]\n        drop(lines)\n        self.assertEqual(lines, [])\n\n",
        "",
    )
    work.replace(TEST, "import drop, total", "import total")
    assert masked(work, removes=["drop"]) == []


def test_what_the_spec_names_is_allowed(work):
    work.replace("shop/cart.py", "return sum(lines)", "return sum(lines)  # type: ignore[x]")
    work.edits = "The line of the sum may carry `# type: ignore[x]`.\n"
    try:
        assert masked(work) == []
        work.edits = "Do not add `# type: ignore[x]` anywhere.\n"
        assert masked(work) == ["drift"]
    finally:
        work.edits = ""


def test_a_finding_says_where_and_what_it_hides(work):
    work.replace(TEST, "    def test_drop", '    @unittest.skip("flaky")\n    def test_drop')
    done = work.audit(*ALL, verify=PYTEST, report={"verifications": [{"id": "unit", "result": "pass"}]})
    found = one(done, "suppression_masking")
    assert (found.file, found.line) == (TEST, 10)
    assert "test_drop" in found.message
    assert "`unit`" in found.message
    assert told(done, "suppression_masking") == [("CartTest.test_drop", "broken")]


OTHERS = {
    "test/cart.test.js": "it('throws', () => { expect(() => total()).toThrow('no'); });\nit('calls', () => { run(box); expect(box).toHaveBeenCalledWith(1); });\n",
    "src/lib.rs": "#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() { assert_eq!(total(), 3); }\n}\n",
    "ATest.java": "class ATest {\n  @Test void sums() { assertEquals(3, total()); }\n  @Test void more() { assertEquals(4, total()); }\n}\n",
    "tests/a_test.cpp": "TEST(Cart, Sums) { EXPECT_EQ(total(), 3); }\nTEST(Cart, More) { EXPECT_EQ(more(), 3); }\n",
    "ATest.kt": "class ATest {\n  @Test fun sums() { assertEquals(3, total()) }\n  @Test fun more() { assertEquals(4, total()) }\n}\n",
    "test/test_cart.rb": "class TestCart < Minitest::Test\n  def test_sums\n    assert_equal 3, total\n  end\nend\n",
    "spec/cart_spec.rb": "describe Cart do\n  it 'sums' do\n    expect(total).to eq(3)\n  end\nend\n",
    "cart/cart_test.go": 'package cart\nfunc TestSum(t *testing.T) {\n\tif total() != 3 {\n\t\tt.Error("no")\n\t}\n}\n',
}


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("test/cart.test.js", "toThrow('no')", "toThrow()"),
        ("test/cart.test.js", "toHaveBeenCalledWith(1)", "toHaveBeenCalled()"),
        ("test/cart.test.js", "it('throws'", "it.skip('throws'"),
        ("test/cart.test.js", "it('calls'", "xit('calls'"),
        ("test/cart.test.js", "it('calls'", "it.only('calls'"),
        ("src/lib.rs", "    #[test]\n", ""),
        ("src/lib.rs", "#[test]", "#[test]\n    #[ignore]"),
        ("src/lib.rs", "assert_eq!(total(), 3)", "assert!(total() > 0)"),
        ("src/lib.rs", "#[cfg(test)]", "#[allow(unused)]\n#[cfg(test)]"),
        ("ATest.java", "  @Test void sums", "  void sums"),
        ("ATest.java", "  @Test void sums", "  @Disabled @Test void sums"),
        ("ATest.java", "assertEquals(3, total())", "assertNotNull(total())"),
        ("tests/a_test.cpp", "TEST(Cart, Sums)", "TEST(Cart, DISABLED_Sums)"),
        ("tests/a_test.cpp", "EXPECT_EQ(total(), 3)", "EXPECT_GE(total(), 3)"),
        ("ATest.kt", "  @Test fun sums", "  fun sums"),
        ("ATest.kt", "  @Test fun sums", "  @Disabled @Test fun sums"),
        ("ATest.kt", "assertEquals(3, total())", "assertNotNull(total())"),
        ("ATest.kt", "class ATest", '@Suppress("unused")\nclass ATest'),
        ("test/test_cart.rb", "assert_equal 3, total", "refute_nil total"),
        ("test/test_cart.rb", "    assert_equal", "    skip 'later'\n    assert_equal"),
        ("test/test_cart.rb", "  def test_sums", "  def sums"),
        ("spec/cart_spec.rb", "it 'sums'", "xit 'sums'"),
        ("spec/cart_spec.rb", "    expect(total).to eq(3)\n", ""),
        ("spec/cart_spec.rb", "to eq(3)", "to eq(3) # rubocop:disable Foo"),
        ("cart/cart_test.go", "t.Error", "t.Log"),
        ("cart/cart_test.go", "\tif total", "\tt.Skip()\n\tif total"),
    ],
)
def test_each_family_has_its_ways_to_mask(other, path, old, new):
    assert masked(other.replace(path, old, new)) == ["drift"]


def test_what_is_left_out_is_a_warning(work):
    report = {"verifications": [{"id": "c", "result": "pass"}]}
    work.replace("tools/limits.json", '"skip": []', '"skip": ["cart.py"]')
    assert masked(work, verify=[{"id": "c", "run": "python3 tools/check.py"}], report=report) == ["warning"]


@pytest.fixture(scope="module")
def shared_others(tmp_path_factory):
    return Working(tmp_path_factory.mktemp("masking") / "others", OTHERS)


@pytest.fixture
def other(shared_others):
    yield shared_others
    shared_others.write(OTHERS)

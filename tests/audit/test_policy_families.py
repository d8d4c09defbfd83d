"""Each action of a policy in every language family: what it finds in a change, and that it finds nothing else."""

# ruff: noqa: E501 (sources of other languages, a file a line)

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from tests.audit.changing import Changing

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

RULES = (
    "deny_imports: {from: core, to: [ui, banned, 'com.banned', 'Banned', 'example.org/banned']}",
    "max_blast_radius: 1",
    "require_tests: any",
    "require_owners: true, paths: core",
    "allow_suppressions: {most: 0}",
)


@dataclass
class Family:
    """A core that a screen and a test use; the core is changed in several ways."""

    name: str
    core: tuple[str, str]
    """Its path and text: `deep`, called by `mid`, called by `top`."""
    ui: tuple[str, str]
    test: tuple[str, str]
    """It calls `top`."""
    harmless: tuple[str, str]
    """A new file beside it that uses it, is private or declared, and breaks nothing; None for no such file."""
    using: tuple[str, str]
    """A new file in the core that needs the screen."""
    external: tuple[str, str]
    """One that needs a banned package."""
    body: tuple[str, str] = ("return 1", "return 2")
    silenced: str = ""
    """The line of `deep` with something that silences a tool."""
    others: dict[str, str] = field(default_factory=dict)


FAMILIES = [
    Family(
        "python",
        (
            "core/a.py",
            "def deep():\n    return 1\n\n\ndef mid():\n    return deep()\n\n\ndef top():\n    return mid()\n",
        ),
        ("ui/b.py", "from core.a import top\n\n\ndef draw():\n    return top()\n"),
        ("tests/test_a.py", "from core.a import top\n\n\ndef test_top():\n    assert top() == 1\n"),
        ("core/c.py", "from core.a import top\n\n_X = top()\n"),
        ("core/u.py", "from ui.b import draw as _draw\n\n_Y = _draw()\n"),
        ("core/e.py", "import banned.sub\n"),
        silenced="return 2  # noqa",
    ),
    Family(
        "typescript",
        (
            "core/a.ts",
            "function deep(): number { return 1 }\nfunction mid() { return deep() }\nexport function top() { return mid() }\n",
        ),
        ("ui/b.ts", 'import { top } from "../core/a"\nexport function draw() { return top() }\n'),
        ("core/a.test.ts", 'import { top } from "./a"\nit("tops", () => { expect(top()).toBe(1) })\n'),
        ("core/c.ts", 'import { top } from "./a"\nconst x = top()\n'),
        ("core/u.ts", 'import { draw } from "../ui/b"\nconst y = draw()\n'),
        ("core/e.ts", 'import { z } from "banned/sub"\n'),
        silenced="// eslint-disable-next-line\n return 2",
    ),
    Family(
        "javascript",
        (
            "core/a.js",
            "function deep() { return 1 }\nfunction mid() { return deep() }\nfunction top() { return mid() }\nmodule.exports = { top }\n",
        ),
        (
            "ui/b.js",
            'const { top } = require("../core/a")\nfunction draw() { return top() }\nmodule.exports = { draw }\n',
        ),
        ("core/a.test.js", 'const { top } = require("./a")\ntest("tops", () => { expect(top()).toBe(1) })\n'),
        ("core/c.js", 'const a = require("./a")\na.top()\n'),
        ("core/u.js", 'const { draw } = require("../ui/b")\ndraw()\n'),
        ("core/e.js", 'const z = require("banned")\n'),
        silenced="/* eslint-disable */ return 2",
    ),
    Family(
        "go",
        (
            "core/a.go",
            "package core\n\nfunc deep() int { return 1 }\n\nfunc mid() int { return deep() }\n\nfunc Top() int { return mid() }\n",
        ),
        ("ui/b.go", 'package ui\n\nimport "acme.org/x/core"\n\nfunc Draw() int { return core.Top() }\n'),
        (
            "core/a_test.go",
            'package core\n\nimport "testing"\n\nfunc TestTop(t *testing.T) {\n\tif Top() != 1 {\n\t\tt.Fatal("no")\n\t}\n}\n',
        ),
        ("core/c.go", "package core\n\nvar x = Top()\n"),
        ("core/u.go", 'package core\n\nimport "acme.org/x/ui"\n\nvar y = ui.Draw()\n'),
        ("core/e.go", 'package core\n\nimport "example.org/banned/sub"\n\nvar z = sub.X\n'),
        silenced="return 2 //nolint",
        others={"go.mod": "module acme.org/x\n\ngo 1.21\n"},
    ),
    Family(
        "rust",
        (
            "core/a.rs",
            "fn deep() -> u8 { return 1; }\n\nfn mid() -> u8 { deep() }\n\npub fn top() -> u8 { mid() }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn tops() {\n        assert_eq!(top(), 1);\n    }\n}\n",
        ),
        ("ui/b.rs", "pub fn draw() -> u8 { crate::a::top() }\n"),
        ("notes.txt", "The test stands beside the code.\n"),
        ("core/c.rs", "use crate::a::top;\n"),
        ("core/u.rs", "fn _hidden() {}\nconst Y: fn() -> u8 = crate::b::draw;\n"),
        ("core/e.rs", "use banned::Sub;\n"),
        silenced="#[allow(clippy::all)] return 2",
        others={
            "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\n[lib]\npath = "lib.rs"\n',
            "lib.rs": '#[path = "core/a.rs"]\nmod a;\n#[path = "ui/b.rs"]\nmod b;\n#[path = "core/u.rs"]\nmod u;\n',
        },
    ),
    Family(
        "java",
        (
            "core/A.java",
            "package core;\n\npublic class A {\n    static int deep() { return 1; }\n    static int mid() { return deep(); }\n    public static int top() { return mid(); }\n}\n",
        ),
        (
            "ui/B.java",
            "package ui;\n\nimport core.A;\n\npublic class B {\n    public static int draw() { return A.top(); }\n}\n",
        ),
        (
            "test/ATest.java",
            "package core;\n\nimport org.junit.jupiter.api.Test;\n\nclass ATest {\n    @Test void tops() { assertEquals(1, A.top()); }\n}\n",
        ),
        ("core/C.java", "package core;\n\nclass C {\n    int x = A.top();\n}\n"),
        ("core/U.java", "package core;\n\nimport ui.B;\n\nclass U {\n    int y = B.draw();\n}\n"),
        ("core/E.java", "package core;\n\nimport com.banned.Sub;\n\nclass E {\n}\n"),
        silenced='@SuppressWarnings("all") int x; return 2',
    ),
    Family(
        "csharp",
        (
            "core/A.cs",
            "namespace Acme.Core;\n\npublic class A\n{\n    static int Deep() { return 1; }\n    static int Mid() { return Deep(); }\n    public static int Top() { return Mid(); }\n}\n",
        ),
        (
            "ui/B.cs",
            "using Acme.Core;\n\nnamespace Acme.Ui;\n\npublic class B\n{\n    public static int Draw() { return A.Top(); }\n}\n",
        ),
        (
            "tests/ATest.cs",
            "using Acme.Core;\nusing Xunit;\n\npublic class ATest\n{\n    [Fact]\n    public void Tops() { Assert.Equal(1, A.Top()); }\n}\n",
        ),
        ("core/C.cs", "namespace Acme.Core;\n\nclass C\n{\n    int x = A.Top();\n}\n"),
        ("core/U.cs", "using Acme.Ui;\n\nnamespace Acme.Core;\n\nclass U\n{\n    int y = B.Draw();\n}\n"),
        ("core/E.cs", "using Banned.Sub;\n\nnamespace Acme.Core;\n\nclass E\n{\n}\n"),
        silenced="\n#pragma warning disable CS0618\nreturn 2",
    ),
    Family(
        "php",
        (
            "core/A.php",
            "<?php\nnamespace App\\Core;\n\nclass A\n{\n    private static function deep() { return 1; }\n    private static function mid() { return self::deep(); }\n    public static function top() { return self::mid(); }\n}\n",
        ),
        (
            "ui/B.php",
            "<?php\nnamespace App\\Ui;\n\nuse App\\Core\\A;\n\nclass B\n{\n    public static function draw() { return A::top(); }\n}\n",
        ),
        (
            "tests/ATest.php",
            "<?php\nuse App\\Core\\A;\nuse PHPUnit\\Framework\\TestCase;\n\nclass ATest extends TestCase\n{\n    public function testTops(): void { $this->assertSame(1, A::top()); }\n}\n",
        ),
        ("core/c.php", "<?php\nuse App\\Core\\A;\n\nA::top();\n"),
        ("core/u.php", "<?php\n\\App\\Ui\\B::draw();\n"),
        ("core/e.php", "<?php\nuse Banned\\Sub\\X;\n"),
        silenced="return 2; // phpcs:ignore",
        others={"composer.json": '{"autoload": {"psr-4": {"App\\\\Core\\\\": "core/", "App\\\\Ui\\\\": "ui/"}}}'},
    ),
    Family(
        "c",
        (
            "core/a.c",
            '#include "a.h"\n\nstatic int deep(void) { return 1; }\nstatic int mid(void) { return deep(); }\nint top(void) { return mid(); }\n',
        ),
        ("ui/b.c", '#include "../core/a.h"\n#include "b.h"\n\nint draw(void) { return top(); }\n'),
        (
            "tests/test_a.c",
            '#include "../core/a.h"\n#include <assert.h>\n\nvoid test_top(void) { assert(top() == 1); }\n',
        ),
        ("core/c.h", '#include "a.h"\n'),
        ("core/u.h", '#include "../ui/b.h"\n'),
        ("core/e.h", "#include <banned/sub.h>\n"),
        silenced="return 2; /* NOLINT */",
        others={"core/a.h": "int top(void);\n", "ui/b.h": "int draw(void);\n"},
    ),
    Family(
        "cpp",
        (
            "core/a.cpp",
            '#include "a.hpp"\n\nnamespace {\nint deep() { return 1; }\n}\nstatic int mid() { return deep(); }\nint top() { return mid(); }\n',
        ),
        ("ui/b.cpp", '#include "../core/a.hpp"\n#include "b.hpp"\n\nint draw() { return top(); }\n'),
        (
            "tests/a_test.cpp",
            '#include "../core/a.hpp"\n#include <gtest/gtest.h>\n\nTEST(A, Tops) { EXPECT_EQ(top(), 1); }\n',
        ),
        ("core/c.hpp", '#include "a.hpp"\n'),
        ("core/u.hpp", '#include "../ui/b.hpp"\n'),
        ("core/e.hpp", "#include <banned/sub.h>\n"),
        silenced="return 2; // NOLINT",
        others={"core/a.hpp": "int top();\n", "ui/b.hpp": "int draw();\n"},
    ),
    Family(
        "kotlin",
        (
            "core/A.kt",
            "package core\n\nprivate fun deep(): Int { return 1 }\n\nprivate fun mid(): Int { return deep() }\n\nfun top(): Int { return mid() }\n",
        ),
        ("ui/B.kt", "package ui\n\nimport core.top\n\nfun draw(): Int { return top() }\n"),
        (
            "test/ATest.kt",
            "package core\n\nimport org.junit.jupiter.api.Test\n\nclass ATest {\n    @Test\n    fun tops() { assertEquals(1, top()) }\n}\n",
        ),
        ("core/C.kt", "package core\n\nprivate val x = top()\n"),
        ("core/U.kt", "package core\n\nimport ui.draw\n\nprivate val y = draw()\n"),
        ("core/E.kt", "package core\n\nimport com.banned.Sub\n"),
    ),
    Family(
        "ruby",
        ("core/a.rb", "def deep\n  return 1\nend\n\ndef mid\n  deep\nend\n\ndef top\n  mid\nend\n"),
        ("ui/b.rb", 'require_relative "../core/a"\n\ndef draw\n  top\nend\n'),
        (
            "test/test_a.rb",
            'require "minitest/autorun"\nrequire_relative "../core/a"\n\nclass TestA < Minitest::Test\n  def test_top\n    assert_equal 1, top\n  end\nend\n',
        ),
        ("core/c.rb", 'require_relative "a"\n\nX = 1\n'),
        ("core/u.rb", 'require_relative "../ui/b"\n\nY = 1\n'),
        ("core/e.rb", 'require "banned/sub"\n'),
    ),
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_what_a_policy_finds(family: Family, tmp_path: Path) -> None:
    pairs = (family.core, family.ui, family.test)
    change = Changing(tmp_path / "shop", dict(pairs) | family.others)
    files = {"CODEOWNERS": "* @me\n"}
    change.write({**files, family.harmless[0]: family.harmless[1]})
    assert change.found(*RULES) == []
    for path, text in (family.using, family.external):
        change.write({path: text})
        (found,) = [each for each in change.check(*RULES).findings if each.kind == "policy_denied_import"]
        assert found.file == path
        (change.root / path).unlink()
    path, text = family.core
    old, new = family.body
    assert old in text
    change.write({path: text.replace(old, new)})
    kinds = [each.kind for each in change.check(*RULES).findings]
    assert kinds == ["policy_blast_radius"]
    if family.silenced:
        change.write({path: text.replace(old, family.silenced)})
        kinds = [each.kind for each in change.check(*RULES[3:]).findings]
        assert kinds == ["policy_new_suppression"]
    (change.root / family.test[0]).unlink()
    (change.root / "CODEOWNERS").unlink()
    change.write(
        {
            path: _without_test(text)
            .replace(old, new)
            .replace("top(", "top2(")
            .replace("Top(", "Top2(")
            .replace("def top", "def top2")
        }
    )
    kinds = {each.kind for each in change.check(*RULES[2:4]).findings}
    assert kinds == {"policy_untested_change", "policy_unowned_change"}


def _without_test(text: str) -> str:
    return text.split("#[cfg(test)]")[0]

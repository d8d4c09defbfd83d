"""What is marked as a test is one wherever it stands; a name alone makes one only where tests are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mmcg.graph import open_graph
from tests.trees import answer, write_tree

if TYPE_CHECKING:
    from pathlib import Path

MARKED = {
    "src/lib.rs": (
        "pub fn add(a: i32) -> i32 { a }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
        "    #[test]\n    fn adds() { add(1); }\n\n    #[tokio::test]\n    async fn waits() { add(1); }\n}\n",
        {"tests.adds", "tests.waits"},
    ),
    "src/Sum.java": (
        "import org.junit.jupiter.api.Test;\n\nclass Sum {\n    static int add(int a) { return a; }\n"
        "    @Test void adds() { add(1); }\n    @Deprecated void other() { add(1); }\n}\n",
        {"Sum.adds"},
    ),
    "src/Sum.cs": (
        "using Xunit;\n\npublic class Sum\n{\n    public static int add(int a) { return a; }\n"
        "    [Fact] public void Adds() { add(1); }\n    [Obsolete] public void Other() { add(1); }\n}\n",
        {"Sum.Adds"},
    ),
    "src/sum.py": (
        "from functools import cache\n\n\ndef add(a):\n    return a\n\n\n@cache\ndef test_mode():\n    return add(1)\n",
        set(),
    ),
}


@pytest.mark.parametrize("path", MARKED)
def test_tests_in_ordinary_files(path: str, tmp_path: Path) -> None:
    text, tests = MARKED[path]
    write_tree(tmp_path, {path: text})
    answer("index", cwd=tmp_path)
    with open_graph(tmp_path) as graph:
        rows = graph.tests("add").results
    assert {row["symbol"].partition("::")[2] for row in rows} == tests

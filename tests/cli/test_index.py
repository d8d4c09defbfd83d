"""`mastermind index` and `mastermind doctor`, as other programs see them."""

import pytest

from tests.trees import answer, mastermind, write_chain, write_tree


@pytest.fixture
def tree(tmp_path):
    write_chain(tmp_path, 3)
    return tmp_path


def test_the_answer_of_index(tree):
    found = answer("index", str(tree))
    assert found["status"] == "ok"
    assert found["root"] == str(tree)
    assert (found["files"], found["parsed"], found["reused"]) == (4, 4, 0)
    assert (found["symbols"], found["call_sites"]) == (8, 3)
    assert found["edges"] == {"exact": 3, "inferred": 0, "possible": 0, "external": 0, "unresolved": 0}
    assert found["languages"] == {"python": 4}
    assert (found["skipped"], found["problems"], found["notices"]) == ([], [], [])
    assert found["seconds"] > 0


def test_the_second_time_everything_is_reused(tree):
    first, second = answer("index", cwd=tree), answer("index", cwd=tree)
    assert first.keys() == second.keys()
    assert second["root"] == "."
    assert (second["parsed"], second["reused"]) == (0, 4)
    assert second["edges"] == first["edges"]
    assert answer("index", "--rebuild", "--jobs", "1", cwd=tree)["parsed"] == 4


def test_what_was_left_out_is_said(tree):
    (tree / "data.py").write_bytes(b"\0" * 100)
    write_tree(tree, {"broken.py": "def f(:\n"})
    for _ in range(2):
        found = answer("index", cwd=tree)
        assert found["skipped"] == [{"path": "data.py", "reason": "binary"}]
        assert [(each["path"], each["code"]) for each in found["problems"]] == [("broken.py", "syntax_error")]


@pytest.mark.parametrize("path", ["missing", "m0.py"])
def test_a_bad_path_is_bad_usage(tree, path):
    done = mastermind("index", path, cwd=tree)
    assert done.returncode == 2
    assert f"`{path}`" in done.stderr


def test_a_store_that_cannot_be_written(tree):
    (tree / ".mastermind").touch()
    done = mastermind("index", cwd=tree)
    assert (done.returncode, done.stdout) == (3, "")
    assert ".mastermind` cannot be written" in done.stderr


def test_doctor_is_content_with_a_fresh_index(tree):
    mastermind("index", cwd=tree)
    done = mastermind("doctor", cwd=tree)
    assert (done.returncode, done.stderr) == (0, "")
    assert "fresh" in done.stdout
    report = answer("doctor", cwd=tree)
    assert (report["status"], report["wrong"]) == ("ok", [])
    assert report["index"]["languages"] == {"python": 4}
    assert report["index"]["edges"]["exact"] == 3
    assert report["versions"]["duckdb"]


def test_doctor_finds_a_stale_index(tree):
    mastermind("index", cwd=tree)
    write_tree(tree, {"new.py": ""})
    report = answer("doctor", cwd=tree)
    assert report["status"] == "wrong"
    assert report["index"]["changed"] == 1
    assert mastermind("doctor", cwd=tree).returncode == 1


def test_a_bad_index_is_an_error_for_all_but_index(tree):
    mastermind("index", cwd=tree)
    (tree / ".mastermind" / "mmcg.db").write_bytes(b"nonsense" * 3000)
    for arguments in (["doctor"], ["query", "callers", "first_1"]):
        done = mastermind(*arguments, cwd=tree)
        assert done.returncode == 3
        assert "mastermind index" in done.stderr
    done = mastermind("index", cwd=tree)
    assert done.returncode == 0
    assert "set aside as `mmcg.db.bad-" in done.stderr
    assert mastermind("doctor", cwd=tree).returncode == 0

"""Every answer comes from the newest snapshot, and what was read is kept as long as it is true."""

from __future__ import annotations

import pytest

from mmcg.errors import BadIndexError, NoIndexError
from mmcg.mcp.readers import Readers
from mmcg.settings import Places
from tests.fake_core import fake_meta, graph_tables, publish


def put(root, path, **meta):
    (root / ".mastermind").mkdir(exist_ok=True)
    publish(root, graph_tables(files=[{"id": 0, "path": path}]), fake_meta(root, **meta))


def seen(readers):
    with readers.context() as context:
        return context, list(context.files()), context.index.meta.built_at


@pytest.fixture
def readers(tmp_path):
    made = Readers(Places(tmp_path))
    yield made
    made.forget()


def test_the_newest_snapshot_answers_and_old_ones_go_on_until_they_are_done(tmp_path, readers):
    put(tmp_path, "0")
    with readers.context() as old:
        for number in range(1, 4):
            put(tmp_path, str(number))
            assert seen(readers)[1] == [str(number)]
            assert old.rows("SELECT path FROM files") == [("0",)]
    assert seen(readers)[1] == ["3"]


SAME = {"summary": {"content": "a"}}


@pytest.mark.parametrize(
    ("then", "now", "kept"),
    [
        (SAME, SAME, True),
        (SAME, {"summary": {"content": "b"}}, False),
        (SAME, {"summary": {}}, False),
        ({"summary": {}}, {"summary": {}}, False),
        (SAME, SAME | {"mmcg_version": "0.2.0"}, False),
        (SAME, SAME | {"core": {"build": "another"}}, False),
    ],
)
def test_a_snapshot_of_the_same_content_by_the_same_version_takes_over_what_was_read(
    tmp_path, readers, then, now, kept
):
    put(tmp_path, "f", built_at="2026-01-01T00:00:00Z", **then)
    first = seen(readers)
    put(tmp_path, "f" if kept else "g", built_at="2026-01-02T00:00:00Z", **now)
    second = seen(readers)
    assert (second[0] is first[0]) is kept
    assert second[1:] == (["f" if kept else "g"], "2026-01-02T00:00:00Z")
    # And so on.
    put(tmp_path, "h", built_at="2026-01-03T00:00:00Z", summary={"content": "c"})
    assert seen(readers)[1:] == (["h"], "2026-01-03T00:00:00Z")


def test_an_index_that_is_spoilt_or_gone_is_said_to_be_and_opened_again_when_it_is_back(tmp_path, readers):
    put(tmp_path, "0")
    assert seen(readers)[1] == ["0"]
    database = Places(tmp_path).database
    for spoil, error in (
        (lambda: database.write_bytes(b"no database\n" * 500), BadIndexError),
        (database.unlink, NoIndexError),
    ):
        spoil()
        for _ in range(2):
            with pytest.raises(error):
                seen(readers)
    put(tmp_path, "1")
    assert seen(readers)[1] == ["1"]

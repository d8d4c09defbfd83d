"""Each walk ends in the verdict that it is there to show, given by the program itself."""

import json
import subprocess

import pytest

from mmcg.demo import story
from mmcg.demo.play import DemoError, play
from tests.trees import command, environment

ENDINGS = {
    "hallucinated-symbol": ("broken", "hallucinated_existing_symbol", "Cart.discounted"),
    "scope-creep": ("broken", "scope_creep", "shop/tax.py"),
    "signature-drift": ("broken", "signature_changed", "shop/cart.py:12"),
    "stale-edit": ("fail", "find_not_found", "RATE = 20"),
    "vacuous-test": ("broken", "vacuous_test_pass", "test_an_empty_cart"),
}


def demo(*words, folder):
    return subprocess.run(
        command("demo", *words), cwd=folder, env=environment(), capture_output=True, text=True, check=False
    )


def test_there_is_an_ending_for_every_walk():
    assert story.names() == sorted(ENDINGS)


@pytest.mark.parametrize("name", sorted(ENDINGS))
def test_a_walk_ends_in_its_verdict(name, tmp_path):
    said = []
    played = play(story.read(name), tmp_path, said.append)
    verdict, kind, about = ENDINGS[name]
    assert played.verdict == verdict
    assert any(each["kind"] == kind and about in each["message"] for each in played.answer["findings"])
    text = "\n".join(said)
    assert kind in text
    assert f"# {played.story.title}" in text


def test_a_walk_as_json(tmp_path):
    done = demo("stale-edit", "--json", folder=tmp_path)
    (row,) = json.loads(done.stdout)["played"]
    assert (done.returncode, row["scenario"], row["verdict"], row["folder"]) == (0, "stale-edit", "fail", None)
    assert list(tmp_path.iterdir()) == []


def test_the_repository_stays_where_one_asks_for_it(tmp_path):
    done = demo("stale-edit", "--keep", "here", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "here" / "stale-edit" / ".mastermind" / "tasks" / "001-lower-the-rate" / "spec.md").is_file()
    again = demo("stale-edit", "--keep", "here", folder=tmp_path)
    assert (again.returncode, "not an empty folder" in again.stderr) == (2, True)


def test_an_unknown_walk_gets_the_nearest_names(tmp_path):
    done = demo("scope-crep", folder=tmp_path)
    assert (done.returncode, "`scope-creep`" in done.stderr) == (2, True)


def test_walks_are_listed(tmp_path):
    done = demo("--list", folder=tmp_path)
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == sorted(ENDINGS)


def test_a_walk_needs_git(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DemoError, match="`git` is not installed"):
        play(story.read("stale-edit"), tmp_path, lambda _: None)


def test_a_page_with_an_unknown_step_is_refused():
    with pytest.raises(ValueError, match="step `Afterwards`"):
        story.parsed("odd", "# Odd\n\n## Afterwards\n")

"""How the accuracy is counted, on a truth small enough to count by hand."""

from __future__ import annotations

import pytest

from benches.accuracy import errors, floors, micro, page, truth
from benches.accuracy.run import Result
from benches.accuracy.score import Score, score
from tests.trees import PROJECT


def site(line, name, target, column=4, **more):
    """A site in `a.py`; the target is a line in `b.py`, `None`, or the word that leaves it out."""
    if isinstance(target, int):
        target = {"file": "b.py", "line": target, "name": f"B.{name}"}
    return truth.site({"file": "a.py", "line": line, "col": column, "name": name, "target": target, **more})


def edge(line, name, target, confidence="exact", column=4, rule="lexical"):
    """A row of `export edges` for a call in `a.py`."""
    place = {"target": None, "target_file": None, "target_line": None}
    if target is not None:
        place = {"target": f"b.py::B.{name}@{target}", "target_file": "b.py", "target_line": target}
    return {
        "file": "a.py",
        "line": line,
        "column": column + 1,
        "name": name,
        "confidence": confidence,
        "rule": rule,
    } | place


def figures(found: Score):
    return found.sites, found.outside, found.found, found.answers, found.right, found.wrong_outside


def test_right_wrong_and_missed_answers_are_counted():
    sites = [site(1, "f", 10), site(2, "g", 20), site(3, "h", 30), site(4, "print", None)]
    found = score(sites, [edge(1, "f", 10), edge(2, "g", 21), edge(2, "g", 20, "inferred")])
    assert figures(found) == (3, 1, 2, 3, 2, 0)
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(2 / 3)
    assert [error.answer.place for error in found.wrong] == [("b.py", 21)]
    assert [error.site.name for error in found.missed] == ["h"]


def test_an_answer_for_a_call_that_leaves_the_project_is_wrong_and_silence_is_none():
    found = score(
        [site(1, "get", None), site(2, "dumps", None)], [edge(1, "get", 10), edge(2, "dumps", None, "external")]
    )
    assert figures(found) == (0, 2, 0, 1, 0, 1)
    assert (found.precision, found.recall) == (0, 1)


def test_saying_that_a_call_of_the_project_leaves_it_costs_recall_alone():
    found = score([site(1, "f", 10)], [edge(1, "f", None, "external")])
    assert (found.precision, found.recall) == (1, 0)


def test_overrides_of_virtual_calls_and_other_places_of_the_target_are_right():
    overrides = [{"file": "b.py", "line": 11}]
    sites = [
        site(1, "f", 10, virtual=True, overrides=overrides),
        site(2, "f", 10, overrides=overrides),
        site(3, "f", 10, alts=[{"file": "b.py", "line": 9}]),
        site(4, "f", 10, declared={"file": "b.py", "line": 8}),
        site(5, "f", None, virtual=True, overrides=overrides),
        site(6, "f", None, alts=[{"file": "b.py", "line": 9}]),
    ]
    rows = [
        edge(1, "f", 10),
        *(edge(at, "f", 11) for at in (1, 2, 5)),
        edge(3, "f", 9),
        edge(4, "f", 8),
        edge(6, "f", 9),
    ]
    found = score(sites, rows)
    assert [(error.site.line, error.answer.place[1]) for error in found.wrong] == [(2, 11), (6, 9)]
    assert (found.found, found.right) == (3, 5)


def test_the_column_tells_calls_of_one_name_in_a_line_apart():
    sites = [site(1, "f", 10, column=0), site(1, "f", 11, column=8)]
    found = score(sites, [edge(1, "f", 10, column=0), edge(1, "f", 11, column=8), edge(1, "f", 12, column=20)])
    assert figures(found) == (2, 0, 2, 2, 2, 0)


@pytest.mark.parametrize(
    "left_out",
    [
        site(1, "f", "unresolved"),
        site(1, "f", 10, kind="macro"),
        site(1, "f", 10, kind="methodref"),
        site(1, "f", {"file": "b.py", "line": 10, "name": "f", "generated": True}),
    ],
    ids=["unknown", "macro", "reference", "generated"],
)
def test_what_the_judge_does_not_know_is_left_out(left_out):
    assert figures(score([left_out], [edge(1, "f", 12)])) == (0, 0, 0, 0, 0, 0)


def test_possible_answers_are_counted_apart():
    found = score([site(1, "f", 10)], [edge(1, "f", 10, "possible"), edge(1, "f", 11, "possible")])
    assert figures(found) == (1, 0, 0, 0, 0, 0)
    assert found.by_confidence["possible"] == {"answers": 2, "right": 1, "found": 1}


def test_one_place_is_one_answer_with_its_surest_confidence():
    found = score(
        [site(1, "f", 10)], [edge(1, "f", 10, "inferred"), edge(1, "f", 10, "exact"), edge(1, "f", 10, "possible")]
    )
    assert {name: counts["answers"] for name, counts in found.by_confidence.items()} == {
        "exact": 1,
        "inferred": 0,
        "possible": 0,
    }


@pytest.mark.parametrize(
    ("rows", "saying"),
    [
        ([], "unseen"),
        ([edge(1, "f", None, "unresolved")], "unresolved"),
        ([edge(1, "f", None, "external")], "external"),
        ([edge(1, "f", 10, "possible"), edge(1, "f", 11, "possible")], "possible"),
        ([edge(1, "f", 11, "possible")], "other_possible"),
        ([edge(1, "f", 11), edge(1, "f", 10, "possible")], "other"),
    ],
)
def test_a_missed_site_tells_what_was_said_instead(rows, saying):
    assert [error.saying for error in score([site(1, "f", 10)], rows).missed] == [saying]
    assert saying in errors.SAYINGS


def test_wrong_answers_are_told_apart():
    sites = [site(1, "f", None), site(2, "f", 10), site(3, "f", 10), site(4, "f", 10), site(5, "f", 11)]
    other = edge(4, "f", 12) | {"target": "b.py::C.other"}
    unbuilt = edge(5, "f", 1) | {"target_file": "windows.py"}
    found = score(sites, [edge(1, "f", 9), edge(2, "f", 9, rule="override"), edge(3, "f", 9), other, unbuilt])
    relations = [errors.relation(error, found.files) for error in found.wrong]
    assert relations == ["outside", "override", "owner", "name", "unbuilt"]
    assert set(relations) == set(errors.RELATIONS)


def test_errors_are_listed_with_what_was_said_and_what_is_true():
    found = score(
        [site(1, "f", 10), site(2, "g", None)], [edge(1, "f", None, "external"), edge(2, "g", 20, rule="flow")]
    )
    assert list(errors.listed(found)) == [
        "wrong  a.py:2 g: exact flow b.py:20 B.g, not outside",
        "missed a.py:1 f: said to leave the project, not B.f | b.py:10",
    ]


def test_forms_are_told_by_the_text_before_the_name(tmp_path):
    (tmp_path / "a.py").write_text("f(x)\nx.f()\nx->f()\nX::f()\nx.\n  f()\n", encoding="utf-8")
    form = errors.form_in(tmp_path)
    places = [(1, 0), (2, 2), (3, 3), (4, 3), (6, 2)]
    assert [form(site(line, "f", 1, column)) for line, column in places] == [
        "name",
        "member",
        "member",
        "path",
        "member",
    ]
    assert form(site(1, "f", 1, kind="new")) == "constructs"
    assert form(site(1, "f", 1, in_macro=True)) == "macro"


def test_other_source_than_was_judged_is_noticed(tmp_path):
    (tmp_path / "a.py").write_text("x = f()\n", encoding="utf-8")
    assert truth.differing([site(1, "f", 10)], tmp_path) == []
    moved, gone = site(2, "f", 10), truth.site({"file": "c.py", "line": 1, "col": 0, "name": "f", "target": None})
    assert truth.differing([site(1, "f", 10), moved, gone], tmp_path) == [moved, gone]


def test_floors_are_raised_and_never_lowered(tmp_path, monkeypatch):
    monkeypatch.setattr(floors, "FILE", tmp_path / "floors.toml")
    for recall, floor in ((0.91, 0.908), (0.95, 0.948), (0.90, 0.948)):
        floors.FILE.write_text(floors.raised({"it": {"recall": recall}}), encoding="utf-8")
        assert floors.read() == {"it": {"recall": floor}}
    assert floors.below("it", {"recall": 0.948}) == []
    assert floors.below("it", {"recall": 0.947}) == ["it: recall 0.9470 is below its floor 0.9480"]
    assert "has no floor" in floors.below("other", {"recall": 1.0})[0]


def test_calls_in_lambdas_and_modules_have_the_benchmark_s_names():
    assert micro.outside_lambda("main.f.<lambda1>") == "main.f"
    assert micro.dotted_address("pkg/__init__.py::<module>") == "pkg"
    assert micro.dotted_address("pkg/sub.py::C.m@12") == "pkg.sub.C.m"


def test_a_case_compares_pairs_of_functions(tmp_path):
    (tmp_path / "main.py").write_text(
        "class C:\n    def __init__(self): pass\n\ndef f(): C()\n\nf()\n", encoding="utf-8"
    )
    graph = '{"main": ["main.f"], "main.f": ["main.C.__init__"], "main.C": [], "main.g.<lambda1>": ["builtins.print"]}'
    (tmp_path / "callgraph.json").write_text(graph, encoding="utf-8")
    case = micro.run(tmp_path)
    assert case.wanted == case.found == {("main", "main.f"), ("main.f", "main.C.__init__")}
    pairs = micro.Pairs.of([case, micro.Case("x/y", frozenset({("a", "b")}), frozenset({("a", "c")}))])
    assert (pairs.wanted, pairs.found, pairs.both) == (3, 3, 2)


def test_every_project_is_listed_with_a_truth_and_has_floors():
    names = {project.name for project in truth.projects()}
    assert names == {path.name.removesuffix(".jsonl.gz") for path in (truth.HERE / "truth").iterdir()}
    assert set(floors.read()) == names | {"pycg"}
    assert {project.language for project in truth.projects()} == set(truth.languages())


def test_the_page_shows_nothing_below_the_floors():
    """Else it is not the page of this program: write it again."""
    text = (PROJECT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    known = page.corpora()
    for project in truth.projects():
        corpus = known[project.corpus]
        row = next(row for row in rows if row[1] == f"{corpus.package} {corpus.version}")
        shown = dict(zip(("precision", "recall", "exact"), map(float, row[3:6]), strict=True))
        assert floors.below(project.name, shown) == []


def test_the_page_is_made_of_results():
    project = truth.projects()[0]
    found = score([site(1, "f", 10), site(2, "g", 20)], [edge(1, "f", 10), edge(2, "g", 21, "inferred", rule="flow")])
    form = {"form": lambda _: "name"}["form"]
    result = Result(
        project, found, list(errors.wrong_labels("it", found)), list(errors.missed_labels("it", found, form))
    )
    text = page.text([result], [])
    assert "| 2 | 0.5000 | 0.5000 | 1.0000 | 0 |" in text
    assert "| `flow`: another definition of the same name | 1 | 50.00% | it: `a.py:2` `g` |" in text
    assert "| a bare name: `f()` — another definition | 1 | 50.00% | it: `a.py:2` `g` |" in text

"""The pages about specs and findings show what happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from mmcg.audit import checks, explaining
from mmcg.audit.documents.report import KEYS as REPORT_KEYS
from mmcg.audit.documents.spec import KEYS, SECTIONS
from mmcg.audit.policy import rules
from tests.audit.pages import PLAYED, make_tour, played
from tests.docs_console import steady
from tests.test_docs import ROOT, run

if TYPE_CHECKING:
    from pathlib import Path

SPECS = ROOT / "docs" / "specs.md"


@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.name)
def test_what_the_page_shows_is_what_is_printed(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert played(page, make_tour(tmp_path), run) == steady(text)


def test_the_page_names_every_key_and_section() -> None:
    text = SPECS.read_text(encoding="utf-8")
    assert [key for key in (*KEYS, *REPORT_KEYS) if f"`{key}`" not in text] == []
    assert [name for name in SECTIONS["strict"] if name not in text] == []


def test_the_page_of_findings_is_current() -> None:
    assert explaining.PAGE.read_text(encoding="utf-8") == explaining.markdown(), "run `python -m mmcg.audit.explaining`"


@pytest.mark.parametrize("name", checks.names())
def test_every_kind_is_documented(name: str) -> None:
    module = checks.module(name)
    found = explaining.explanation(name)
    assert module.KIND.name == name
    assert module.KIND.severity or module.KIND.effect
    assert found.summary.endswith(".")
    assert "What to do: " in found.text


def test_a_check_of_a_spec_is_for_specs() -> None:
    assert all(each.KIND.severity for each in checks.having("verify"))


def test_the_page_about_ci_names_every_rule_key_and_input() -> None:
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    keys = [*rules.KEYS, *rules.RULE_KEYS, *action["inputs"], *action["outputs"]]
    assert [key for key in keys if f"`{key}`" not in text] == []
    assert [key for key in rules.actions() if f"`{key}:" not in text] == []


def test_the_example_policy_is_one_and_has_every_action() -> None:
    policy = rules.parse_policy((ROOT / "examples" / rules.NAME).read_text(encoding="utf-8"))
    assert policy.findings == ()
    assert {each.action for each in policy.rules} == set(rules.actions())

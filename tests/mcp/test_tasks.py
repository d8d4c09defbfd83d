"""`audit` and `tasks` say what the commands say, and write nothing."""

from __future__ import annotations

import json
import sys
import time

import pytest

from mmcg.audit import auditing
from mmcg.audit.lessons import add_lesson
from mmcg.audit.state import approved, read_state, write_state
from mmcg.audit.verification import verify
from mmcg.mcp.server import THREADS
from tests.audit.working import TASK, Working
from tests.mcp.talk import Talk
from tests.mcp.test_clients import with_client

SLOW = """
from mmcg.audit import auditing
def judged(work):
    work.{side}.index.rows("SELECT count(*) FROM range(1000000000000) AS r(n) WHERE n % 7 = 3")
auditing._judged = judged
from mmcg.cli.main import main
main()
"""


@pytest.fixture
def work(tmp_path):
    """A task whose work drifted from its spec: a file that was not to be touched, and a claim that is not true."""
    made = Working(tmp_path / "shop")
    made.write({"README.md": "# Shops\n", "shop/tax.py": "def other():\n    return 1\n"})
    report = {"claims": [{"kind": "symbol_added", "text": "f is new", "symbol": "shop/tax.py::nothing"}]}
    made.audit("shop/tax.py", report=report)
    return made


def written(work):
    return {
        each.name: each.read_bytes() for each in work.task.folder.parent.rglob("*") if each.is_file()
    }  # fmt: skip


def asked(work, *calls):
    async def talk(client):
        return [await client.call_tool(name, arguments) for name, arguments in calls]

    return with_client(work.root, talk)


def test_an_audit_is_the_commands_and_writes_nothing(work):
    expected = auditing.audit(work.task, since=work.base).to_json()
    before = written(work)
    findings, claims = asked(
        work,
        ("audit", {"task": "1", "since": work.base}),
        ("audit", {"task": TASK, "since": work.base, "show": "claims"}),
    )
    assert written(work) == before
    found = findings.structured_content
    assert (found["status"], found["query"], found["target"]) == ("ok", "audit", TASK)
    assert found["verdict"] == expected["verdict"] != "held"
    assert found["results"] == expected["findings"] != []
    assert (found["total"], found["findings"]) == (len(expected["findings"]),) * 2
    assert found["checked"] == expected["checked"]
    assert claims.structured_content["results"] == expected["claims"] != []
    text = findings.content[0].text
    assert text.startswith(f"audit {TASK}: verdict {expected['verdict']}; ")
    assert expected["findings"][0]["message"] in text


@pytest.mark.parametrize("side", ["before", "after"])
def test_a_withdrawn_audit_ends(work, monkeypatch, side):
    """As many as there are threads, none of which would end by itself: the next question would wait for ever."""
    program = SLOW.format(side=side)
    monkeypatch.setattr("tests.mcp.talk.command", lambda *arguments: [sys.executable, "-c", program, *arguments])
    with Talk(str(work.root)) as talk:
        audit = {"name": "audit", "arguments": {"task": TASK, "since": work.base}}
        asked = [talk.ask("tools/call", audit) for _ in range(THREADS)]
        time.sleep(0.5)
        for number in asked:
            talk.notify("notifications/cancelled", requestId=number)
        assert talk.symbols("callers", symbol="checkout")
        assert talk.end() == 0


def test_findings_come_in_pages(work):
    whole = asked(work, ("audit", {"task": TASK, "since": work.base}))[0].structured_content
    page = asked(work, ("audit", {"task": TASK, "since": work.base, "limit": 1, "offset": 1}))[0].structured_content
    assert whole["total"] > 1
    assert page["results"] == whole["results"][1:2]
    assert (page["total"], page["offset"]) == (whole["total"], 1)


def test_a_spec_is_verified(work):
    found = asked(work, ("audit", {"task": TASK, "stage": "spec"}))[0].structured_content
    expected = verify(work.root, work.task.spec)[0].to_json()
    assert (found["verdict"], found["results"]) == (expected["verdict"], expected["findings"])


def test_without_evidence_there_is_no_verdict(work):
    found = asked(work, ("audit", {"task": TASK}))[0].structured_content
    assert found["verdict"] is None
    assert found["results"][0]["effect"] == "no_verdict"


def test_tasks_stand_where_the_state_says(work):
    write_state(work.task, approved(read_state(work.task), baseline=work.base, risk="low", spec_hash="0"))
    add_lesson(work.task, "broken", "vacuous_test_pass: a | b")
    before = written(work)
    every, coming, one, lessons = asked(
        work,
        ("tasks", {}),
        ("tasks", {"show": "next"}),
        ("tasks", {"task": TASK}),
        ("tasks", {"show": "lessons"}),
    )
    assert written(work) == before
    row = every.structured_content["results"][0]
    assert (row["task"], row["path"]) == (TASK, f".mastermind/tasks/{TASK}")
    assert row["command"]
    assert row["command"] in every.content[0].text
    assert coming.structured_content["results"] == one.structured_content["results"] == [row]
    lesson = lessons.structured_content["results"]
    assert [(each["task"], each["verdict"], each["cause"]) for each in lesson] == [
        (TASK, "broken", "vacuous_test_pass: a / b")
    ]


def test_no_tasks_are_an_answer_and_no_such_task_is_an_error(tmp_path):
    made = Working(tmp_path / "shop")
    made.task.folder.rmdir()
    every, missing, elsewhere = asked(
        made, ("tasks", {}), ("audit", {"task": "7"}), ("audit", {"task": str(work_elsewhere(tmp_path).folder)})
    )
    assert every.structured_content["total"] == 0
    assert "mastermind spec new" in every.structured_content["notices"][0]
    assert (missing.is_error, missing.structured_content["code"]) == (True, "bad_input")
    assert elsewhere.is_error
    assert "another repository" in elsewhere.structured_content["message"]


def work_elsewhere(folder):
    return Working(folder / "elsewhere").task


def test_a_server_that_must_not_write_audits_nothing(work, monkeypatch):
    monkeypatch.setenv("MASTERMIND_REFRESH", "0")
    found = asked(work, ("audit", {"task": TASK, "since": work.base}))[0]
    assert found.is_error
    assert f"mastermind audit-spec {TASK}" in json.dumps(found.structured_content)

"""What came of each declared command: by running it now, by a receipt of the same tree, or by the report's word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.audit.runs import receipts
from mmcg.audit.runs.process import SECONDS

if TYPE_CHECKING:
    from mmcg.audit.documents.report import Verification
    from mmcg.audit.documents.spec import VerifyCommand
    from mmcg.audit.runs.receipts import Receipt
    from mmcg.audit.work import Work

LINES = 12
"""So many lines of output are shown with a finding."""


@dataclass(frozen=True, slots=True)
class Result:
    """A declared command and what is known of it."""

    command: VerifyCommand
    source: str
    """`run`, `receipt`, `report`, or `none`."""
    passed: bool
    what: str
    """What happened, as the end of a sentence about the command."""
    tests_run: int | None = None
    skipped: int = 0
    claimed: str = ""
    """`pass` or `fail`, by the report."""
    excerpt: str = ""
    """The end of its output."""


def results(work: Work) -> list[Result]:
    """One for each declared command."""
    key = ("results", "")
    if key not in work.kept:
        known: list[Receipt] = work.runs if work.runs is not None else _valid(work)
        source = "receipt" if work.runs is None else "run"
        work.kept[key] = [_result(work, command, known, source) for command in work.spec.verify]
    found: list[Result] = work.kept[key]
    return found


def _valid(work: Work) -> list[Receipt]:
    """The receipts that were made on the tree as it is."""
    if not work.spec.verify:
        return []
    kept = receipts.read(work.task)
    if not kept:
        return []
    tree = receipts.tree_of(work.commit, receipts.digests(work.root, work.graphs.files))
    return [each for each in kept if each.tree == tree]


def _result(work: Work, command: VerifyCommand, known: list[Receipt], source: str) -> Result:
    said = _said(work, command)
    claimed = said.result if said else ""
    receipt = next((each for each in known if each.is_of(command)), None)
    if receipt is not None:
        ended = _what(command, receipt)
        passed = receipt.exit_code == 0
        excerpt = "" if passed else _end(receipt.output)
        return Result(command, source, passed, ended, receipt.tests_run, receipt.tests_skipped, claimed, excerpt)
    if said is not None:
        failed = said.result != "pass" or said.exit_code not in (0, None)
        code = f" with exit code {said.exit_code}" if said.exit_code is not None else ""
        what = f"failed{code}, by the report's own word" if failed else f"passed{code}, by the report's word"
        return Result(command, "report", not failed, what, said.tests_run, 0, claimed, _end(said.output_excerpt))
    return Result(command, "none", False, "has no result: it was not run, and the report says nothing about it")


def _said(work: Work, command: VerifyCommand) -> Verification | None:
    """The report's word on a command, by its id or by the command itself."""
    if work.report is None:
        return None
    names = (command.id, command.text, " ".join(command.argv))
    said = [each for each in work.report.verifications if each.id.strip() in names]
    # Of several, one that failed says most.
    return next((each for each in said if each.result != "pass"), said[0] if said else None)


def _what(command: VerifyCommand, receipt: Receipt) -> str:
    if receipt.timed_out:
        return f"ran out of time after {command.timeout or SECONDS:g} s"
    if receipt.exit_code is None:
        return f"could not be started: {receipt.problem}"
    if receipt.exit_code < 0:
        return f"was ended by signal {-receipt.exit_code}"
    if receipt.exit_code:
        return f"failed with exit code {receipt.exit_code}" + (f": {receipt.problem}" if receipt.problem else "")
    return "passed"


def _end(output: str) -> str:
    return "\n".join(output.strip().splitlines()[-LINES:])

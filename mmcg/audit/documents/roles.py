"""Documents of the other roles: intake, investigator, researcher. Only their form is checked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.audit.checks.role_block_invalid import KIND
from mmcg.audit.documents import markdown
from mmcg.audit.documents.blocks import machine_block
from mmcg.audit.documents.citations import CITATION
from mmcg.audit.documents.fields import Entries, Fields, shown
from mmcg.audit.documents.markdown import Markdown, Section, same_title

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmcg.audit.findings import Finding

ACTIONS = ("refined", "passthrough", "ask")
WORKFLOW_MODES = ("strict", "lite", "unknown")
RISKS = ("low", "medium", "high")

LEDGER_SECTIONS = ("Symptom", "Known facts", "Hypotheses", "Ruled out", "Current best explanation", "Next probe")
HYPOTHESIS_STATUSES = ("active", "needs_probe", "weakened", "confirmed", "ruled_out")

_ITEM = re.compile(r"^(?:[-*+]|\d+[.)])\s+(?P<text>\S.*)$")
_NOTHING = frozenset({"", "-", "\u2013", "\u2014", "none", "n/a", "na", "?", "tbd", "todo", "..."})


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A row of the ledger's table."""

    name: str
    evidence_for: str
    evidence_against: str
    status: str
    line: int


def roles_of(text: str, document: Markdown) -> list[str]:
    """Which roles a document is of, by the marks and sections that only theirs has."""
    titles = [each.title for each in document.sections]
    found = []
    if any(each.startswith("mastermind:intake-") for each, _ in document.comments):
        found.append("intake")
    if "Hypothesis Ledger" in text or any(same_title(each, "Hypotheses") for each in titles):
        found.append("investigator")
    if any(same_title(each, "Citations") or _contradictions(each) for each in titles):
        found.append("researcher")
    return found


def check_role(role: str, text: str, path: str) -> list[Finding]:
    """What is wrong with a document of a role: `intake`, `investigator` or `researcher`."""
    reader = Fields(KIND, path)
    checks: dict[str, Callable[[Fields, Markdown], None]] = {
        "intake": _intake,
        "investigator": _ledger,
        "researcher": _research,
    }
    checks[role](reader, markdown.parse(text))
    return reader.findings


def _intake(reader: Fields, document: Markdown) -> None:
    node = machine_block(reader, document, "intake")
    if node is None:
        return
    # What else an intake notes is for people.
    entries: Entries = {key: node.entries[key] for key in ("action", "workflow_mode", "risk") if key in node.entries}
    for key, line, first in node.repeated:
        reader.wrong(f"`{shown(key)}` stands twice: in line {first} and here.", line, [key])
    for key, choices in (("action", ACTIONS), ("workflow_mode", WORKFLOW_MODES), ("risk", RISKS)):
        if key not in entries:
            reader.wrong(f"`{key}` is missing.", node.line, [key], f"Use one of {', '.join(choices)}.")
        else:
            reader.choice(entries, key, choices, "")


def _section(reader: Fields, document: Markdown, name: str) -> Section | None:
    fitting = [each for each in document.sections if same_title(each.title, name)]
    if not fitting:
        reader.wrong(f"The section `{name}` is missing.", 1, [name], f"Add a heading `{name}`.")
        return None
    if len(fitting) > 1:
        reader.wrong(f"The section `{name}` stands twice: in line {fitting[0].line} and here.", fitting[1].line, [name])
    return fitting[0]


def _ledger(reader: Fields, document: Markdown) -> None:
    sections = {name: _section(reader, document, name) for name in LEDGER_SECTIONS}
    for name in ("Symptom", "Current best explanation"):
        section = sections[name]
        if section is not None and section.empty():
            reader.wrong(f"The section `{name}` is empty.", section.line, [name], "Write it.")
    hypotheses = sections["Hypotheses"]
    if hypotheses is not None:
        _hypotheses(reader, hypotheses)
    probe = sections["Next probe"]
    if probe is not None:
        count = len(_items(probe))
        if count != 1:
            wrong = "names no probe" if count == 0 else f"names {count} probes"
            reader.wrong(f"The section `Next probe` {wrong}.", probe.line, ["Next probe"], "Name exactly one.")


def _hypotheses(reader: Fields, section: Section) -> None:
    rows = list(read_hypotheses(section))
    if not rows:
        reader.wrong(
            "There is no hypothesis.",
            section.line,
            ["Hypotheses"],
            "Write a table with the columns Hypothesis, Evidence for, Evidence against and Status.",
        )
    for row in rows:
        name = shown(row.name)
        if row.status not in HYPOTHESIS_STATUSES:
            reader.wrong(
                f"Hypothesis `{name}` has the status `{shown(row.status)}`.",
                row.line,
                [name],
                f"Use one of {', '.join(HYPOTHESIS_STATUSES)}.",
            )
        for column, text in (("for", row.evidence_for), ("against", row.evidence_against)):
            if text.strip().lower() not in _NOTHING:
                continue
            if row.status == "confirmed":
                reader.wrong(
                    f"Hypothesis `{name}` is confirmed without evidence {column} it.",
                    row.line,
                    [name],
                    "Say what was looked for on both sides, and what was found.",
                )
            elif not text.strip():
                reader.wrong(f"Hypothesis `{name}` has no evidence {column} it.", row.line, [name], "Write `none yet`.")


def read_hypotheses(section: Section) -> list[Hypothesis]:
    """The rows of the table in a section, by the titles of its columns."""
    table = [(at, _cells(line)) for at, line in enumerate(section.lines) if line.strip().startswith("|")]
    if len(table) < 2:
        return []
    titles = [" ".join(each.lower().split()) for each in table[0][1]]
    places = {
        key: next((at for at, title in enumerate(titles) if title.endswith(key)), None)
        for key in ("hypothesis", "for", "against", "status")
    }
    found = []
    for at, cells in table[1:]:
        if all(set(each) <= set("-: ") and each for each in cells):
            continue

        def cell(key: str, cells: list[str] = cells) -> str:
            place = places[key]
            return cells[place] if place is not None and place < len(cells) else ""

        name = cell("hypothesis") or cells[0]
        status = cell("status").strip("`* ").lower()
        found.append(Hypothesis(name, cell("for"), cell("against"), status, section.line + 1 + at))
    return found


def _cells(line: str) -> list[str]:
    r"""The cells of a table's row; `\|` and bars in code spans part none."""
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    cells, cell, code = [], "", False
    for at, each in enumerate(inner):
        if each == "`":
            code = not code
        if each == "|" and not code and inner[at - 1 : at] != "\\":
            cells.append(cell.strip())
            cell = ""
        else:
            cell += each
    return [*cells, cell.strip()]


def _items(section: Section) -> list[str]:
    """The items of a section's lists; without a list, each paragraph is one."""
    lines = markdown.without_comments("\n".join(section.lines)).split("\n")
    items = [fit["text"] for line in lines if (fit := _ITEM.match(line))]
    if items:
        return items
    return [part.strip() for part in re.split(r"\n\s*\n", "\n".join(lines)) if part.strip()]


def _contradictions(title: str) -> bool:
    return same_title(re.sub(r"\s*/\s*", "/", title), "Contradictions/Unknowns")


def _research(reader: Fields, document: Markdown) -> None:
    citations = _section(reader, document, "Citations")
    if citations is not None:
        text = "\n".join(citations.lines)
        if not CITATION.search(text):
            reader.wrong(
                "The section `Citations` holds no citation.",
                citations.line,
                ["Citations"],
                "Cite places as `path/to/file:line`.",
            )
        for item in _items(citations):
            if CITATION.search(text) and not CITATION.search(item):
                reader.wrong(
                    f"`{shown(item)}` is no citation.", citations.line, ["Citations"], "Give it as `path/to/file:line`."
                )
    unknowns = [each for each in document.sections if _contradictions(each.title)]
    if not unknowns:
        reader.wrong(
            "The section `Contradictions / Unknowns` is missing.",
            1,
            ["Contradictions / Unknowns"],
            "Add it; if there is nothing, say `none`.",
        )
    elif unknowns[0].empty():
        reader.wrong(
            "The section `Contradictions / Unknowns` is empty.",
            unknowns[0].line,
            ["Contradictions / Unknowns"],
            "If there is nothing, say `none`.",
        )

"""Findings as SARIF 2.1.0, the format that code hosts and editors show.

Rule ids are the kinds of findings; fingerprints are made of what a finding is about and not of its line, so that they
stay when lines move.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from mmcg import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.audit.findings import Finding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_LEVELS = {"no_verdict": "error", "broken": "error", "error": "error", "drift": "warning", "warning": "note"}


def sarif(findings: Iterable[Finding], *, complete: bool = True) -> dict[str, Any]:
    """A SARIF log with one run. `complete` says whether there is a verdict."""
    findings = list(findings)
    kinds = sorted({each.kind for each in findings})
    seen: Counter[str] = Counter()
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "mastermind",
                        "semanticVersion": __version__,
                        "rules": [_rule(kind) for kind in kinds],
                    }
                },
                "invocations": [{"executionSuccessful": complete}],
                "columnKind": "unicodeCodePoints",
                "results": [_result(each, kinds, seen) for each in findings],
            }
        ],
    }


def _rule(kind: str) -> dict[str, Any]:
    from mmcg.audit import checks

    module = checks.module(kind)
    doc = (module.__doc__ or kind).strip()
    first, _, rest = doc.partition("\n\n")
    declared = module.KIND
    return {
        "id": kind,
        "shortDescription": {"text": " ".join(first.split())},
        "fullDescription": {"text": " ".join(doc.split())},
        "help": {"text": " ".join((rest or first).split())},
        "defaultConfiguration": {"level": _LEVELS[declared.effect or declared.severity or "warning"]},
    }


def _result(finding: Finding, kinds: list[str], seen: Counter[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.kind,
        "ruleIndex": kinds.index(finding.kind),
        "level": _LEVELS[finding.weight],
        "message": {"text": f"{finding.message} {finding.hint}".strip()},
        "partialFingerprints": {"mastermind/v1": _fingerprint(finding, seen)},
        "properties": {
            "effect": finding.weight,
            "about": list(finding.about),
            "expected": finding.expected,
            "found": finding.found,
        },
    }
    if finding.origin:
        result["properties"]["origin"] = finding.origin
    if finding.file is not None:
        place: dict[str, Any] = {"artifactLocation": {"uri": quote(finding.file), "uriBaseId": "%SRCROOT%"}}
        # Code hosts show nothing that has no line.
        place["region"] = {"startLine": finding.line or 1}
        result["locations"] = [{"physicalLocation": place}]
    return result


def _fingerprint(finding: Finding, seen: Counter[str]) -> str:
    """The same for the same finding; one that repeats is told apart by its place among its like."""
    parts = [finding.kind, finding.file or "", *finding.about]
    said = "\0".join([*parts, finding.origin] if finding.origin else parts)
    seen[said] += 1
    return hashlib.sha256(f"{said}\0{seen[said]}".encode()).hexdigest()[:32]

"""What the runner of GitHub Actions does with a composite action: expressions, environment, files for outputs.

Steps with `run:` are run in a plain shell with the options that the runner gives it; steps with `uses:` are not, their
outputs are given.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
_TOKEN = re.compile(r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<sign>==|!=|&&|\|\||[!(),])|(?P<name>[A-Za-z_][\w.-]*))")


class Expression:
    """One expression of the runner's language: the part of it that the action uses."""

    def __init__(self, text: str, contexts: dict[str, Any]) -> None:
        self.tokens: list[tuple[str, str]] = []
        text = text.rstrip()
        at = 0
        while at < len(text):
            fit = _TOKEN.match(text, at)
            assert fit, f"cannot read {text[at:]!r}"
            self.tokens.append((str(fit.lastgroup), fit[str(fit.lastgroup)]))
            at = fit.end()
        self.contexts = contexts

    def value(self) -> Any:
        found = self._either()
        assert not self.tokens, self.tokens
        return found

    def _takes(self, sign: str) -> bool:
        if self.tokens and self.tokens[0] == ("sign", sign):
            self.tokens.pop(0)
            return True
        return False

    def _either(self) -> Any:
        left = self._both()
        while self._takes("||"):
            right = self._both()
            left = left or right
        return left

    def _both(self) -> Any:
        left = self._compared()
        while self._takes("&&"):
            right = self._compared()
            left = left and right
        return left

    def _compared(self) -> Any:
        left = self._single()
        if self._takes("=="):
            return _loose(left) == _loose(self._single())
        if self._takes("!="):
            return _loose(left) != _loose(self._single())
        return left

    def _single(self) -> Any:
        if self._takes("!"):
            return not self._single()
        if self._takes("("):
            found = self._either()
            assert self._takes(")")
            return found
        kind, text = self.tokens.pop(0)
        if kind == "text":
            return text[1:-1].replace("''", "'")
        assert kind == "name", text
        if text in ("true", "false", "null"):
            return {"true": True, "false": False}.get(text)
        if self._takes("("):
            assert self._takes(")")
            return {"always": True}[text]
        found: Any = self.contexts
        for part in text.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        return found


def _loose(value: Any) -> Any:
    """The value as `==` compares it: what is not there is an empty text."""
    return "" if value is None else value


def filled(text: str, contexts: dict[str, Any]) -> str:
    """A text with the values of its expressions."""

    def value(fit: re.Match[str]) -> str:
        found = Expression(fit[1], contexts).value()
        return str(found).lower() if isinstance(found, bool) else str(_loose(found))

    return _EXPRESSION.sub(value, text)


@dataclass
class Job:
    """A job on a machine of its own: a workspace, a folder for temporary files, and what an event says."""

    workspace: Path
    temporary: Path
    github: dict[str, Any] = field(default_factory=dict)
    outputs_of_used: dict[str, dict[str, str]] = field(default_factory=dict)
    """Outputs of steps that are not run here, by their ids."""
    summary: str = ""
    log: str = ""
    used: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    """The steps that are not run here: what they use, and with what."""

    def run(self, action: dict[str, Any], given: dict[str, str], **environment: str) -> tuple[int, dict[str, str]]:
        """Run a composite action; its exit code and outputs."""
        inputs = {name: str(each.get("default", "")) for name, each in action["inputs"].items()} | given
        contexts: dict[str, Any] = {"inputs": inputs, "github": self.github, "steps": {}}
        failed = 0
        for number, step in enumerate(action["runs"]["steps"]):
            condition = str(step.get("if", "")).strip().removeprefix("${{").removesuffix("}}")
            wanted = Expression(condition, contexts).value() if condition else True
            if not wanted or (failed and "always()" not in condition):
                continue
            if "uses" in step:
                told = {key: filled(str(value), contexts) for key, value in step.get("with", {}).items()}
                self.used.append((step["uses"], told))
                outputs = self.outputs_of_used.get(step.get("id", ""), {})
                code = 0
            else:
                code, outputs = self._step(number, step, contexts, environment)
            failed = failed or code
            contexts["steps"][step.get("id", str(number))] = {"outputs": outputs}
        return failed, {name: filled(each["value"], contexts) for name, each in action["outputs"].items()}

    def _step(
        self, number: int, step: dict[str, Any], contexts: dict[str, Any], environment: dict[str, str]
    ) -> tuple[int, dict[str, str]]:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]
        place = self.temporary / f"step{number}"
        place.mkdir(parents=True, exist_ok=True)
        script, output, summary = place / "script.sh", place / "output", place / "summary"
        script.write_text(step["run"], encoding="utf-8")
        for each in (output, summary):
            each.write_text("")
        given = {name: filled(str(value), contexts) for name, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace,
            env={
                **os.environ,
                "GITHUB_WORKSPACE": str(self.workspace),
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(summary),
                "GITHUB_ACTIONS": "true",
                "RUNNER_TEMP": str(self.temporary),
                **environment,
                **given,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.log += done.stdout
        self.summary += summary.read_text(encoding="utf-8")
        lines = output.read_text(encoding="utf-8").splitlines()
        return done.returncode, dict(line.split("=", 1) for line in lines)

"""The questions one can ask of an index: one module a question, each with the SQL it needs.

Questions read; they neither print nor decide exit codes. `ask` is the one way in for the command line, MCP and the
library, so that all of them give the same rows.
"""

from __future__ import annotations

from mmcg.query.answer import Answer, Options, Row
from mmcg.query.context import Context
from mmcg.query.registry import QUESTIONS, Question, ask

__all__ = ["QUESTIONS", "Answer", "Context", "Options", "Question", "Row", "ask"]

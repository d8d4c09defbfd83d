"""Resolved code graphs of whole repositories, and audits of work against them.

The names a library user needs are re-exported here as they are asked for, so that `import mmcg` costs nothing.
"""

from __future__ import annotations

__version__ = "0.1.0"

"""Tests as an audit sees them: which one a name means, whether it is new, what it checks, what it reaches."""

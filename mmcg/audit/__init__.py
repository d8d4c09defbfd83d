"""Specs, reports and the auditor: whether work is what it claims to be, said with evidence."""

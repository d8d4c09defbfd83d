"""Specs and reports as people and agents write them, read into values with line numbers."""

"""Walks through small invented repositories, each ending in what the program really says about the work."""

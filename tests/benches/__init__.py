UNAVAILABLE: list[str] = []
"""Why projects were not scored on this machine; printed at the end of a run."""

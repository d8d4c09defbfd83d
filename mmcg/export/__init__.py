"""The whole graph for other programs: one module a format, all of them streams or files written whole."""

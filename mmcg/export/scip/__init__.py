"""SCIP, the index format that code hosts and editors navigate by."""

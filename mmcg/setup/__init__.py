"""Entering the MCP server into the configuration of clients, and taking it out again."""

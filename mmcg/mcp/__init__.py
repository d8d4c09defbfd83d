"""The MCP server over stdio: the questions of `mmcg.query` as tools for coding agents.

`tools` is the table of tools, `desk` answers them, `upkeep` keeps the index true, `stdio` is the wire and `server` ties
them to the official SDK. Nothing here knows SQL; the SDK is imported only when a server is started.
"""

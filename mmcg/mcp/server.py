"""The server: the table of tools and the desk, spoken through the official SDK.

Imported after the streams were taken: the SDK and what it imports may print and warn as they like.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    PaginatedRequestParams,
    jsonrpc_message_adapter,
)

from mmcg import __version__
from mmcg.errors import InternalError, MastermindError
from mmcg.mcp.arguments import checked
from mmcg.mcp.compact import compact
from mmcg.mcp.desk import Job
from mmcg.mcp.lifetime import watch
from mmcg.mcp.shape import envelope, fitted
from mmcg.mcp.stdio import Wire, refused, why_refused
from mmcg.mcp.tools import TOOLS
from mmcg.settings import debugging

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.server.context import ServerRequestContext

    from mmcg.mcp.desk import Desk
    from mmcg.mcp.stdio import Streams
    from mmcg.mcp.tools import Tool

THREADS = 8
"""Questions that are answered at once; further ones wait their turn."""

_DAY_MS = 86_400_000
"""How long a client may remember the list of tools: it changes with the program only."""

INSTRUCTIONS = """\
A resolved code graph of the repository: ask it instead of grepping for callers, uses and definitions.
Symbols are addressed as `path/from/root.py::Outer.member`; any end that only one symbol has will do. An ambiguous \
or unknown name is answered with `status` `ambiguous` or `not_found` and `candidates`: ask again with one of them.
Every answer: `status`, `results`, `total`, `truncated`, `possible`, `index`, `notices`; `next_offset` is the \
`offset` of the next page. Edges are `exact` or `inferred`; `possible` counts those where only the name matches \
(ask with `confidence` `possible` to see them). Lines and columns count from 1."""


async def serve(desk: Desk, streams: Streams) -> None:
    """Serve one client until it goes away, or SIGTERM or SIGINT asks to end."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, ended.set)
    inbound, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](float("inf"))
    outgoing, outbound = anyio.create_memory_object_stream[SessionMessage](0)
    wire = Wire(streams, lambda line: _take(line, wire, inbound), ended.set)
    stop_watching = watch(streams.client, loop, ended.set)
    server = _server(desk)
    sending = asyncio.create_task(_send(outbound, wire))
    serving = asyncio.create_task(server.run(incoming, outgoing, server.create_initialization_options()))
    wire.start()
    await ended.wait()
    stop_watching()
    # The SDK tells the client about questions that stay unanswered; so what sends ends last.
    for task in (serving, sending):
        task.cancel()
        await asyncio.wait([task], timeout=1.0)
    wire.finish(1.0)


def _take(line: bytes, wire: Wire, inbound: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        wire.send(why_refused(line))
        return
    if isinstance(message, JSONRPCRequest):
        wire.expect(message.id)
    elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
        wire.settle((message.params or {}).get("requestId"))
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        inbound.send_nowait(SessionMessage(message))


async def _send(outbound: MemoryObjectReceiveStream[SessionMessage], wire: Wire) -> None:
    async for each in outbound:
        message = each.message
        answered = message.id if isinstance(message, (JSONRPCResponse, JSONRPCError)) else None
        try:
            line = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        except ValueError as error:
            line = refused(INTERNAL_ERROR, f"The answer cannot be written: {error}.", answered)
        wire.send(line, answered)


def _server(desk: Desk) -> Server[Any]:
    server: Server[Any] = Server("mastermind", version=__version__, instructions=INSTRUCTIONS)
    # Traces of requests that nobody collects would cost a tenth of a quick answer.
    server.middleware.clear()
    threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mastermind-desk")
    tools = [tool.listed() for tool in TOOLS.values()]
    listed = {"tools": tools, "resultType": "complete", "ttlMs": _DAY_MS, "cacheScope": "public"}

    async def list_tools(_: ServerRequestContext[Any, Any], __: PaginatedRequestParams) -> dict[str, Any]:
        return listed

    async def call_tool(_: ServerRequestContext[Any, Any], call: CallToolRequestParams) -> dict[str, Any]:
        tool = TOOLS.get(call.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"There is no tool `{call.name}`. There are {', '.join(TOOLS)}.")
        job = Job()
        work = asyncio.get_running_loop().run_in_executor(threads, _result, desk, tool, call.arguments, job)
        try:
            return await work
        except asyncio.CancelledError:
            job.stop()
            raise

    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    return server


def _result(desk: Desk, tool: Tool, arguments: dict[str, Any] | None, job: Job) -> dict[str, Any]:
    """The result of a call: an answer, also where it is negative, or an error that says what to do."""
    try:
        answer = fitted(desk.answer(tool, checked(tool, arguments), job))
        return _content(compact(answer), envelope(answer), error=False)
    except MastermindError as error:
        fault = error
    except Exception as error:
        where = f"{type(error).__name__}: {error}".splitlines()[0]
        fault = InternalError(f"Something went wrong inside mastermind: `{where}`.", "Please report it.")
        fault.__cause__ = error
    if debugging():
        import traceback

        traceback.print_exception(fault, file=sys.stderr)
    return _content(str(fault), fault.to_json(), error=True)


def _content(text: str, structured: dict[str, Any], *, error: bool) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {"content": content, "structuredContent": structured, "isError": error, "resultType": "complete"}

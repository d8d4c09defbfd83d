"""The command `mastermind`: finds the subcommand, runs it, and turns whatever happens into an exit code.

A new command is one line in `COMMANDS`. Its module is imported only when it is asked for.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING, NoReturn, cast

import click

from mmcg import __version__
from mmcg.cli import console
from mmcg.errors import EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, InternalError, MastermindError
from mmcg.settings import debugging

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS: dict[str, str] = {
    "index": "mmcg.cli.index:index",
    "watch": "mmcg.cli.watch:watch",
    "query": "mmcg.cli.query:query",
    "export": "mmcg.cli.export:export",
    "serve": "mmcg.cli.serve:serve",
    "setup": "mmcg.cli.setup:setup",
    "spec": "mmcg.cli.spec:spec",
    "verify-spec": "mmcg.cli.spec:verify_spec",
    "report": "mmcg.cli.report:report",
    "audit-spec": "mmcg.cli.audit:audit_spec",
    "audit": "mmcg.cli.audit:audit",
    "ci": "mmcg.cli.ci:ci",
    "status": "mmcg.cli.tasks:status",
    "next": "mmcg.cli.tasks:next_",
    "resume": "mmcg.cli.tasks:resume",
    "close": "mmcg.cli.tasks:close",
    "explain": "mmcg.cli.explain:explain",
    "demo": "mmcg.cli.demo:demo",
    "doctor": "mmcg.cli.doctor:doctor",
    "completion": "mmcg.cli.complete:completion",
}
"""Every command: its name, and where it is defined."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used."""

    def __init__(self, *, lazy: dict[str, str], **attributes: object) -> None:
        super().__init__(**attributes)  # type: ignore[arg-type]
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        """The names, in the order they are listed in."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as click calls it
        """The command of that name, imported now."""
        if cmd_name not in self.lazy:
            return None
        module, _, name = self.lazy[cmd_name].partition(":")
        command = getattr(importlib.import_module(module), name)
        return cast("click.Command", command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, but a typo gets the nearest names."""
        name = args[0]
        if name not in self.lazy and not name.startswith("-"):
            raise click.UsageError(unknown("command", name, self.lazy), ctx)
        return super().resolve_command(ctx, args)


def unknown(what: str, name: str, known: Sequence[str] | dict[str, str]) -> str:
    """The message for a name that does not exist, with the nearest that do."""
    import difflib

    near = difflib.get_close_matches(name, known, n=3)
    hint = " or ".join(f"`{each}`" for each in near) or ", ".join(f"`{each}`" for each in known)
    return f"There is no {what} `{name}`. {'Did you mean ' + hint + '?' if near else 'There are ' + hint + '.'}"


@click.group(cls=LazyGroup, lazy=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mastermind")
def mastermind() -> None:
    """Index a repository into a graph of resolved calls, and ask it questions."""


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit code; nothing but `BaseException`s of the interpreter leaves it."""
    as_json = "--json" in arguments
    try:
        result = mastermind.main(args=list(arguments), prog_name="mastermind", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else EXIT_OK
    except MastermindError as error:
        return _fail(error, as_json)
    except click.exceptions.Exit as request:
        return request.exit_code
    except click.ClickException as error:
        return _usage(error, as_json)
    except (click.Abort, KeyboardInterrupt):
        console.note("Interrupted; the index is as it was.")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        return _reader_gone()
    except SystemExit as request:
        # Click ends the program itself after completing, and with 1 when the reader of its output has gone.
        if request.code == 1 and "_MASTERMIND_COMPLETE" not in os.environ:
            return _reader_gone()
        raise
    except Exception as error:
        if debugging():
            raise
        where = f"{type(error).__name__}: {error}".splitlines()[0]
        fault = InternalError(
            f"Something went wrong inside mastermind: `{where}`.",
            "Run it again with `MASTERMIND_DEBUG=1` for the traceback, and report it.",
        )
        return _fail(fault, as_json)


def main() -> NoReturn:
    """The console script.

    It ends without tearing the interpreter down: everything is closed by now, and unloading the native modules would
    cost a short command a tenth of its time.
    """
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or EXIT_OK
    os._exit(code)


def _fail(error: MastermindError, as_json: bool) -> int:
    if debugging():
        import traceback

        traceback.print_exception(error)
    if as_json:
        console.answer_json(error.to_json())
    from mmcg.cli.render.safe import safe_block

    console.note(safe_block(f"error: {error.message}"))
    if error.advice:
        console.note(safe_block(error.advice))
    return error.exit_code


def _usage(error: click.ClickException, as_json: bool) -> int:
    if as_json:
        advice = ""
        if isinstance(error, click.UsageError) and error.ctx is not None:
            advice = f"See `{error.ctx.command_path} --help`."
        message = error.format_message()
        console.answer_json({"status": "error", "code": "usage", "message": message, "advice": advice})
    error.show()
    return EXIT_USAGE


def _reader_gone() -> int:
    """Let the interpreter's last flush go nowhere: whoever read our output has had enough, which is no fault."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.__stdout__.fileno() if sys.__stdout__ else 1)
    return EXIT_OK

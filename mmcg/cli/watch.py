"""`mastermind watch`."""

from __future__ import annotations

import signal
import threading
from typing import TYPE_CHECKING, Any

import click

from mmcg.cli import console
from mmcg.errors import EXIT_OK
from mmcg.settings import folder_given

if TYPE_CHECKING:
    from mmcg.watch import Update

_ENDS = ("SIGINT", "SIGTERM", "SIGHUP")


@click.command()
@click.argument("path", default=".")
@click.option("--once", is_flag=True, help="Bring the index up to date, say so, and end.")
@click.option("--poll", is_flag=True, help="Look again and again; for file systems that tell of no changes.")
@click.option("--json", "as_json", is_flag=True, help="Print each event as a line of JSON on stdout.")
def watch(path: str, once: bool, poll: bool, as_json: bool) -> int:
    """Keep the index of the repository at PATH current until Ctrl-C."""
    from mmcg.watch import Keeper

    root = folder_given(path)
    ended = threading.Event()
    before = {name: _on(name, lambda *_: ended.set()) for name in _ENDS if hasattr(signal, name)}
    teller = _Teller(as_json=as_json)

    def told(update: Update) -> None:
        teller.update(update)
        if once:
            ended.set()

    keeper = Keeper(root, told, teller.notice, on_end=ended.set, polling=poll)
    try:
        teller.begin(str(root))
        keeper.start()
        ended.wait()
        keeper.stop()
        if keeper.failure is not None:
            raise keeper.failure
        teller.end()
    finally:
        keeper.stop()
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
    return EXIT_OK


def _on(name: str, handler: Any) -> Any:  # noqa: ANN401 - as `signal` has it
    """Handle a signal, unless whoever started this program wants it ignored; what was done with it before."""
    number = getattr(signal, name)
    before = signal.getsignal(number)
    if before is not signal.SIG_IGN:
        signal.signal(number, handler)
    return before


class _Teller:
    """Says what happens: for people on stderr, for programs on stdout."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json

    def begin(self, root: str) -> None:
        if self._as_json:
            console.answer_json({"event": "start", "root": root})

    def update(self, update: Update) -> None:
        if self._as_json:
            console.answer_json(update.to_json())
        else:
            console.notes(update.notices)
            console.note(_line(update))

    def notice(self, text: str) -> None:
        if self._as_json:
            console.answer_json({"event": "notice", "message": text})
        else:
            console.note(text)

    def end(self) -> None:
        if self._as_json:
            console.answer_json({"event": "end"})


def _line(update: Update) -> str:
    what = "Watching" if update.first else "Updated"
    done = f"{update.parsed:,} parsed, " if update.published else "all current, "
    return f"{what} {update.files:,} files ({done}{update.rows:,} rows) in {update.milliseconds:,} ms."

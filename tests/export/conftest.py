"""A small project in two languages, with what exports must get right: odd names, aliases, astral characters, links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mmcg.cli import main
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "shop/cart.py": '''\
import requests
from shop.tax import rate as levy


class Cart:
    """What is to be paid."""

    limit = 3

    def total(self):
        word = "𝄞𝄞"; return levy(word)

    def send(self):
        self.limit = requests.get("x")


class GiftCart(Cart):
    def total(self):
        return 0


def start():
    return Cart().total()
''',
    "shop/tax.py": "def rate(price):\n    return price\n\n\nif rate:\n    def rate(price):\n        return 1\n",
    "tests/test_cart.py": "from shop.cart import start\n\n\ndef test_start():\n    assert start()\n",
    "web/app.ts": (
        "export interface Shape { area(): number }\n"
        'export class Box implements Shape { area() { return 1 } ["odd `name`"]() { return this.area() } }\n'
        "export function open(a: number): void;\nexport function open(a: string): void;\n"
        "export function open(a: any): void {}\n"
        'open("x");\n'
    ),
}


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of that project, indexed. Not to be changed."""
    root = tmp_path_factory.mktemp("project")
    write_tree(root, FILES)
    assert main.run(["index", str(root), "--json"]) == 0
    return root


@pytest.fixture
def export(project: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs `mastermind export` in the project; gives the exit code."""
    monkeypatch.chdir(project)
    return lambda *arguments: main.run(["export", *map(str, arguments)])

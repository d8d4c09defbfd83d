"""Edits as people make them, in several languages: the index brought up to date has a cold run's rows, and says what changed.

Each language has the same little project: `base` defines a type and a function, `middle` hands them on, `use` calls.
"""

from __future__ import annotations

import pytest

from mmcg import indexing, open_graph
from tests.test_properties import same
from tests.trees import dump, write_tree

PYTHON = {
    "base.py": "class Base:\n    def run(self):\n        return make()\n\ndef make():\n    return Base()\n",
    "middle.py": "from base import Base, make\n\nclass Middle(Base):\n    pass\n",
    "use.py": "import middle\nfrom middle import make\n\ndef use(given):\n    made = make()\n    made.run()\n"
    "    middle.Middle().run()\n    given.run()\n\nuse(make())\n",
}
TYPESCRIPT = {
    "base.ts": "export class Base {\n  run() {\n    return make();\n  }\n}\n\nexport function make(): Base {\n"
    "  return new Base();\n}\n",
    "middle.ts": "import { Base } from './base';\nexport { make } from './base';\nexport class Middle extends Base {}\n",
    "use.ts": "import { make, Middle } from './middle';\n\nexport function use(given: Middle) {\n  make().run();\n"
    "  given.run();\n}\n",
}
GO = {
    "go.mod": "module example.com/m\n\ngo 1.22\n",
    "base/base.go": "package base\n\ntype Base struct{}\n\nfunc (b *Base) Run() *Base {\n\treturn Make()\n}\n\n"
    "func Make() *Base {\n\treturn &Base{}\n}\n",
    "middle/middle.go": 'package middle\n\nimport "example.com/m/base"\n\ntype Middle struct {\n\tbase.Base\n}\n',
    "use/use.go": 'package use\n\nimport (\n\t"example.com/m/base"\n\t"example.com/m/middle"\n)\n\n'
    "type Runs interface {\n\tRun() *base.Base\n}\n\nfunc Use(given *middle.Middle, runs Runs) {\n\tbase.Make().Run()\n"
    "\tgiven.Run()\n\truns.Run()\n}\n",
}
JAVA = {
    "p/Base.java": "package p;\n\npublic class Base {\n    public Base run() {\n        return make();\n    }\n\n"
    "    public static Base make() {\n        return new Base();\n    }\n}\n",
    "p/Middle.java": "package p;\n\npublic class Middle extends Base {\n}\n",
    "q/Use.java": "package q;\n\nimport p.Base;\nimport p.Middle;\n\npublic class Use {\n    void use(Base given) {\n"
    "        Base.make().run();\n        new Middle().run();\n        given.run();\n    }\n}\n",
}
RUST = {
    "Cargo.toml": '[package]\nname = "m"\nversion = "0.1.0"\n',
    "src/lib.rs": "mod base;\nmod middle;\nmod usage;\n",
    "src/base.rs": "pub struct Base;\n\nimpl Base {\n    pub fn run(&self) -> Base {\n        make()\n    }\n}\n\n"
    "pub fn make() -> Base {\n    Base\n}\n",
    "src/middle.rs": "pub use crate::base::make;\npub use crate::base::Base;\n",
    "src/usage.rs": "use crate::middle::{make, Base};\n\npub fn usage(given: &Base) {\n    make().run();\n    given.run();\n}\n",
}
C = {
    "base.h": "struct base { int (*run)(int); };\nint make(int x);\n",
    "base.c": '#include "base.h"\n\nstatic int run(int x)\n{\n\treturn make(x);\n}\n\nint make(int x)\n{\n'
    "\tstruct base b = { .run = run };\n\treturn b.run(x);\n}\n",
    "use.c": '#include "base.h"\n\nint use(struct base *given)\n{\n\treturn given->run(make(1));\n}\n',
}

EDITS = {
    "python": (
        PYTHON,
        [
            ("a function is added", "base.py", "def make", "def more():\n    return make()\n\ndef make"),
            ("one that hides another", "middle.py", "class Middle", "def make():\n    return 1\n\nclass Middle"),
            ("a method is added to a subtype", "middle.py", "    pass", "    def run(self):\n        return self"),
            ("a function is removed", "base.py", "def make():\n    return Base()\n", ""),
            ("a method is renamed", "base.py", "def run(", "def walk("),
            ("a parameter is added", "base.py", "def make()", "def make(size=1)"),
            ("another value is returned", "base.py", "return Base()", "return None"),
            ("a base is taken away", "middle.py", "(Base)", ""),
            ("another import", "use.py", "from middle import make", "from base import make"),
            ("an import that leads nowhere", "middle.py", "from base import Base, make", "from base import Base"),
            ("no argument is given any more", "use.py", "use(make())", "use(None)"),
        ],
    ),
    "typescript": (
        TYPESCRIPT,
        [
            ("a function is added", "base.ts", "export function make", "function more() {\n  make();\n}\nexport function make"),
            ("a method is renamed", "base.ts", "run()", "walk()"),
            ("a return type is another", "base.ts", "make(): Base", "make(): unknown"),
            ("a base is taken away", "middle.ts", " extends Base", ""),
            ("no re-export any more", "middle.ts", "export { make } from './base';\n", ""),
            ("a re-export under another name", "middle.ts", "{ make }", "{ make as create }"),
            ("all is re-exported", "middle.ts", "export { make }", "export *"),
        ],
    ),
    "go": (
        GO,
        [
            ("a function is added", "base/base.go", "func Make", "func More() *Base {\n\treturn Make()\n}\n\nfunc Make"),
            ("a type fits an interface no more", "base/base.go", ") Run()", ") Walk()"),
            ("another result", "base/base.go", "func Make() *Base", "func Make() any"),
            ("nothing is embedded", "middle/middle.go", "\tbase.Base\n", "\tinner base.Base\n"),
            ("an interface asks for more", "use/use.go", "interface {\n", "interface {\n\tStop()\n"),
        ],
    ),
    "java": (
        JAVA,
        [
            ("a method is overridden", "p/Middle.java", "{\n}", "{\n    public Base run() {\n        return this;\n    }\n}"),
            ("an overload", "p/Base.java", "    public static", "    public Base run(int x) {\n        return run();\n    }\n    public static"),
            ("a base is taken away", "p/Middle.java", " extends Base", ""),
            ("a parameter is added", "p/Base.java", "run()", "run(int x)"),
            ("an import is gone", "q/Use.java", "import p.Middle;\n", ""),
            ("all of a package", "q/Use.java", "import p.Base;\nimport p.Middle;\n", "import p.*;\n"),
        ],
    ),
    "rust": (
        RUST,
        [
            ("a function is added", "src/base.rs", "pub fn make", "pub fn more() -> Base {\n    make()\n}\n\npub fn make"),
            ("a method is renamed", "src/base.rs", "fn run", "fn walk"),
            ("another result", "src/base.rs", "make() -> Base", "make() -> u32"),
            ("no re-export any more", "src/middle.rs", "pub use crate::base::make;\n", ""),
            ("all is re-exported", "src/middle.rs", "pub use crate::base::make;\npub use crate::base::Base;", "pub use crate::base::*;"),
        ],
    ),
    "c": (
        C,
        [
            ("a function is added", "base.c", "int make(int x)\n", "static int more(int x)\n{\n\treturn make(x);\n}\n\nint make(int x)\n"),
            ("another function is kept in the field", "base.c", ".run = run", ".run = make"),
            ("a second definition", "use.c", "int use(", "int make(int x)\n{\n\treturn x;\n}\n\nint use("),
            ("no header", "use.c", '#include "base.h"\n', ""),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", EDITS)
def test_each_edit_gives_what_a_cold_run_gives(tmp_path, language):
    """One after the other, each taken back again."""
    files, edits = EDITS[language]
    write_tree(tmp_path, files)
    indexing.index(tmp_path)
    before = dump(tmp_path)
    for what, name, old, new in edits:
        assert old in files[name], what
        write_tree(tmp_path, {name: files[name].replace(old, new)})
        assert indexing.index(tmp_path).summary["parsed"] == 1, what
        warm = dump(tmp_path)
        indexing.index(tmp_path, rebuild=True)
        same(dump(tmp_path), warm)
        assert warm["symbols"] != before["symbols"] or warm["calls"] != before["calls"], what
        write_tree(tmp_path, {name: files[name]})
        indexing.index(tmp_path)
        same(dump(tmp_path), before)


def callers(root, name):
    """Who calls a symbol, by address."""
    return {row["source"] for row in open_graph(root).callers(name).result}


def test_what_was_edited_is_answered(tmp_path):
    """The comparison with a cold run says nothing if both are blind."""
    write_tree(tmp_path, PYTHON)
    indexing.index(tmp_path)
    first = callers(tmp_path, "base.py::Base.run")
    write_tree(tmp_path, {"middle.py": PYTHON["middle.py"].replace("(Base)", "")})
    indexing.index(tmp_path)
    assert len(first) == 1
    assert callers(tmp_path, "base.py::Base.run") == first
    write_tree(tmp_path, {"base.py": PYTHON["base.py"].replace("return Base()", "return None")})
    indexing.index(tmp_path)
    assert callers(tmp_path, "base.py::Base.run") == set()

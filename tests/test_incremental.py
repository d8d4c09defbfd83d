"""Whatever happens to a tree between two runs, the second sees it, parses what is new, and makes a cold run's rows."""

import os
import random
import shutil
import subprocess
import time

import pytest

from mmcg import indexing
from mmcg.settings import Places
from mmcg.store import open_index
from tests import material
from tests.test_properties import same, seeds
from tests.trees import dump, write_chain, write_tree

OLD_NS = 1_700_000_000_000_000_000


@pytest.fixture
def tree(tmp_path):
    write_chain(tmp_path, 5)
    write_tree(tmp_path, {"p/__init__.py": "", "p/x.py": "def x():\n    pass\n", "p/q/y.js": "function y() {}\n"})
    indexing.index(tmp_path)
    return tmp_path


def updated(root):
    """Index a tree that changed, and hold it against a cold index; the number of files that were parsed."""
    done = indexing.index(root)
    warm, times = dump(root), mtimes(root)
    assert times == {path: (root / path).stat().st_mtime_ns for path in times}
    indexing.index(root, rebuild=True)
    same(dump(root), warm)
    return done.summary["parsed"]


def mtimes(root):
    with open_index(root) as index:
        return dict(index.rows("SELECT path, mtime_ns FROM files"))


def paths(root):
    return sorted(mtimes(root))


def rewrite(path, old, new):
    """Edit without a change of size or time."""
    status = path.stat()
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_size == status.st_size


def test_only_what_changed_is_parsed(tree):
    write_tree(tree, {"m2.py": "def other():\n    pass\n"})
    assert updated(tree) == 1


def test_edits_within_one_tick_of_the_clock(tree):
    """Each is made right after the run that read the one before, and has its size."""
    for n in range(10, 24):
        write_tree(tree, {"m1.py": f"def edit_{n}():\n    pass\n"})
        indexing.index(tree)
        with open_index(tree) as index:
            assert index.rows(f"SELECT count(*) FROM symbols WHERE name = 'edit_{n}'") == [(1,)]


def test_old_times_put_back_on_a_file_of_equal_size(tree):
    rewrite(tree / "m3.py", "first", "other")
    assert updated(tree) == 1


def test_a_file_put_in_anothers_place_with_its_size_and_time(tree):
    """As archives and backups do."""
    file, status = tree / "m3.py", (tree / "m3.py").stat()
    new = tree / "new"
    new.write_text(file.read_text().replace("first", "other"))
    os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns))
    new.replace(file)
    assert updated(tree) == 1


def test_two_files_that_change_names(tree):
    for name in ("m1.py", "m2.py"):
        os.utime(tree / name, ns=(OLD_NS, OLD_NS))
    indexing.index(tree)
    (tree / "m1.py").rename(tree / "m0")
    (tree / "m2.py").rename(tree / "m1.py")
    (tree / "m0").rename(tree / "m2.py")
    assert updated(tree) == 0


def test_renamed_files_and_folders_are_not_parsed_again(tree):
    (tree / "m1.py").rename(tree / "n1.py")
    (tree / "p").rename(tree / "r")
    assert updated(tree) == 0
    assert {"n1.py", "r/x.py", "r/q/y.js"} < set(paths(tree))


def test_a_file_that_becomes_another_language_is_parsed_again(tree):
    (tree / "p/q/y.js").rename(tree / "p/q/y.ts")
    assert updated(tree) == 1


def test_deleted_folders(tree):
    shutil.rmtree(tree / "p")
    assert updated(tree) == 0
    assert paths(tree) == [f"m{n}.py" for n in range(6)]


def test_a_file_that_becomes_a_link_or_a_folder(tree):
    (tree / "m1.py").unlink()
    (tree / "m1.py").symlink_to("m2.py")
    (tree / "m3.py").unlink()
    (tree / "m3.py").mkdir()
    assert updated(tree) == 0
    assert not {"m1.py", "m3.py"} & set(paths(tree))


def test_ignore_files_and_manifests_count(tree):
    write_tree(tree, {".gitignore": "/p/q/\n"})
    assert updated(tree) == 0
    assert "p/q/y.js" not in paths(tree)
    write_tree(tree, {"pyproject.toml": '[tool.setuptools.package-dir]\n"" = "p"\n', "m9.py": "import x\nx.x()\n"})
    assert updated(tree) == 1


def test_another_branch_and_back(tree):
    def git(*arguments):
        who = ("-c", "user.name=x", "-c", "user.email=x@example.com")
        subprocess.run(["git", "-C", tree, *who, *arguments], check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "other")
    write_chain(tree, 5, "other")
    shutil.rmtree(tree / "p")
    git("add", "-A")
    git("commit", "-qm", "two")
    first = dump(tree)
    indexing.index(tree)
    second = dump(tree)
    git("checkout", "-q", "main")
    assert indexing.index(tree).summary["parsed"] == 0
    same(dump(tree), first)
    git("checkout", "-q", "other")
    assert indexing.index(tree).summary["parsed"] == 0
    same(dump(tree), second)
    assert updated(tree) == 0


@pytest.fixture
def resolved(monkeypatch):
    """The tables that runs handed over: none if nothing was resolved."""
    given = []
    core = indexing.core()

    class Core:
        def __getattr__(self, name):
            return getattr(core, name)

        def index(self, *arguments, take, **options):
            return core.index(*arguments, take=lambda name, table: given.append(name) or take(name, table), **options)

    monkeypatch.setattr(indexing, "core", Core)
    return given


def test_touched_files_are_current_without_being_resolved_again(tree, resolved):
    """The same rows under other times."""
    before = dump(tree)
    for name in paths(tree):
        os.utime(tree / name, ns=(OLD_NS, OLD_NS))
    # What was touched this very moment may be touched again unseen: a run right now would not settle it.
    time.sleep(0.05)
    done = indexing.index(tree)
    assert (done.unchanged, done.summary["parsed"], resolved) == (False, 0, [])
    assert set(mtimes(tree).values()) == {OLD_NS}
    same(dump(tree), before)
    with open_index(tree) as found:
        assert indexing.freshness(found).fresh
    assert indexing.index(tree).unchanged
    assert updated(tree) == 0


TWO = """\
from base import Base

class Two(Base):
    @property
    def it(self):
        return self.help(1)

    @it.setter
    def it(self, value):
        self.help(value)
        print(value)

def run():
    Two().it = 2
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import Base\n", "import Base\n\n# A remark.\n"),
        ("from base", "\n\n# First.\nfrom base"),
        ("= 2\n", "= 2\n\n# The end.\n"),
        ("        self.help(value)\n", "        # Why.\n\n        self.help(value)  # So.\n"),
        ("    def it(self):\n", "    def it(\n        self,\n    ):\n"),
        ("return self.help(1)", "return  self . help( 1 )"),
        ("        self.help(value)\n        print(value)", "        self.help(value)\n\n        print( value)"),
        ("    Two().it = 2", "        Two()  .it  =  2"),
    ],
)
def test_layout_and_comments_are_written_anew_without_resolution(tmp_path, resolved, old, new):
    base = "class Base:\n    def help(self, x):\n        pass\n"
    write_tree(tmp_path, {"base.py": base, "two.py": TWO, "use.py": "import two\ntwo.run()\n"})
    indexing.index(tmp_path)
    resolved.clear()
    assert TWO.replace(old, new) != TWO
    write_tree(tmp_path, {"two.py": TWO.replace(old, new)})
    assert indexing.index(tmp_path).summary["parsed"] == 1
    assert resolved == []
    assert indexing.index(tmp_path).summary["parsed"] == 0
    write_tree(tmp_path, {"two.py": TWO})
    assert indexing.index(tmp_path).summary["parsed"] == 0
    assert resolved == []
    updated(tmp_path)


def test_what_the_resolver_could_see_is_resolved_again(tree, resolved):
    write_tree(tree, {"m1.py": (tree / "m1.py").read_text() + "\n# More.\nfirst_1()\n"})
    updated(tree)
    assert "calls" in resolved


@pytest.mark.parametrize("language", material.languages())
def test_blanks_in_any_language(tmp_path, resolved, language):
    """Some are in texts or matter for the language; most are layout."""
    rng = random.Random(language)
    files = material.sections(language, 4)
    material.write(tmp_path, files)
    indexing.index(tmp_path)
    saved = 0
    for name in rng.sample(sorted(files), min(4, len(files))):
        lines = files[name].splitlines(keepends=True)
        for _ in range(2):
            lines.insert(rng.randrange(len(lines) + 1), b"\n")
            at = rng.randrange(len(lines))
            lines[at] = lines[at].replace(b"(", b"( ").replace(b", ", b",  ")
        (tmp_path / name).write_bytes(b"".join(lines))
        resolved.clear()
        indexing.index(tmp_path)
        saved += not resolved
    assert saved
    updated(tmp_path)


def test_decorators_that_are_laid_out_anew(tree, resolved):
    """They are kept as they are written, on one line."""
    write_tree(tree, {"d.py": "from m0 import first\n\n@first(1)\ndef decorated():\n    pass\n"})
    indexing.index(tree)
    del resolved[:]
    write_tree(tree, {"d.py": "from m0 import first\n\n@first(1\n)\ndef decorated():\n    pass\n"})
    indexing.index(tree)
    assert resolved == []
    with open_index(tree) as index:
        assert index.rows("SELECT decorators FROM symbols WHERE name = 'decorated'") == [('["first(1 )"]',)]
    assert updated(tree) == 0


def test_a_change_taken_back_before_the_next_run(tree):
    text = (tree / "m1.py").read_text()
    (tree / "m1.py").write_text("something else\n")
    (tree / "m1.py").write_text(text)
    assert updated(tree) == 0


def test_a_time_that_is_yet_to_come_does_not_make_an_index_stale_for_ever(tree):
    os.utime(tree / "m1.py", ns=(4_000_000_000_000_000_000,) * 2)
    indexing.index(tree)
    indexing.index(tree)
    assert indexing.index(tree).unchanged


def test_all_facts_are_made_again_for_another_extractor(tree, monkeypatch):
    """What was kept is of another build: each file of the cache bears its stamp."""
    for file in Places(tree).cache.iterdir():
        data = bytearray(file.read_bytes())
        data[8:40] = bytes(reversed(data[8:40]))
        file.write_bytes(data)
    version = indexing.core_version()
    monkeypatch.setattr(indexing, "core_version", lambda: {**version, "build": "other"})
    with open_index(tree) as found:
        assert "another version" in indexing.freshness(found).notices[0]
    done = indexing.index(tree)
    assert done.summary["parsed"] == done.summary["files"]
    assert indexing.index(tree).unchanged


def test_an_index_of_another_build_is_made_again_even_if_no_file_changed(tree, monkeypatch):
    version = indexing.core_version()
    monkeypatch.setattr(indexing, "core_version", lambda: {**version, "build": "other"})
    done = indexing.index(tree)
    assert (done.unchanged, done.summary["parsed"]) == (False, 0)


@pytest.mark.parametrize("seed", range(3))
def test_damage_to_what_is_kept_costs_time_only(tree, seed):
    rng = random.Random(seed)
    for file in sorted(Places(tree).cache.iterdir()):
        data = bytearray(file.read_bytes())
        for _ in range(20):
            data[rng.randrange(len(data))] ^= 0x55
        file.write_bytes(data[: rng.choice([len(data), len(data) // 2, 0])])
    write_tree(tree, {"m1.py": "def new():\n    pass\n"})
    updated(tree)


@pytest.mark.parametrize("seed", seeds(2, 25))
def test_random_changes_to_real_files(tmp_path, seed):
    """This project's own files, edited, moved, touched, restored, taken away; all rows of all tables are compared."""
    rng = random.Random(seed)
    files = material.own(rng, 40)
    material.write(tmp_path, files)
    indexing.index(tmp_path)
    past = dict(files)
    for _ in range(4):
        for _ in range(rng.randint(1, 5)):
            happen(tmp_path, past, rng)
        updated(tmp_path)


def happen(root, past, rng):
    """One of the things that happen to a tree; `past` is what its files said at first."""
    here = sorted(path for path in root.rglob("*") if path.is_file() and ".mastermind" not in path.parts)
    if not here:
        return material.write(root, past)
    path = rng.choice(here)
    name = str(path.relative_to(root))
    match rng.randrange(12):
        case 10 | 11:
            lines = path.read_bytes().splitlines(keepends=True)
            lines.insert(rng.randrange(len(lines) + 1), rng.choice([b"\n", b"# remark\n", b"// remark\n"]))
            at = rng.randrange(len(lines))
            lines[at] = lines[at].replace(b"(", b"( ")
            path.write_bytes(b"".join(lines))
        case 0 | 1:
            path.write_bytes(material.mutated(path.read_bytes(), rng))
        case 2:
            path.rename(path.with_name(f"{rng.choice('amz')}{rng.randrange(100)}_{path.name}"))
        case 3:
            path.unlink()
        case 4:
            shutil.copy2(path, path.with_name(f"copy{rng.randrange(100)}_{path.name}"))
        case 5:
            os.utime(path, ns=(OLD_NS, OLD_NS + rng.randrange(3)))
        case 6:
            status, data = path.stat(), bytearray(path.read_bytes())
            letters = [at for at, byte in enumerate(data) if chr(byte).isalpha()]
            if letters:
                data[rng.choice(letters)] = ord("q")
            path.write_bytes(data)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        case 7:
            target = root / rng.choice(["moved", "a/b/c", "zz"]) / str(rng.randrange(1000))
            if path.parent != root:
                target.parent.mkdir(parents=True, exist_ok=True)
                path.parent.rename(target)
        case 8:
            material.write(root, {name: past[name]} if name in past else past)
        case _:
            (root / ".gitignore").write_text(f"/{name}\n" if rng.random() < 0.7 else "")
    return None

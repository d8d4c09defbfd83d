"""What a policy may say, and what is said of one that says something else; owners by the rules of GitHub."""

from __future__ import annotations

import os

import pytest

from mmcg.audit.policy.owners import parse_owners
from mmcg.audit.policy.rules import parse_policy, read_policy
from mmcg.errors import InputError

RULE = "  - id: a\n    no_new_cycles: true\n"


def test_a_policy_with_every_key():
    text = """
schema_version: 1
rules:
  - id: a.b-c_1
    deny_imports: {from: [src/core, "src/x/**"], to: requests, except: [src/ui/types.py], existing: true}
    paths: src
    except: [src/old]
    effect: drift
    message: >
      Core is used
      without a screen.
"""
    done = parse_policy(text)
    assert done.findings == ()
    (rule,) = done.rules
    assert (rule.id, rule.action, rule.effect) == ("a.b-c_1", "deny_imports", "drift")
    assert rule.message == "Core is used without a screen."
    assert rule.value.existing
    assert rule.scope.covers("src/a.py")
    assert not rule.scope.covers("src/old/a.py")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "no rules"),
        ("rules:\n", 1, "no rules"),
        ("- a\n", 1, "a list, not a mapping"),
        ("rule:\n" + RULE, 1, "unknown key `rule`"),
        ("rules:\n" + RULE + "rules: []\n", 4, "`rules` stands twice"),
        ("rules:\n" + RULE + "    id: b\n", 4, "`id` stands twice"),
        ("rules:\n" + RULE + RULE, 4, "Two rules have the id `a`"),
        ("rules:\n" + RULE + "    pats: x\n", 4, "unknown key `pats`"),
        ("rules:\n" + RULE + "    max_blast_radius: 1\n", 4, "several actions"),
        ("rules:\n  - id: a\n", 2, "no action"),
        ("rules:\n  - no_new_cycles: true\n", 2, "`id` is missing"),
        ("rules:\n  - id: a b\n    no_new_cycles: true\n", 2, "no id of a rule"),
        ("rules:\n  - id: a\n    no_new_cycles: false\n", 3, "is `false`"),
        ("rules:\n  - id: a\n    no_new_cycles: yes\n", 3, "not `true` or `false`"),
        ("rules:\n  - id: a\n    max_blast_radius: -1\n", 3, "whole number"),
        ("rules:\n  - id: a\n    require_tests: all\n", 3, "none of `any`, `changed`"),
        ("rules:\n  - id: a\n    deny_imports: {from: x}\n", 3, "no `to`"),
        ("rules:\n  - id: a\n    deny_imports: {from: x, to: []}\n", 3, "names nothing"),
        ("rules:\n  - id: a\n    deny_imports: {from: ../x, to: y}\n", 3, "leads upwards"),
        ("rules:\n  - id: a\n    allow_suppressions: {}\n", 3, "says nothing"),
        ("rules:\n  - id: a\n    allow_suppressions: {only: 3, least: 1}\n", 3, "unknown key `least`"),
        ("rules:\n" + RULE + "    effect: error\n", 4, "none of `broken`, `drift`, `warning`"),
        ("rules:\n" + RULE + "    paths: /etc/passwd\n", 4, "is absolute"),
        ("schema_version: 2\nrules:\n" + RULE, 1, "`schema_version`"),
        ("rules: &a [*a]\n", 1, "is an anchor"),
        ("rules: !!python/object:os.system x\n", 1, "is a tag"),
        ("rules: [\n", 2, "no YAML"),
        ("rules:\n  - {id: a, no_new_cycles: " + "[" * 50 + "]" * 50 + "}\n", 2, "nested more than"),
        ("rules: " + "{a: " * 5 + "1" + "}" * 5, 1, "not a list of rules"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, line, said):
    found = [(each.line, each.message) for each in parse_policy(text).findings]
    assert any(said in message and at == line for at, message in found), found


def test_the_nearest_key_is_named():
    (finding,) = parse_policy("rules:\n  - id: a\n    no_new_cycle: true\n").findings[:1]
    assert finding.hint == "Did you mean `no_new_cycles`?"


def test_files_that_are_no_policy(tmp_path):
    place = tmp_path / "mastermind-policy.yml"
    with pytest.raises(InputError, match="does not exist"):
        read_policy(tmp_path, place)
    place.write_bytes(b"rules:\n- id: \xff\n")
    with pytest.raises(InputError, match="not UTF-8: line 2"):
        read_policy(tmp_path, place)
    place.write_bytes("rules: []\n".encode("utf-16"))
    with pytest.raises(InputError, match="UTF-8"):
        read_policy(tmp_path, place)
    place.write_bytes(b"#" * 10_000_000)
    with pytest.raises(InputError, match="10,000,000 bytes"):
        read_policy(tmp_path, place)
    place.unlink()
    os.mkfifo(place)
    with pytest.raises(InputError, match="no regular file"):
        read_policy(tmp_path, place)
    place.unlink()
    place.symlink_to("/etc/hostname")
    with pytest.raises(InputError, match="is a link"):
        read_policy(tmp_path, place)
    place.unlink()
    with pytest.raises(InputError, match="outside"):
        read_policy(tmp_path, tmp_path.parent / "other.yml")


@pytest.mark.parametrize(
    ("pattern", "path", "owned"),
    [
        ("*", "a/b.py", True),
        ("*.js", "a/b.js", True),
        ("*.js", "a/b.jsx", False),
        ("/build/logs/", "build/logs/a/b.txt", True),
        ("/build/logs/", "x/build/logs/a.txt", False),
        ("/build/logs/", "build/logs", False),
        ("docs/*", "docs/a.md", True),
        ("docs/*", "docs/build/a.md", False),
        ("docs/*", "x/docs/a.md", False),
        ("apps/", "x/apps/a/b", True),
        ("apps/", "apps", False),
        ("/docs/", "docs/a.md", True),
        ("/apps/github", "apps/github/a", True),
        ("/apps/github", "apps/github", True),
        ("**/logs", "build/logs/a", True),
        ("**/logs", "logs/a", True),
        ("logs/**", "logs/a/b", True),
        ("logs/**", "logs", False),
        ("a/**/z.py", "a/z.py", True),
        ("a/**/z.py", "a/b/c/z.py", True),
        ("/src/te?t.py", "src/test.py", True),
        ("a\\ b.txt", "x/a b.txt", True),
        ("Makefile", "makefile", False),
        ("/a.b", "axb", False),
        ("src/foo*", "src/foobar/x.py", True),
        ("/", "a.py", True),
    ],
)
def test_patterns_of_owners(pattern, path, owned):
    assert bool(parse_owners(f"{pattern} @me\n").of(path)) is owned


def test_patterns_made_to_take_long_do_not():
    owners = parse_owners("/" + "**/a/" * 40 + "x @me\n" + "*a" * 60 + "b @me\n")
    assert owners.of("a/" * 200 + "a" * 200) == ()


def test_the_last_line_that_fits_decides():
    text = """
# Everything
*       @all @org/team someone@example.org   # for now
/src/   @src
/src/free/
!/src/x @me
/src/[ab] @me
/src/y not-an-owner
"""
    owners = parse_owners(text)
    assert owners.of("a.py") == ("@all", "@org/team", "someone@example.org")
    assert owners.of("src/x/a.py") == ("@src",)
    assert owners.of("src/y") == ("@src",)
    assert owners.of("src/free/a.py") == ()
    assert owners.wrong == (6, 7, 8)

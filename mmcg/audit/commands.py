"""What a verify command runs, read by the words of a shell and not searched for in its text."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.spec import VerifyCommand

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_ENDS = frozenset({"&&", "||", ";", "|", "&", "|&", ";;", "(", ")", "\n"})
_REDIRECTION = re.compile(r"\d*(?:<|>|>>|<<|<>|>\||>&|<&|&>|&>>|<<<)")

BUILT_IN = frozenset(
    {
        "!", ".", ":", "[", "[[", "alias", "bg", "break", "builtin", "case", "cd", "command", "continue",
        "declare", "do", "done", "echo", "elif", "else", "esac", "eval", "exec", "exit", "export", "false",
        "fg", "fi", "for", "function", "getopts", "hash", "if", "in", "jobs", "kill", "let", "local", "popd",
        "printf", "pushd", "pwd", "read", "readonly", "return", "select", "set", "shift", "shopt", "source",
        "test", "then", "time", "times", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias",
        "unset", "until", "wait", "while", "{", "}",
    }
)  # fmt: skip
"""Words that a shell understands itself."""

_KEYWORDS_BEFORE_COMMANDS = frozenset(
    {"!", "{", "command", "do", "elif", "else", "eval", "exec", "if", "then", "time", "until", "while", "builtin"}
)


def programs(command: VerifyCommand) -> Iterator[tuple[str, str]]:
    """The programs that a command starts itself, each with the folder it runs in, from the root.

    After something that only running could tell (a loop's variable, a substituted name), nothing is said.
    """
    folder = "."
    for words in simple_commands(command):
        program = words[0]
        if program == "cd" and len(words) > 1 and not _unknown(words[1]):
            folder = words[1] if words[1].startswith("/") else f"{folder}/{words[1]}"
        elif program in ("cd", "pushd", "popd") or program in ("for", "case", "function", "select"):
            return
        elif program not in BUILT_IN and not _unknown(program):
            yield program, folder


def simple_commands(command: VerifyCommand) -> list[list[str]]:
    """The words of each simple command of a declared one, without variables and words of the shell before it."""
    return [_bare(words) for words in _simple_commands(_words(command)) if _bare(words)]


def commands_in(text: str) -> list[list[str]]:
    """The same of a script's text, as far as its words can be told."""
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        try:
            words = _split(line)
        except ValueError:
            words = line.split()
        found += [_bare(each) for each in _simple_commands(words) if _bare(each)]
    return found


def _bare(words: list[str]) -> list[str]:
    while words and (_ASSIGNMENT.fullmatch(words[0]) or words[0] in _KEYWORDS_BEFORE_COMMANDS):
        words = words[1:]
    return words


def _simple_commands(all_words: list[str]) -> Iterator[list[str]]:
    """The words of each part between `&&`, `;` and the like, without redirections."""
    words: list[str] = []
    skip = False
    for word in all_words:
        if skip:
            skip = False
        elif word in _ENDS:
            yield words
            words = []
        elif _REDIRECTION.fullmatch(word):
            if words and words[-1].isdecimal():
                words.pop()
            skip = True
        else:
            words.append(word)
    yield words


def _words(command: VerifyCommand) -> list[str]:
    """The words; marks of the shell are words of their own where they would be understood or were meant to be."""
    if command.text == shlex.join(command.argv):
        return list(command.argv)
    try:
        return _split(command.text.replace("\n", " ; "))
    except ValueError:
        return list(command.argv)


def _split(text: str) -> list[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = "#"
    return list(lexer)


def _unknown(word: str) -> bool:
    return "$" in word or "`" in word or "*" in word

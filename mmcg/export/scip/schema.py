"""The messages of SCIP that are written, as Protocol Buffers descriptors made at run time.

Names, numbers and types are those of the published schema, `scip.proto` of https://github.com/sourcegraph/scip. Only
the fields that are written stand here. Enumerations travel as numbers, so that they are declared as `int32`. Generated
code would demand one version of the runtime; descriptors are understood by all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.errors import MissingPackageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.message import Message

FIELDS: dict[str, tuple[tuple[str, int, str], ...]] = {
    "Index": (
        ("metadata", 1, "Metadata"),
        ("documents", 2, "Document*"),
        ("external_symbols", 3, "SymbolInformation*"),
    ),
    "Metadata": (
        ("version", 1, "int32"),
        ("tool_info", 2, "ToolInfo"),
        ("project_root", 3, "string"),
        ("text_document_encoding", 4, "int32"),
    ),
    "ToolInfo": (("name", 1, "string"), ("version", 2, "string"), ("arguments", 3, "string*")),
    "Document": (
        ("relative_path", 1, "string"),
        ("occurrences", 2, "Occurrence*"),
        ("symbols", 3, "SymbolInformation*"),
        ("language", 4, "string"),
        ("text", 5, "string"),
        ("position_encoding", 6, "int32"),
    ),
    "Occurrence": (
        ("range", 1, "int32*"),
        ("symbol", 2, "string"),
        ("symbol_roles", 3, "int32"),
        ("enclosing_range", 7, "int32*"),
    ),
    "SymbolInformation": (
        ("symbol", 1, "string"),
        ("documentation", 3, "string*"),
        ("relationships", 4, "Relationship*"),
        ("kind", 5, "int32"),
        ("display_name", 6, "string"),
        ("signature_documentation", 7, "Document"),
    ),
    "Relationship": (("symbol", 1, "string"), ("is_reference", 2, "bool"), ("is_implementation", 3, "bool")),
}
"""By message, its fields: name, number, and type; a type with `*` is repeated."""

UTF8 = 1
"""`TextEncoding`."""

UTF32_OFFSETS = 3
"""`PositionEncoding`: places count characters, as those of the index do."""

DEFINITION, IMPORT, WRITE, READ, TEST = 0x1, 0x2, 0x4, 0x8, 0x20
"""`SymbolRole`."""

KINDS = {
    "module": 16,
    "namespace": 30,
    "function": 17,
    "method": 26,
    "constructor": 9,
    "class": 7,
    "struct": 49,
    "union": 59,
    "interface": 21,
    "trait": 53,
    "enum": 11,
    "variant": 12,
    "type": 55,
    "macro": 25,
    "prototype": 17,
    "constant": 8,
    "variable": 61,
    "field": 15,
    "property": 41,
}
"""`SymbolInformation.Kind` of our kinds: a `module` is a file, a `type` an alias, a `prototype` a function."""

STATIC_KINDS = {"method": 80, "field": 79, "property": 81}
ABSTRACT_KINDS = {"method": 66}

# `Language`: names as the format spells them, after ours where they differ in more than case. Others are allowed, and
# given as they are.
_LANGUAGES = """
Ada Apex Assembly Awk bash:ShellScript C CPP CSS CSharp CUDA Clojure Coffeescript CommonLisp Dart Elixir Erlang FSharp
Fish Fortran Go GraphQL Groovy HTML Haskell Java JavaScript Julia Kotlin Lua Luau Matlab Nix OCaml Objective_C PHP
Pascal Perl PowerShell Prolog Protobuf Python R Racket Ruby Rust SQL Scala Scheme Solidity Svelte Swift Tcl
tsx:TypeScriptReact TypeScript Verilog VisualBasic Vue Zig
"""
_SPELLED = {word.partition(":")[0].casefold(): word.rpartition(":")[2] for word in _LANGUAGES.split()}


def language_name(language: str) -> str:
    """`Document.language` of one of our languages."""
    return _SPELLED.get(language, language)


def messages() -> dict[str, Callable[..., Message]]:
    """The message classes by name. Raises `MissingPackageError` where `protobuf` is not installed."""
    try:
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    except ImportError:
        raise MissingPackageError("protobuf", "scip", "SCIP") from None
    field = descriptor_pb2.FieldDescriptorProto
    plain = {"string": field.TYPE_STRING, "int32": field.TYPE_INT32, "bool": field.TYPE_BOOL}
    file = descriptor_pb2.FileDescriptorProto(name="mmcg/scip.proto", package="scip", syntax="proto3")
    for message, fields in FIELDS.items():
        declared = file.message_type.add(name=message)
        for name, number, type_ in fields:
            one = type_.rstrip("*")
            label = field.LABEL_REPEATED if type_.endswith("*") else field.LABEL_OPTIONAL
            added = declared.field.add(name=name, number=number, label=label)
            added.type = plain.get(one, field.TYPE_MESSAGE)
            if one not in plain:
                added.type_name = f".scip.{one}"
    # A pool of our own: the process may hold another's SCIP messages.
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"scip.{name}")) for name in FIELDS}

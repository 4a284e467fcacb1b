"""The JSON codec of stored files and of lines between processes: typed values in, typed values out.

Values are frozen dataclasses or `msgspec.Struct`s. A file that is stored names its format in the field `format`.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class CodecError(ValueError):
    """JSON without a value of the expected type; the message ends a sentence about the file: "is damaged: ..."."""


def to_json(value: object, form: str | int | None = None, indent: int | None = None) -> bytes:
    """Return a value as JSON that ends with a newline; `form` is the name or number of its format."""
    fields = msgspec.to_builtins(value)
    if form is not None:
        fields = {"format": form, **fields}
    return (json.dumps(fields, indent=indent) + "\n").encode()


def from_json(content: str | bytes, kind: type[T], form: str | int | None = None) -> T:
    """Return the value of type `kind` that `to_json` wrote in the format `form`; raises `CodecError`."""
    return converted(parsed(content) if form is None else fields_of(content, form), kind)


def parsed(content: str | bytes) -> object:
    """Return parsed JSON; raises `CodecError`, also for lists and objects that are nested too deeply."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise CodecError(f"is damaged: {str(error).splitlines()[0]}") from error


def fields_of(content: str | bytes, form: str | int) -> dict[str, Any]:
    """Return the fields of a JSON object in the format `form`; raises `CodecError`."""
    fields = parsed(content)
    found = fields.get("format") if isinstance(fields, dict) else None
    if not isinstance(fields, dict) or found != form:
        raise CodecError(f"is not of the format {form!r}" + (f" but of {found!r}" if found is not None else ""))
    return fields


def converted(fields: object, kind: type[T]) -> T:
    """Return the value of type `kind` in parsed JSON; raises `CodecError`."""
    try:
        return msgspec.convert(fields, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise CodecError(f"is damaged: {error}") from error

"""Canonical bytes: RFC 8785 (JCS), stricter where the RFC allows a choice.

The reader refuses duplicate keys, reserved keys, lone surrogates, NUL characters,
numbers that lose digits, and values beyond the bounds. So the signed, stored and
hashed values are equal.
"""

from __future__ import annotations

import hashlib
import json
import math
from decimal import Decimal
from typing import Any, NoReturn

MAX_DEPTH = 32
MAX_KEYS = 256
MAX_VALUES = 65_536
# The longest number that is read, in characters.
_MAX_NUMBER = 64
_MAX_SAFE_INTEGER = 2**53 - 1
_RESERVED_KEYS = frozenset({"__proto__", "constructor", "prototype"})


class CanonicalError(ValueError):
    """A text or value has no canonical form. The message states the reason."""


def parse_strict(text: str) -> Any:
    """Parse JSON strictly.

    :raises CanonicalError: for each text that the protocol refuses
    """
    try:
        value = json.loads(
            text,
            object_pairs_hook=_read_members,
            parse_int=_read_integer,
            parse_float=_read_float,
            parse_constant=_refuse_constant,
        )
    except CanonicalError:
        raise
    except RecursionError:
        raise CanonicalError(f"nested deeper than {MAX_DEPTH}") from None
    except ValueError as error:
        raise CanonicalError(str(error)) from None
    _check_bounds(value, 0, [0])
    return value


def canonicalize(value: object) -> str:
    """Return the RFC 8785 text of a JSON value.

    :raises CanonicalError: for a lone surrogate or a number that is not finite
    :raises TypeError: for a value that JSON cannot express
    """
    parts: list[str] = []
    _write(value, parts)
    return "".join(parts)


def canonical_bytes(value: object) -> bytes:
    """Return the UTF-8 of the canonical text: the signed and hashed bytes."""
    return canonicalize(value).encode()


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of bytes in lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def _read_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    if len(pairs) > MAX_KEYS:
        raise CanonicalError(f"more than {MAX_KEYS} keys in one object")
    for key, value in pairs:
        if key in _RESERVED_KEYS:
            raise CanonicalError(f"the key {key!r} is not allowed")
        if key in members:
            raise CanonicalError(f"the key {key!r} occurs twice")
        members[key] = value
    return members


def _read_integer(text: str) -> int:
    _check_number(text)
    value = int(text)
    if abs(value) > _MAX_SAFE_INTEGER and _format_float(_to_double(value)) != text:
        raise CanonicalError("an integer loses digits: write it as a string")
    return value


def _read_float(text: str) -> float:
    _check_number(text)
    value = float(text)
    if not math.isfinite(value):
        raise CanonicalError("a number is out of range")
    return value


def _check_number(text: str) -> None:
    if len(text) > _MAX_NUMBER or not text.isascii():
        raise CanonicalError("not a JSON number")


def _refuse_constant(name: str) -> NoReturn:
    raise CanonicalError(f"{name} is not a JSON value")


def _check_bounds(value: object, depth: int, count: list[int]) -> None:
    """Check depth, number of values and texts. `count` holds the values so far."""
    if depth > MAX_DEPTH:
        raise CanonicalError(f"nested deeper than {MAX_DEPTH}")
    count[0] += 1
    if count[0] > MAX_VALUES:
        raise CanonicalError(f"more than {MAX_VALUES} values")
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, list):
        for item in value:
            _check_bounds(item, depth + 1, count)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_text(key)
            _check_bounds(item, depth + 1, count)


def _check_text(text: str) -> None:
    if "\0" in text:
        raise CanonicalError("a NUL character is not allowed")
    _check_surrogates(text)


def _check_surrogates(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise CanonicalError("a lone surrogate has no bytes") from None


def _write(value: object, parts: list[str]) -> None:
    if value is None:
        parts.append("null")
    elif value is True:
        parts.append("true")
    elif value is False:
        parts.append("false")
    elif isinstance(value, str):
        parts.append(_quote(value))
    elif isinstance(value, int):
        is_safe = abs(value) <= _MAX_SAFE_INTEGER
        parts.append(str(value) if is_safe else _format_float(_to_double(value)))
    elif isinstance(value, float):
        parts.append(_format_float(value))
    elif isinstance(value, (list, tuple)):
        _write_items(value, parts)
    elif isinstance(value, dict):
        _write_members(value, parts)
    else:
        raise TypeError(f"{type(value).__name__} has no JSON form")


def _write_items(items: list[object] | tuple[object, ...], parts: list[str]) -> None:
    parts.append("[")
    for index, item in enumerate(items):
        if index:
            parts.append(",")
        _write(item, parts)
    parts.append("]")


def _write_members(members: dict[Any, object], parts: list[str]) -> None:
    parts.append("{")
    for index, key in enumerate(sorted(members, key=_utf16)):
        parts.append("," if index else "")
        parts.append(_quote(key))
        parts.append(":")
        _write(members[key], parts)
    parts.append("}")


def _utf16(key: object) -> bytes:
    """Return the sort key of RFC 8785: the UTF-16 code units."""
    if not isinstance(key, str):
        raise TypeError("a key must be a string")
    return key.encode("utf-16-be", "surrogatepass")


def _quote(text: str) -> str:
    _check_surrogates(text)
    return json.dumps(text, ensure_ascii=False)


def _to_double(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        raise CanonicalError("a number is out of range") from None


def _format_float(value: float) -> str:
    """Return the number as ECMAScript prints it (ECMA-262, Number::toString)."""
    if not math.isfinite(value):
        raise CanonicalError("a number is not finite")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    # Python's repr has the same shortest digits; only their form differs.
    _, digit_list, exponent = Decimal(repr(abs(value))).normalize().as_tuple()
    digits = "".join(map(str, digit_list))
    point = len(digits) + int(exponent)
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    mantissa = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
    return f"{sign}{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"

"""Reading wire objects: dictionaries as JSON has them, from senders not trusted."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

JsonObject = dict[str, Any]

_MESSAGE_ID = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
)
_ROOM_ID = re.compile(r"(rom|inb)_[0-9a-f]{32}")
_TASK_ID = re.compile(r"tsk_[0-9a-f]{32}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[A-Za-z0-9_-]{86}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z", re.ASCII)
_DID = re.compile(
    r"did:pkh:eip155:[1-9]\d{0,15}:0x[0-9a-f]{40}"
    r"|did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}"
    r"|did:web:[a-zA-Z0-9.%-]+(:[a-zA-Z0-9._%-]+)*",
    re.ASCII,
)
_AMOUNT = re.compile(r"0|[1-9][0-9]{0,18}")


def as_text(value: object) -> str:
    """Return a text as it is; empty for any other type."""
    return value if isinstance(value, str) else ""


def as_integer(value: object, default: int = 0) -> int:
    """Return an integer as it is; the default for any other type."""
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    return value if is_integer else default  # type: ignore[return-value]


def as_object(value: object) -> JsonObject:
    """Return an object as it is; empty for any other type."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Return a list as it is; empty for any other type."""
    return value if isinstance(value, list) else []


def as_texts(value: object) -> list[str]:
    """Return the texts of a list."""
    return [item for item in as_list(value) if isinstance(item, str)]


def is_amount(value: object) -> bool:
    """Return whether a value is money on the wire: base units as a decimal text."""
    return isinstance(value, str) and _AMOUNT.fullmatch(value) is not None


def first_data(envelope: JsonObject) -> JsonObject:
    """Return the first data part of a message; empty if there is none."""
    for part in envelope["parts"]:
        if part.get("data") is not None:
            return as_object(part["data"])
    return {}


def find_data(envelope: JsonObject, kind: str) -> JsonObject | None:
    """Return the first data part of this kind."""
    for part in envelope["parts"]:
        data = part.get("data")
        if isinstance(data, dict) and data.get("kind") == kind:
            return data
    return None


def text_of(envelope: JsonObject) -> str:
    """Return the texts of a message, one a line."""
    texts = [as_text(part.get("text")) for part in envelope["parts"]]
    return "\n".join(text for text in texts if text)


def is_artifact_ref(value: object) -> bool:
    """Return whether a value names a file: hash, name, media type, size and type."""
    ref = as_object(value)
    texts = ("name", "media_type", "artifact_type")
    return (
        _SHA256.fullmatch(as_text(ref.get("sha256"))) is not None
        and all(isinstance(ref.get(key), str) for key in texts)
        and as_integer(ref.get("size"), -1) >= 0
    )


def read_task_inputs(value: object) -> list[JsonObject]:
    """Return the valid inputs of a list; invalid ones are left out."""
    return [item for item in as_list(value) if _is_task_input(item)]


def _is_task_input(value: object) -> bool:
    item = as_object(value)
    artifact, data = item.get("artifact"), item.get("data")
    return (
        isinstance(item.get("port"), str)
        and isinstance(item.get("type"), str)
        and (artifact is None or is_artifact_ref(artifact))
        and (data is None or isinstance(data, dict))
    )


def envelope_fault(value: object) -> str | None:
    """Return why a value is not an envelope, as a phrase; None if it is one."""
    if not isinstance(value, dict):
        return "it is not an object"
    checks = {
        "v": value.get("v") == "1",
        "id": _matches(_MESSAGE_ID, value.get("id")),
        "room_id": _matches(_ROOM_ID, value.get("room_id")),
        "sender_id": _matches(_DID, value.get("sender_id")),
        "state": _is_short(value.get("state"), 64),
        "type": _is_short(value.get("type"), 64),
        "parts": _are_parts(value.get("parts")),
        "sig": "sig" not in value or _is_signature(value["sig"]),
    }
    faults = [name for name, is_valid in checks.items() if not is_valid]
    faults += [name for name in value if not _is_optional_valid(name, value[name])]
    return f"the field {faults[0]} is missing or malformed" if faults else None


def _matches(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_time(value: object) -> bool:
    if not _matches(_TIME, value):
        return False
    try:
        datetime.strptime(as_text(value)[:16], "%Y-%m-%dT%H:%M")
    except ValueError:
        return False
    return True


def _is_short(value: object, length: int) -> bool:
    return isinstance(value, str) and len(value.encode("utf-16-le")) <= 2 * length


def _is_optional_valid(name: str, value: object) -> bool:
    if name == "seq":
        return as_integer(value) > 0
    if name in ("received_at", "deadline"):
        return _is_time(value)
    if name in ("to", "next_speakers"):
        return isinstance(value, list) and all(_matches(_DID, one) for one in value)
    if name in ("task_id", "parent_task_id"):
        return _matches(_TASK_ID, value)
    if name == "triggers":
        return isinstance(value, list) and all(_matches(_TASK_ID, one) for one in value)
    if name == "mode":
        return value in ("sync", "async")
    if name == "expects":
        return value in ("none", "ack", "reply", "result")
    if name == "task_desc":
        return isinstance(value, str)
    return True


def _are_parts(value: object) -> bool:
    return isinstance(value, list) and len(value) <= 64 and all(map(_is_part, value))


def _is_part(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    return (
        ("text" not in value or _is_short(value["text"], 65_536))
        and ("data" not in value or isinstance(value["data"], dict))
        and ("artifact" not in value or is_artifact_ref(value["artifact"]))
    )


def _is_signature(value: object) -> bool:
    sig = as_object(value)
    delegation = sig.get("delegation")
    return (
        sig.get("alg") in ("EdDSA", "session")
        and isinstance(sig.get("kid"), str)
        and _matches(_SIGNATURE, sig.get("value"))
        and isinstance(sig.get("path", ""), str)
        and ("delegation" not in sig or _is_delegation(delegation))
    )


def _is_delegation(value: object) -> bool:
    terms = as_object(value)
    return (
        as_integer(terms.get("not_before")) > 0
        and as_integer(terms.get("expires_at")) > 0
        and _matches(_SIGNATURE, terms.get("value"))
        and ("room_id" not in terms or _matches(_ROOM_ID, terms["room_id"]))
    )

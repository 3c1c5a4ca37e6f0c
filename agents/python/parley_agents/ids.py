"""Identifiers: UUIDv7 (RFC 9562), so that ids sort by time."""

from __future__ import annotations

import secrets
import time


def uuid7(now_ms: int, random: bytes) -> str:
    """Return a UUIDv7. `now_ms`: Unix milliseconds. `random`: at least 10 bytes."""
    data = bytearray(now_ms.to_bytes(6, "big") + random[:10])
    data[6] = data[6] & 0x0F | 0x70
    data[8] = data[8] & 0x3F | 0x80
    text = data.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def uuid_time_ms(uuid: str) -> int:
    """Return the time in a UUIDv7, Unix milliseconds."""
    return int(uuid[:8] + uuid[9:13], 16)


def new_message_id() -> str:
    """Return a new message id. It is the idempotency key of the message."""
    return uuid7(time.time_ns() // 1_000_000, secrets.token_bytes(10))


def new_id(prefix: str) -> str:
    """Return a new id: the prefix, `_` and 32 hex digits, for example `tsk_…`."""
    return f"{prefix}_{new_message_id().replace('-', '')}"

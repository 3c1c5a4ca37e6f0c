"""Checks of a delivered message before any listener receives it."""

from __future__ import annotations

from .errors import (
    ProblemError,
    message_quarantined,
    message_unreadable,
    signature_invalid,
)
from .signatures import verify_envelope
from .transport import Delivered
from .wire import JsonObject, as_object, envelope_fault


def verify_delivery(message: Delivered, server: str) -> JsonObject | ProblemError:
    """Return the message, or why it is skipped.

    It is skipped if it is malformed, if its signature is invalid, or if it is the
    placeholder of a message that the server holds.

    :param server: DID of the server
    """
    room_id, seq, envelope = message.room_id, message.seq, message.envelope
    fault = envelope_fault(envelope)
    if fault is not None:
        return message_unreadable(room_id, seq, fault)
    if not verify_envelope(envelope, server):
        return signature_invalid(room_id, seq)
    if _is_placeholder(envelope, server):
        return message_quarantined(room_id, seq)
    return envelope


def _is_placeholder(envelope: JsonObject, server: str) -> bool:
    """Only the server creates the placeholder of a dead letter."""
    if envelope["sender_id"] != server:
        return False
    data = [as_object(part.get("data")) for part in envelope["parts"]]
    number = envelope["seq"]
    return any(
        one.get("kind") == "message.dead_lettered" and one.get("seq") == number
        for one in data
    )

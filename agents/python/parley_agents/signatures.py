"""Signatures of envelopes: by the sender's key, or by the server for the sender."""

from __future__ import annotations

import hashlib

from .canonical import CanonicalError, canonical_bytes
from .ids import uuid_time_ms
from .keys import Signer, base64url_decode, verify_bytes
from .wire import JsonObject

# Fields that no signature covers: the server sets them.
_SERVER_FIELDS = frozenset({"seq", "received_at", "sig"})
_MAX_LEVELS = 16
_HASH_BYTES = 32
_MAX_DELEGATION_SECONDS = 86_400
_PLAIN_FIELDS = _SERVER_FIELDS | {
    *("v", "id", "room_id", "sender_id", "state", "type", "to", "reply_to", "parts"),
}


def signed_bytes(envelope: JsonObject) -> bytes:
    """Return the bytes that the sender signs: all fields but the server's and `sig`."""
    signed = {key: envelope[key] for key in envelope if key not in _SERVER_FIELDS}
    return canonical_bytes(signed)


def sign_envelope(signer: Signer, draft: JsonObject) -> JsonObject:
    """Return the draft with `v` and the signature of the sender's own key."""
    envelope = {"v": "1", **draft}
    value = signer.sign(signed_bytes(envelope))
    return {**envelope, "sig": {"alg": "EdDSA", "kid": signer.did, "value": value}}


def verify_envelope(envelope: JsonObject, server: str) -> bool:
    """Return whether the signature of an envelope is valid.

    `EdDSA` must be by the sender's `did:key`. For a `did:web` sender, `kid` names the
    key that the server has bound to it. `session` must be by the server. For a sender
    with a key, `session` is valid only under that sender's delegation.

    :param server: DID of the server
    """
    sig = envelope.get("sig")
    if not sig:
        return False
    try:
        data = signed_bytes(envelope)
    except (CanonicalError, TypeError):
        return False
    sender, kid, value = envelope["sender_id"], sig["kid"], sig["value"]
    path, delegation = sig.get("path"), sig.get("delegation")
    if sig["alg"] == "EdDSA":
        expected = kid if sender.startswith("did:web:") else sender
        is_plain = path is None and delegation is None
        return kid == expected and is_plain and verify_bytes(kid, data, value)
    if kid != server or not _may_be_vouched(envelope, server, delegation):
        return False
    if path is None:
        return verify_bytes(server, data, value)
    return verify_merkle(server, data, path, value)


def verify_merkle(did: str, data: bytes, path: str, value: str) -> bool:
    """Return whether `value` signs the tree that has these bytes at the end of `path`.

    :param path: base64url of 1 to 16 hashes of 32 bytes, lowest first
    """
    try:
        hashes = base64url_decode(path)
    except ValueError:
        return False
    levels, rest = divmod(len(hashes), _HASH_BYTES)
    if rest or not 1 <= levels <= _MAX_LEVELS:
        return False
    node = hashlib.sha256(data).digest()
    for at in range(0, len(hashes), _HASH_BYTES):
        pair = sorted((node, hashes[at : at + _HASH_BYTES]))
        node = hashlib.sha256(b"\x01" + pair[0] + pair[1]).digest()
    root = canonical_bytes({"purpose": "parley-vouch-v1", "root": node.hex()})
    return verify_bytes(did, root, value)


def delegation_bytes(agent: str, server: str, terms: JsonObject) -> bytes:
    """Return what an agent signs to let a server sign its plain discussion."""
    names = ("room_id", "not_before", "expires_at")
    claim = {name: terms[name] for name in names if name in terms}
    parties = {"agent": agent, "server": server, "scope": "discussion"}
    return canonical_bytes({"purpose": "parley-delegation-v1", **parties, **claim})


def _may_be_vouched(
    envelope: JsonObject, server: str, delegation: JsonObject | None
) -> bool:
    """Return whether the server may sign this message for its sender."""
    sender = envelope["sender_id"]
    if not sender.startswith("did:key:"):
        return delegation is None
    return (
        delegation is not None
        and _is_plain_discussion(envelope)
        and _covers(delegation, envelope)
        and _is_valid_delegation(sender, server, delegation)
    )


def _is_plain_discussion(envelope: JsonObject) -> bool:
    return (
        envelope["type"] == "discussion"
        and _PLAIN_FIELDS.issuperset(envelope)
        and all(set(part) == {"text"} for part in envelope["parts"])
    )


def _covers(terms: JsonObject, envelope: JsonObject) -> bool:
    """Return whether a delegation is for this room, and for the time in the id."""
    at = uuid_time_ms(envelope["id"])
    is_in_time = terms["not_before"] * 1_000 <= at < terms["expires_at"] * 1_000
    return is_in_time and terms.get("room_id") in (None, envelope["room_id"])


def _is_valid_delegation(agent: str, server: str, terms: JsonObject) -> bool:
    seconds: int = terms["expires_at"] - terms["not_before"]
    if not 0 < seconds <= _MAX_DELEGATION_SECONDS:
        return False
    return verify_bytes(agent, delegation_bytes(agent, server, terms), terms["value"])

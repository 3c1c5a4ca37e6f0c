"""Ed25519 keys, their identifiers (`did:key`), and base64url."""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import re
import secrets

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from .canonical import canonical_bytes

_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_KEY_DID = re.compile(r"did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}")
_SEED = re.compile(r"[0-9a-fA-F]{64}")
# Multicodec of an Ed25519 public key.
_CODEC = b"\xed\x01"


class Signer:
    """An Ed25519 key. It is the identity of an agent.

    :param seed: 64 hex digits. Store them: they are the key.
    :raises ValueError: if the seed has another form
    """

    def __init__(self, seed: str) -> None:
        if not is_seed(seed):
            raise ValueError("An Ed25519 seed is 64 hex digits.")
        self._key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
        raw = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.did: str = did_of_key(raw)

    def sign(self, data: bytes) -> str:
        """Return the signature of the bytes as base64url without padding."""
        return base64url_encode(self._key.sign(data))


def is_seed(text: str) -> bool:
    """Return whether a text is a seed: 64 hex digits."""
    return _SEED.fullmatch(text) is not None


def random_seed() -> str:
    """Return a new seed: 64 hex digits."""
    return secrets.token_hex(32)


def seed_from_token(token: str) -> str:
    """Derive a seed from a token, for a first try.

    The issuer of the token could derive the same key. An agent that must be the only
    signer with its key needs a separate seed.
    """
    return hashlib.sha256(f"parley-seed-v1:{token}".encode()).hexdigest()


def did_of_key(public_key: bytes) -> str:
    """Return the `did:key` of a raw 32-byte Ed25519 public key."""
    number = int.from_bytes(_CODEC + public_key, "big")
    text = ""
    while number:
        number, digit = divmod(number, 58)
        text = _ALPHABET[digit] + text
    return f"did:key:z{text}"


def public_key_of(did: str) -> bytes:
    """Return the raw 32-byte public key in a `did:key`.

    :raises ValueError: if it is another identifier
    """
    if _KEY_DID.fullmatch(did) is None:
        raise ValueError(f"{did} is not an Ed25519 did:key.")
    number = 0
    for letter in did[len("did:key:z") :]:
        number = number * 58 + _ALPHABET.index(letter)
    data = number.to_bytes(36, "big").lstrip(b"\0")
    if len(data) != 34 or data[:2] != _CODEC:
        raise ValueError(f"{did} is not an Ed25519 did:key.")
    return data[2:]


@functools.lru_cache(maxsize=10_000)
def _load_public_key(did: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(public_key_of(did))


def verify_bytes(did: str, data: bytes, value: str) -> bool:
    """Return whether `value` is the signature of `did` over the bytes.

    A signature has one encoding: the unused bits of its base64url must be zero.
    False for a malformed key or signature.
    """
    try:
        signature = base64url_decode(value)
        _load_public_key(did).verify(signature, data)
    except (ValueError, InvalidSignature):
        return False
    return True


def hello_bytes(*, audience: str, nonce: str, did: str) -> bytes:
    """Return what an agent signs on connect. `audience` is the server's DID."""
    claim = {"purpose": "parley-hello-v1", "audience": audience, "nonce": nonce}
    return canonical_bytes({**claim, "did": did})


def base64url_encode(data: bytes) -> str:
    """Return the base64url of the bytes, without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def base64url_decode(text: str) -> bytes:
    """Return the bytes of a base64url text without padding.

    :raises ValueError: for any other spelling of the same bytes
    """
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None
    if base64url_encode(data) != text:
        raise ValueError("The base64url text has unused bits or padding.")
    return data

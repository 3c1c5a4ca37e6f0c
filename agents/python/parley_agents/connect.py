"""Connecting an agent to its market."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from .backoff import Backoff
from .keys import Signer
from .session import Session


async def connect(
    url: str | Sequence[str],
    signer: Signer,
    *,
    token: str | None = None,
    server: str | None = None,
    backoff: Backoff | None = None,
) -> Session:
    """Connect an agent. Return after the first connection; retry until there is one.

    :param url: address of the hub; several name hubs of one market, and any is used
    :param token: binds the key to its listing, on the first connection
    :param server: DID of the server, if it is known; the session refuses any other
    :raises ProblemError: the server's refusal
    """
    session = open_session(url, signer, token=token, server=server, backoff=backoff)
    try:
        await session.connected()
    except asyncio.CancelledError:
        session.close()
        raise
    return session


def open_session(
    url: str | Sequence[str],
    signer: Signer,
    *,
    token: str | None = None,
    server: str | None = None,
    backoff: Backoff | None = None,
) -> Session:
    """Begin to connect an agent. The arguments are those of `connect`."""
    urls = [url] if isinstance(url, str) else list(url)
    return Session(urls, signer, token, server, backoff or Backoff())

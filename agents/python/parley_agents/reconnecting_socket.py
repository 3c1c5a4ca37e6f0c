"""A WebSocket that reconnects, with a timeout for silent connections."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import websockets
from websockets.exceptions import ConnectionClosed, WebSocketException

from .backoff import Backoff
from .waiting import within

# Three missed heartbeats count as a dead peer, seconds.
_IDLE_TIMEOUT = 45.0
# A connection that lasts this long after its handshake resets the back-off, seconds.
_STABLE_AFTER = 5.0
_OPEN_TIMEOUT = 20.0
_MAX_FRAME_BYTES = 16 * 1024 * 1024
# WebSocket close code 1012, Service Restart. Its reason has the longest wait.
_RESTART_CODE = 1012
_MAX_RESTART_DELAY = 60.0


class ReconnectingSocket:
    """A WebSocket to one of several hubs of one market.

    The first connection takes a hub at random, each later one the next in the list.
    `run` connects again until `close`.

    :param on_text: receives each text frame
    :param on_disconnected: called after the end of each connection
    """

    def __init__(
        self,
        urls: Sequence[str],
        on_text: Callable[[str], None],
        on_disconnected: Callable[[], None],
        backoff: Backoff,
    ) -> None:
        self._urls = urls
        self._on_text = on_text
        self._on_disconnected = on_disconnected
        self._backoff = backoff
        self._at = min(len(urls) - 1, int(backoff.uniform() * len(urls)))
        self._attempt = 0
        self._min_wait = 0.0
        self._restart_delay: float | None = None
        self._is_closed = False
        self._closed = asyncio.Event()
        self._outgoing: asyncio.Queue[str | None] | None = None
        self._stable: asyncio.TimerHandle | None = None

    def send(self, text: str) -> bool:
        """Queue a frame. False if no connection is open; the frame is then dropped."""
        if self._outgoing is None:
            return False
        self._outgoing.put_nowait(text)
        return True

    def mark_welcomed(self) -> None:
        """Mark the handshake as complete. A lasting connection resets the back-off."""
        loop = asyncio.get_running_loop()
        self._stable = loop.call_later(_STABLE_AFTER, self._reset_attempts)

    def reconnect(self, min_wait: float = 0.0) -> None:
        """End this connection. The next attempt follows after `min_wait` seconds."""
        self._min_wait = min_wait
        self._end_connection()

    def close(self) -> None:
        """Send what is queued, and end the connection without another attempt."""
        self._is_closed = True
        self._closed.set()
        self._end_connection()

    async def run(self) -> None:
        """Connect, and connect again after each end, until `close`."""
        while not self._is_closed:
            await self._connect_once()
            if self._is_closed:
                return
            self._on_disconnected()
            self._at = (self._at + 1) % len(self._urls)
            with contextlib.suppress(asyncio.TimeoutError):
                await within(self._next_wait(), self._closed.wait())

    def _next_wait(self) -> float:
        least, self._min_wait = self._min_wait, 0.0
        if self._restart_delay is not None:
            # An announced restart does not count as a failed attempt.
            return least + self._backoff.uniform() * self._restart_delay
        self._attempt += 1
        return least + self._backoff.wait(self._attempt - 1)

    def _reset_attempts(self) -> None:
        self._attempt = 0

    def _end_connection(self) -> None:
        if self._outgoing is not None:
            # The writer sends what is before this mark, then ends.
            self._outgoing.put_nowait(None)
            self._outgoing = None

    async def _connect_once(self) -> None:
        self._restart_delay = None
        closing = asyncio.ensure_future(self._closed.wait())
        opening = asyncio.ensure_future(_open(self._urls[self._at]))
        await asyncio.wait({closing, opening}, return_when=asyncio.FIRST_COMPLETED)
        closing.cancel()
        if not opening.done():
            opening.cancel()
            return
        try:
            connection = opening.result()
        except (OSError, asyncio.TimeoutError, WebSocketException, EOFError):
            return
        try:
            await self._use(connection)
        finally:
            if self._stable is not None:
                self._stable.cancel()
            # A dead peer does not answer the close.
            with contextlib.suppress(Exception):
                await connection.close()

    async def _use(self, connection: Any) -> None:
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._outgoing = queue
        if self._is_closed:
            self._end_connection()
        tasks = {
            asyncio.ensure_future(self._read(connection)),
            asyncio.ensure_future(_write(connection, queue)),
        }
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if self._outgoing is queue:
            self._outgoing = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, connection: Any) -> None:
        while True:
            try:
                text = await within(_IDLE_TIMEOUT, connection.recv())
            except asyncio.TimeoutError:
                return
            except ConnectionClosed as error:
                if error.rcvd is not None:
                    code, reason = error.rcvd.code, error.rcvd.reason
                    self._restart_delay = read_restart_delay(code, reason)
                return
            if isinstance(text, str):
                self._on_text(text)


async def _open(url: str) -> Any:
    return await websockets.connect(
        url,
        open_timeout=_OPEN_TIMEOUT,
        close_timeout=2,
        # The protocol has its own heartbeat.
        ping_interval=None,
        max_size=_MAX_FRAME_BYTES,
        compression=None,
    )


async def _write(connection: Any, queue: asyncio.Queue[str | None]) -> None:
    while (text := await queue.get()) is not None:
        try:
            await connection.send(text)
        except ConnectionClosed:
            return


def read_restart_delay(code: int, reason: str) -> float | None:
    """Return the longest wait that a restarting hub asks for, at most 60 s."""
    match = re.search(r"(\d+) ms", reason) if code == _RESTART_CODE else None
    return min(int(match[1]) / 1_000, _MAX_RESTART_DELAY) if match else None


def hub_socket_url(url: str) -> str:
    """Return the WebSocket address of a hub.

    :param url: `http(s)` or `ws(s)`, with or without the path `/v1/ws`
    :raises ValueError: for any other text
    """
    address = urlsplit(url)
    if address.scheme not in ("http", "https", "ws", "wss") or not address.netloc:
        raise ValueError(f"{url!r} is not the address of a hub. Begin with https://.")
    scheme = "wss" if address.scheme in ("https", "wss") else "ws"
    path = address.path if address.path not in ("", "/") else "/v1/ws"
    return urlunsplit((scheme, address.netloc, path, address.query, ""))

"""The connection to the hub: handshake with key proof, frames, flow and heartbeats."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .backoff import Backoff
from .errors import ProblemError, server_changed, session_fenced
from .keys import Signer, hello_bytes
from .pending import retry_after
from .reconnecting_socket import ReconnectingSocket
from .wire import JsonObject, as_integer, as_list, as_object, as_text

#: Sent with each hello, so that an operator sees the library of a connection.
CLIENT = "parley-agents-python/0.1.0"
# Flow control: after so many frames a ping follows, and its pong allows the next ones.
# The server ends the connection of a faster sender.
_MAX_FRAMES_PER_PONG = 20
_PING = '{"type":"ping"}'
_PONG = '{"type":"pong"}'


@dataclass(frozen=True)
class Welcome:
    """The server's answer to a valid hello."""

    agent_id: str
    #: DID under which the agent speaks.
    did: str
    handle: str
    #: Room id of the agent's inbox.
    inbox: str
    #: DID of the server.
    server: str
    #: By room id: the number of the last acknowledged message.
    acked: dict[str, int]


@dataclass(frozen=True)
class Delivered:
    """A delivered message, of which only room and number are checked."""

    room_id: str
    seq: int
    envelope: JsonObject


@dataclass(frozen=True)
class TransportEvents:
    """What the transport calls."""

    welcome: Callable[[Welcome], None]
    deliver: Callable[[Delivered], None]
    joined: Callable[[str], None]
    result: Callable[[object, Any], None]
    #: The id is None if the problem belongs to no command.
    problem: Callable[[object, JsonObject], None]
    disconnected: Callable[[], None]
    #: The server refused the agent permanently, or a newer connection replaced it.
    end: Callable[[ProblemError], None]


class Transport:
    """An authenticated connection, which is replaced when it ends.

    :param token: binds the key on the first connection
    :param server: DID of the server; None requires the DID of the first connection
    """

    def __init__(
        self,
        urls: Sequence[str],
        signer: Signer,
        token: str | None,
        server: str | None,
        backoff: Backoff,
        events: TransportEvents,
    ) -> None:
        self._signer = signer
        self._token = token
        self._server = server
        self._events = events
        self._is_welcomed = False
        self._is_closed = False
        self._queue: deque[str] = deque()
        self._frames_since_ping = 0
        self._is_pong_pending = False
        self._socket = ReconnectingSocket(
            urls, self._receive, self._lose_connection, backoff
        )

    async def run(self) -> None:
        """Keep the connection until `close`."""
        await self._socket.run()

    def send(self, frame: JsonObject) -> bool:
        """Send a frame. False before the handshake is complete; it is then dropped."""
        return self.send_text(json.dumps(frame, separators=(",", ":")))

    def send_text(self, text: str) -> bool:
        """Send a frame as text. False before the handshake is complete."""
        if not self._is_welcomed:
            return False
        self._queue.append(text)
        self._flush()
        return True

    def close(self) -> None:
        """Send what is queued and end the connection."""
        while self._queue and self._socket.send(self._queue[0]):
            self._queue.popleft()
        self._is_closed = True
        self._is_welcomed = False
        self._socket.close()

    def _lose_connection(self) -> None:
        self._is_welcomed = False
        self._events.disconnected()

    def _end(self, error: ProblemError) -> None:
        if not self._is_closed:
            self.close()
            self._events.end(error)

    def _flush(self) -> None:
        """Keep at most two batches in flight: one before its pong, one behind it."""
        while self._queue and self._frames_since_ping < _MAX_FRAMES_PER_PONG:
            if not self._socket.send(self._queue[0]):
                return
            self._queue.popleft()
            self._frames_since_ping += 1
            is_full = self._frames_since_ping == _MAX_FRAMES_PER_PONG
            if is_full and not self._is_pong_pending:
                self._send_ping()

    def _send_ping(self) -> None:
        self._is_pong_pending = self._socket.send(_PING)
        self._frames_since_ping = 0

    def _receive(self, text: str) -> None:
        if self._is_closed:
            return
        try:
            frame = as_object(json.loads(text))
        except (ValueError, RecursionError):
            return
        kind = frame.get("type")
        if kind == "deliver":
            self._deliver(as_object(frame.get("envelope")))
        elif kind == "challenge":
            self._prove_key(as_text(frame.get("nonce")), as_text(frame.get("server")))
        elif kind == "welcome":
            self._start_connection(frame)
        elif kind == "joined":
            self._events.joined(as_text(frame.get("room_id")))
        elif kind == "result":
            self._events.result(frame.get("id"), frame.get("result"))
        elif kind == "problem":
            self._read_problem(frame.get("id"), as_object(frame.get("problem")))
        elif kind == "fenced":
            self._end(session_fenced())
        elif kind == "ping":
            self._socket.send(_PONG)
        elif kind == "pong":
            self._read_pong()
        # Unknown frames belong to later versions of the protocol.

    def _deliver(self, envelope: JsonObject) -> None:
        room_id, seq = as_text(envelope.get("room_id")), as_integer(envelope.get("seq"))
        if self._is_welcomed and room_id and seq > 0:
            self._events.deliver(Delivered(room_id, seq, envelope))

    def _prove_key(self, nonce: str, server: str) -> None:
        """Sign the server's nonce with the agent's key."""
        if self._server is not None and self._server != server:
            self._end(server_changed(self._server, server))
            return
        self._server = server
        did = self._signer.did
        proof = hello_bytes(audience=server, nonce=nonce, did=did)
        hello = {"type": "hello", "did": did, "signature": self._signer.sign(proof)}
        token = {"token": self._token} if self._token else {}
        self._socket.send(json.dumps({**hello, "client": CLIENT, **token}))

    def _start_connection(self, frame: JsonObject) -> None:
        # The token has bound the key. It is not sent again, so it cannot leak.
        self._token = None
        self._is_welcomed = True
        self._queue.clear()
        self._frames_since_ping = 0
        self._is_pong_pending = False
        self._socket.mark_welcomed()
        names = ("agent_id", "did", "handle", "inbox", "server")
        rooms = [as_object(room) for room in as_list(frame.get("rooms"))]
        acked = {
            as_text(one.get("room_id")): as_integer(one.get("acked")) for one in rooms
        }
        texts = {name: as_text(frame.get(name)) for name in names}
        self._events.welcome(Welcome(acked=acked, **texts))

    def _read_problem(self, command_id: object, problem: JsonObject) -> None:
        if self._is_welcomed or command_id is not None:
            self._events.problem(command_id, problem)
        elif problem.get("retry") == "later":
            self._socket.reconnect(retry_after(problem))
        else:
            self._end(ProblemError(problem))

    def _read_pong(self) -> None:
        self._is_pong_pending = False
        if self._frames_since_ping == _MAX_FRAMES_PER_PONG:
            self._send_ping()
        self._flush()

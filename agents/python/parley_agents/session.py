"""A session: one agent with one key, over connections that are lost and replaced."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from .artifacts import checked_bytes
from .backoff import Backoff
from .commands import Commands
from .conversation import Conversation
from .delivery import OrderedDelivery
from .emitter import Emitter, Listener
from .errors import ProblemError, session_closed
from .events import Event, event_name, parse_event, to_room_message
from .keys import Signer
from .messages import NEEDS_CHARTER, ROOM_COMMANDS
from .pending import PendingCommands
from .reconnecting_socket import hub_socket_url
from .replay import ReplayReader
from .room_memory import RoomMemory
from .transport import Delivered, Transport, TransportEvents, Welcome
from .verify_delivery import verify_delivery
from .wire import JsonObject, as_text

_log = logging.getLogger("parley_agents")
# The room continues while their listeners run.
_LONG_RUNNING = frozenset({"task", "offer", "call"})
# Listeners that are added right after the connection receive every message, seconds.
_START_DELAY = 0.01


class Session(Commands):
    """The connection of one agent to its market. Create it with `connect`."""

    def __init__(
        self,
        urls: Sequence[str],
        signer: Signer,
        token: str | None,
        server: str | None,
        backoff: Backoff,
    ) -> None:
        self._signer = signer
        self._emitter = Emitter(self._report)
        self._welcome: Welcome | None = None
        self._error: ProblemError | None = None
        self._command_id = 0
        self._rooms: dict[str, None] = {}
        self._memory = RoomMemory()
        events = TransportEvents(
            welcome=self._start_connection,
            deliver=self._accept,
            joined=self._join,
            result=lambda key, result: self._commands.resolve(key, result),
            problem=self._read_problem,
            disconnected=self._lose_connection,
            end=self._end,
        )
        addresses = [hub_socket_url(url) for url in urls]
        self._transport = Transport(addresses, signer, token, server, backoff, events)
        self._commands = PendingCommands(self._transport.send_text, backoff)
        self._replays = ReplayReader(self._subscribe)
        self._delivery = OrderedDelivery(self._handle, self._subscribe, self._ack)
        loop = asyncio.get_running_loop()
        self._connected: asyncio.Future[None] = loop.create_future()
        self._started = asyncio.Event()
        self._ended = asyncio.Event()
        self._running = loop.create_task(self._transport.run())

    @property
    def did(self) -> str:
        """DID of the agent."""
        return self._require_welcome().did

    @property
    def agent_id(self) -> str:
        """Id of the agent's listing."""
        return self._require_welcome().agent_id

    @property
    def handle(self) -> str:
        """Handle of the agent's listing."""
        return self._require_welcome().handle

    @property
    def inbox(self) -> str:
        """Room id of the agent's inbox."""
        return self._require_welcome().inbox

    @property
    def server(self) -> str:
        """DID of the server."""
        return self._require_welcome().server

    @property
    def rooms(self) -> list[str]:
        """Ids of the rooms of which this agent is a member."""
        return list(self._rooms)

    @property
    def is_ended(self) -> bool:
        """Whether the session has ended and does not reconnect."""
        return self._error is not None

    def on(self, name: str, listener: Listener) -> Callable[[], None]:
        """Add a listener of an event. Return the function that removes it."""
        return self._emitter.on(name, listener)

    async def connected(self) -> None:
        """Wait for the first connection.

        :raises ProblemError: the server's refusal, or `session.closed`
        """
        await asyncio.shield(self._connected)

    async def wait_ended(self) -> ProblemError:
        """Wait until the session has ended and its socket is closed. Return why."""
        await self._ended.wait()
        await asyncio.wait({self._running})
        return self._error or session_closed()

    def close(self) -> None:
        """End the session. Commands without an answer raise `session.closed`."""
        self._end(session_closed())

    async def send(
        self,
        command: JsonObject,
        *,
        room_id: str | None = None,
        message: JsonObject | None = None,
    ) -> Any:
        if self._error is not None:
            raise self._error
        if command["type"] in ROOM_COMMANDS:
            command = await self._with_message(command, room_id, message or {})
        trace = self._memory.traces.find(as_text(command.get("goal_id")))
        self._command_id += 1
        return await self._commands.submit(self._command_id, command, trace)

    async def conversation(self, room_id: str) -> Conversation:
        """Return the state of a room up to the message being handled.

        :raises ProblemError: `session.replay_stalled`
        """
        until = self._delivery.last_started(room_id)
        return await self._replays.conversation(room_id, self.server, until)

    async def replay(
        self, room_id: str, after: int, each: Callable[[JsonObject], None]
    ) -> None:
        """Read a room again, from after message `after` up to the one being handled.

        :raises ProblemError: `session.replay_stalled`
        """
        until = self._delivery.last_started(room_id)
        await self._replays.replay(room_id, after, until, each)

    async def get_artifact(self, room_id: str, sha256: str) -> bytes:
        """Download a file of a room.

        :raises ProblemError: `session.artifact_differs` if the bytes have another hash
        """
        command = {"type": "artifact.get", "room_id": room_id, "sha256": sha256}
        return checked_bytes((await self.send(command)).get("content"), sha256)

    async def get_call_file(self, call_id: str, sha256: str) -> bytes:
        """Download a file of a call.

        :raises ProblemError: `session.artifact_differs` if the bytes have another hash
        """
        command = {"type": "call.get", "call_id": call_id, "sha256": sha256}
        file = (await self.send(command)).get("file") or {}
        return checked_bytes(file.get("content"), sha256)

    def _report(self, error: Exception) -> None:
        # A command that the end of the session rejected is not the listener's error.
        if error is self._error:
            return
        if self._emitter.count("error"):
            self._emitter.emit_soon("error", error)
        else:
            _log.error("A listener raised an error.", exc_info=error)

    def _require_welcome(self) -> Welcome:
        if self._welcome is None:
            raise session_closed()
        return self._welcome

    def _subscribe(self, room_id: str, after: int) -> None:
        self._transport.send({"type": "subscribe", "room_id": room_id, "after": after})

    def _ack(self, room_id: str, seq: int) -> bool:
        return self._transport.send({"type": "ack", "room_id": room_id, "seq": seq})

    def _start_connection(self, welcome: Welcome) -> None:
        self._welcome = welcome
        for room_id, acked in welcome.acked.items():
            self._rooms[room_id] = None
            self._delivery.add_room(room_id, acked)
        self._delivery.flush_acks()
        self._replays.resume()
        self._commands.resend_all()
        if not self._connected.done():
            self._connected.set_result(None)
            loop = asyncio.get_running_loop()
            loop.call_later(_START_DELAY, self._started.set)
        self._emitter.emit_soon("online", welcome)

    def _join(self, room_id: str) -> None:
        self._rooms[room_id] = None
        self._emitter.emit_soon("joined", room_id)

    def _read_problem(self, command_id: object, problem: JsonObject) -> None:
        if command_id is None or not self._commands.reject(command_id, problem):
            self._emitter.emit_soon("problem", problem)

    def _lose_connection(self) -> None:
        self._emitter.emit_soon("offline", len(self._commands))

    def _end(self, error: ProblemError) -> None:
        if self._error is not None:
            return
        self._delivery.stop()
        self._error = error
        self._commands.reject_all(error)
        self._replays.reject_all(error)
        self._transport.close()
        if not self._connected.done():
            self._connected.set_exception(error)
            # No caller has to wait for the connection.
            self._connected.exception()
        self._started.set()
        self._ended.set()
        if error.code == "session.fenced":
            self._emitter.emit_soon("fenced", error.problem)
        self._emitter.emit_soon("end", error)

    def _accept(self, message: Delivered) -> None:
        room_id, seq = message.room_id, message.seq
        is_new = self._delivery.accept(message)
        if not is_new and self._replays.covers(room_id, seq):
            self._replays.accept_replayed(room_id, seq, self._verify(message))

    def _verify(self, message: Delivered) -> JsonObject | None:
        verified = verify_delivery(message, self.server)
        if not isinstance(verified, ProblemError):
            return verified
        self._emitter.emit_soon("problem", verified.problem)
        return None

    async def _handle(self, message: Delivered) -> Awaitable[bool]:
        await self._started.wait()
        envelope = self._verify(message)
        # After the end nothing is acked: the next session receives the message again.
        if envelope is None or self.is_ended:
            return _settled(not self.is_ended)
        self._replays.accept_live(envelope)
        room_message = to_room_message(envelope, server=self.server, inbox=self.inbox)
        event = parse_event(room_message, self.did)
        self._memory.record(envelope, event)
        await self._emitter.emit("message", room_message)
        if event is None:
            return _settled(True)
        finished = asyncio.ensure_future(self._emit(event))
        if event_name(event) not in _LONG_RUNNING:
            await finished
        return finished

    async def _emit(self, event: Event) -> bool:
        await self._emitter.emit(event_name(event), event)
        return not self.is_ended

    async def _with_message(
        self, command: JsonObject, room_id: str | None, fields: JsonObject
    ) -> JsonObject:
        """Return the command with the signed message that it leaves in its room."""
        kind = command["type"]
        room = self._memory.room_of(command, room_id)
        needs_charter = kind in NEEDS_CHARTER
        charter = (await self.conversation(room)).charter if needs_charter else None
        envelope = self._memory.sign_message(
            self._signer, self.did, command, room, charter, fields
        )
        if kind == "message.post":
            # A post has no field beside its envelope.
            return {"type": kind, "room_id": room, "envelope": envelope}
        return {**command, "envelope": envelope}


async def _settled(is_handled: bool) -> bool:
    return is_handled

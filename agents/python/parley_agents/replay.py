"""Reads a room again from the server, and keeps conversations up to date.

Replayed messages were handled before, so they are not delivered again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from .bounded import BoundedDict
from .conversation import Conversation, reduce_conversation
from .errors import ProblemError, replay_stalled
from .wire import JsonObject

# The server does not answer for a room that this agent may not read, seconds.
_STALL_TIMEOUT = 30.0
# Conversations kept up to date. The oldest is read again when it is needed.
_MAX_TRACKED = 64


@dataclass
class _Replay:
    next: int
    until: int
    each: Callable[[JsonObject], None]
    done: asyncio.Future[None]
    stall_timer: asyncio.TimerHandle | None = None

    def fail(self, error: ProblemError) -> None:
        self.stop_timer()
        if not self.done.done():
            self.done.set_exception(error)

    def stop_timer(self) -> None:
        if self.stall_timer is not None:
            self.stall_timer.cancel()


@dataclass
class _Turn:
    """A lock with the number of those that hold or want it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class ReplayReader:
    """Reads stretches of rooms from the server again, in order.

    :param subscribe: requests a room's messages after a number
    """

    def __init__(self, subscribe: Callable[[str, int], None]) -> None:
        self._subscribe = subscribe
        self._replays: dict[str, _Replay] = {}
        self._tracked: BoundedDict[Conversation] = BoundedDict(_MAX_TRACKED)
        self._turns: dict[str, _Turn] = {}

    def covers(self, room_id: str, seq: int) -> bool:
        """Return whether a running replay covers this message."""
        replay = self._replays.get(room_id)
        return replay is not None and replay.next <= seq <= replay.until

    def accept_replayed(
        self, room_id: str, seq: int, envelope: JsonObject | None
    ) -> None:
        """Take a message that was received before. None: it failed verification."""
        replay = self._replays.get(room_id)
        if replay is None or seq != replay.next:
            return
        replay.next += 1
        if envelope is not None:
            replay.each(envelope)
        if replay.next <= replay.until:
            self._restart_timer(room_id, replay)
            return
        self._drop(room_id, replay)
        if not replay.done.done():
            replay.done.set_result(None)

    def accept_live(self, envelope: JsonObject) -> None:
        """Take the room's next message, in order."""
        conversation = self._tracked.get(envelope["room_id"])
        if conversation and envelope["seq"] == conversation.seq + 1:
            after = reduce_conversation(conversation, envelope)
            self._tracked[envelope["room_id"]] = after

    async def replay(
        self,
        room_id: str,
        after: int,
        until: int,
        each: Callable[[JsonObject], None],
    ) -> None:
        """Read the messages after `after`, up to `until`.

        :raises ProblemError: `session.replay_stalled`
        """
        async with self._in_sequence(room_id):
            await self._read_range(room_id, after, until, each)

    async def conversation(self, room_id: str, server: str, until: int) -> Conversation:
        """Return the conversation up to message `until`.

        :raises ProblemError: `session.replay_stalled`
        """
        async with self._in_sequence(room_id):
            state = self._tracked.get(room_id) or Conversation(room_id, server)

            def reduce(envelope: JsonObject) -> None:
                nonlocal state
                state = reduce_conversation(state, envelope)

            await self._read_range(room_id, state.seq, until, reduce)
            # Live messages may have moved the conversation further meanwhile.
            newest = self._tracked.get(room_id)
            if newest is not None and newest.seq > state.seq:
                return newest
            self._tracked[room_id] = state
            return state

    def resume(self) -> None:
        """After a reconnect: request the rest of each running replay."""
        for room_id, replay in self._replays.items():
            self._restart_timer(room_id, replay)
            self._subscribe(room_id, replay.next - 1)

    def reject_all(self, error: ProblemError) -> None:
        """Fail all running replays."""
        replays = list(self._replays.values())
        self._replays.clear()
        for replay in replays:
            replay.fail(error)

    @asynccontextmanager
    async def _in_sequence(self, room_id: str) -> AsyncIterator[None]:
        """A room has one replay at a time. Different rooms run in parallel."""
        turn = self._turns.setdefault(room_id, _Turn())
        turn.users += 1
        try:
            async with turn.lock:
                yield
        finally:
            turn.users -= 1
            if turn.users == 0:
                self._turns.pop(room_id, None)

    async def _read_range(
        self,
        room_id: str,
        after: int,
        until: int,
        each: Callable[[JsonObject], None],
    ) -> None:
        if after >= until:
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        replay = _Replay(after + 1, until, each, done)
        self._replays[room_id] = replay
        self._restart_timer(room_id, replay)
        self._subscribe(room_id, after)
        try:
            await done
        finally:
            self._drop(room_id, replay)

    def _drop(self, room_id: str, replay: _Replay) -> None:
        replay.stop_timer()
        if self._replays.get(room_id) is replay:
            del self._replays[room_id]

    def _restart_timer(self, room_id: str, replay: _Replay) -> None:
        def stall() -> None:
            self._drop(room_id, replay)
            replay.fail(replay_stalled(room_id, replay.next))

        replay.stop_timer()
        loop = asyncio.get_running_loop()
        replay.stall_timer = loop.call_later(_STALL_TIMEOUT, stall)

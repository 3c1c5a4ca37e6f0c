"""Receiver side of at-least-once delivery.

Each room in order and without gaps, each message once. Messages are acknowledged when
they are handled. Rooms run in parallel. Within a room, a message starts after the one
before it has started; a task takes minutes, a reply milliseconds.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from .transport import Delivered

# Messages of one room that may wait. Beyond it, they stay at the server.
_MAX_QUEUE = 1_000
_MAX_ROOMS = 10_000
# A gap is requested again if nothing arrives for this long, seconds.
_GAP_RETRY = 5.0
# Delay that lets the acks of a busy room go out together, seconds.
_ACK_DELAY = 0.05


@dataclass
class _Room:
    #: The last message received, without gaps.
    received: int
    #: Every message up to this one is handled.
    handled: int
    acked: int
    #: The last message started.
    started: int
    #: The highest number delivered, queued or not.
    highest: int
    ahead: set[int] = field(default_factory=set)
    queue: deque[Delivered] = field(default_factory=deque)
    is_running: bool = False
    has_overflowed: bool = False
    #: The last request for missing messages: after which one, and when.
    gap_request: tuple[int, float] | None = None

    @classmethod
    def after(cls, seq: int) -> _Room:
        return cls(received=seq, handled=seq, acked=seq, started=seq, highest=seq)

    def mark_handled(self, seq: int) -> bool:
        """Mark one message as handled. True if there is a new position to ack."""
        if seq <= self.handled:
            return False
        self.ahead.add(seq)
        before = self.handled
        while self.handled + 1 in self.ahead:
            self.handled += 1
            self.ahead.remove(self.handled)
        return self.handled > before


class OrderedDelivery:
    """Starts the messages of each room in order, and acknowledges the handled ones.

    :param handle: starts a message; its result ends when the message may be acked
    :param subscribe: requests a room's messages after a number
    :param ack: False if the ack could not be sent
    """

    def __init__(
        self,
        handle: Callable[[Delivered], Awaitable[Awaitable[bool]]],
        subscribe: Callable[[str, int], None],
        ack: Callable[[str, int], bool],
    ) -> None:
        self._handle = handle
        self._subscribe = subscribe
        self._ack = ack
        self._rooms: dict[str, _Room] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._gap_timers: set[asyncio.TimerHandle] = set()
        self._ack_timer: asyncio.TimerHandle | None = None
        self._is_stopped = False

    def add_room(self, room_id: str, acked: int) -> None:
        """Set what the server has on record. It delivers everything after `acked`."""
        room = self._find_or_add(room_id, acked)
        # An ack that was lost with the previous connection is sent again.
        room.acked = acked
        room.gap_request = None

    def accept(self, message: Delivered) -> bool:
        """Take a message. False if it was received before."""
        # The server delivers without gaps, so an evicted room resumes at this message.
        room = self._find_or_add(message.room_id, message.seq - 1)
        room.highest = max(room.highest, message.seq)
        if message.seq <= room.received:
            return False
        if message.seq > room.received + 1:
            if not room.has_overflowed:
                self._request_missing(message.room_id, room)
        elif len(room.queue) >= _MAX_QUEUE:
            room.has_overflowed = True
        else:
            room.received = message.seq
            room.queue.append(message)
            if not room.is_running:
                room.is_running = True
                self._start(self._run_queue(message.room_id, room))
        return True

    def last_started(self, room_id: str) -> int:
        """Return the number of the last message started; 0 if there is none."""
        room = self._rooms.get(room_id)
        return room.started if room else 0

    def flush_acks(self) -> None:
        """Send all outstanding acks."""
        if self._ack_timer is not None:
            self._ack_timer.cancel()
            self._ack_timer = None
        for room_id, room in self._rooms.items():
            if room.handled > room.acked and self._ack(room_id, room.handled):
                room.acked = room.handled

    def stop(self) -> None:
        """Send the acks, and start no other message."""
        self.flush_acks()
        self._is_stopped = True
        for timer in self._gap_timers:
            timer.cancel()
        self._gap_timers.clear()

    def _find_or_add(self, room_id: str, seq: int) -> _Room:
        room = self._rooms.get(room_id)
        if room is None:
            room = self._rooms[room_id] = _Room.after(seq)
            if len(self._rooms) > _MAX_ROOMS:
                self._evict_idle_room(room_id)
        return room

    def _evict_idle_room(self, kept: str) -> None:
        for room_id, room in self._rooms.items():
            is_idle = not room.is_running and room.handled == room.received
            if is_idle and room_id != kept:
                del self._rooms[room_id]
                return

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run_queue(self, room_id: str, room: _Room) -> None:
        while room.queue and not self._is_stopped:
            message = room.queue.popleft()
            room.started = message.seq
            finished = await self._handle(message)
            self._start(self._ack_when(finished, room, message.seq))
        room.is_running = False
        if room.has_overflowed and not self._is_stopped:
            room.has_overflowed = False
            self._request_missing(room_id, room)

    async def _ack_when(self, finished: Awaitable[bool], room: _Room, seq: int) -> None:
        is_handled = await finished
        if not is_handled or self._is_stopped or not room.mark_handled(seq):
            return
        if self._ack_timer is None:
            loop = asyncio.get_running_loop()
            self._ack_timer = loop.call_later(_ACK_DELAY, self.flush_acks)

    def _request_missing(self, room_id: str, room: _Room) -> None:
        after, now = room.received, time.monotonic()
        last = room.gap_request
        if last is not None and last[0] == after and now - last[1] < _GAP_RETRY:
            return
        room.gap_request = (after, now)
        self._subscribe(room_id, after)

        def retry() -> None:
            self._gap_timers.discard(timer)
            if room.received == after and room.highest > after:
                self._request_missing(room_id, room)

        timer = asyncio.get_running_loop().call_later(_GAP_RETRY + 0.01, retry)
        self._gap_timers.add(timer)

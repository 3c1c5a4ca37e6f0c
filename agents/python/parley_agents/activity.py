"""Waits for activity in rooms."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection

from .events import RoomMessage
from .session import Session
from .waiting import within


class Activity:
    """Auto-reset event: a message in one of the rooms, a new connection, or the end.

    Activity before `wait` ends the next `wait` at once. So a check before waiting
    misses nothing.
    """

    def __init__(self, session: Session, rooms: Collection[str]) -> None:
        self._rooms = rooms
        self._event = asyncio.Event()
        self._removers = [
            session.on("message", self._read_message),
            session.on("online", self._set),
            session.on("end", self._set),
        ]

    async def wait(self, seconds: float) -> None:
        """Return after activity, or after this time."""
        with contextlib.suppress(asyncio.TimeoutError):
            await within(max(0.0, seconds), self._event.wait())
        self._event.clear()

    def close(self) -> None:
        """Remove the listeners."""
        for remove in self._removers:
            remove()

    def _read_message(self, message: RoomMessage) -> None:
        if message.envelope["room_id"] in self._rooms:
            self._event.set()

    def _set(self, _value: object) -> None:
        self._event.set()

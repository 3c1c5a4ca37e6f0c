"""Work in progress: tasks and calls that can be stopped from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class Work:
    """One task or call that runs until it ends, or until it is no longer this agent's.

    :param room_id: room of the task; empty for a call
    """

    def __init__(self, room_id: str = "") -> None:
        self.room_id = room_id
        self.is_canceled = False
        self._running: asyncio.Task[None] | None = None

    def cancel(self) -> None:
        """Stop the work. Its handler is canceled if it is async."""
        self.is_canceled = True
        if self._running is not None:
            self._running.cancel()

    async def run(self, body: Coroutine[Any, Any, None]) -> None:
        """Run the work. Return when it has ended or was stopped."""
        running = asyncio.get_running_loop().create_task(body)
        self._running = running
        if self.is_canceled:
            running.cancel()
        try:
            await asyncio.wait({running})
        except asyncio.CancelledError:
            running.cancel()
            raise
        if not running.cancelled():
            running.result()

"""Listeners by event name. Their errors are reported and stop no other listener."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

Listener = Callable[[Any], object]


class Emitter:
    """Runs the listeners of an event.

    :param report: receives the error of each listener that raises
    """

    def __init__(self, report: Callable[[Exception], None]) -> None:
        self._report = report
        self._listeners: dict[str, list[Listener]] = {}
        self._running: set[asyncio.Task[None]] = set()

    def on(self, name: str, listener: Listener) -> Callable[[], None]:
        """Add a listener. Return the function that removes it."""
        listeners = self._listeners.setdefault(name, [])
        listeners.append(listener)

        def remove() -> None:
            if listener in listeners:
                listeners.remove(listener)

        return remove

    def count(self, name: str) -> int:
        """Return the number of listeners of an event."""
        return len(self._listeners.get(name, []))

    async def emit(self, name: str, value: object) -> None:
        """Run all listeners in parallel. Return when the last one has finished."""
        listeners = list(self._listeners.get(name, []))
        await asyncio.gather(*(self._run(listener, value) for listener in listeners))

    def emit_soon(self, name: str, value: object) -> None:
        """Run all listeners in the background."""
        if not self._listeners.get(name):
            return
        task = asyncio.get_running_loop().create_task(self.emit(name, value))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _run(self, listener: Listener, value: object) -> None:
        try:
            result = listener(value)
            if inspect.isawaitable(result):
                await result
        except Exception as error:
            self._report(error)

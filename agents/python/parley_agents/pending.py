"""Commands without an answer. They are sent again after every reconnect."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .backoff import Backoff
from .errors import ProblemError, frame_too_large, session_busy
from .wire import JsonObject, as_object, as_text

#: Bytes of one frame.
MAX_FRAME_BYTES = 8_388_608
_MAX_PENDING = 1_000
_MAX_PENDING_BYTES = 64 * 1024 * 1024
_MAX_ATTEMPTS = 6
_MAX_RETRY_AFTER = 60.0
# Refusals that end without a change by the caller. `task.blocked` is not one: it
# depends on other agents.
_TRANSIENT = frozenset({"rate.exceeded", "server.unavailable", "version.conflict"})


@dataclass
class _Pending:
    text: str
    size: int
    answer: asyncio.Future[Any]
    refusals: int = 0


class PendingCommands:
    """The commands that wait for an answer, by id: at most 1,000, and 64 MiB.

    A command is sent again with the same id, so that it takes effect once. A refusal
    for a transient reason is retried with back-off.

    :param send: False if there is no connection
    """

    def __init__(self, send: Callable[[str], bool], backoff: Backoff) -> None:
        self._send = send
        self._backoff = backoff
        self._pending: dict[str, _Pending] = {}
        self._timers: set[asyncio.TimerHandle] = set()
        self._size = 0

    def __len__(self) -> int:
        return len(self._pending)

    async def submit(
        self, command_id: int, command: JsonObject, traceparent: str | None = None
    ) -> Any:
        """Send a command and return the server's result.

        :raises ProblemError: `session.busy`, `session.frame_too_large`, or the refusal
        """
        frame: JsonObject = {"type": "command", "id": command_id, "command": command}
        if traceparent is not None:
            frame["traceparent"] = traceparent
        text = json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
        size = len(text.encode())
        if size > MAX_FRAME_BYTES:
            raise frame_too_large(size, MAX_FRAME_BYTES)
        if len(self) >= _MAX_PENDING or self._size + size > _MAX_PENDING_BYTES:
            raise session_busy(len(self))
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._pending[str(command_id)] = _Pending(text, size, answer)
        self._size += size
        self._send(text)
        return await answer

    def resolve(self, command_id: object, result: Any) -> None:
        """Pass the server's result to the caller of a command."""
        command = self._take(command_id)
        if command is not None and not command.answer.done():
            command.answer.set_result(result)

    def reject(self, command_id: object, problem: JsonObject) -> bool:
        """Retry a command or fail it. False if no pending command has this id."""
        command = self._pending.get(str(command_id))
        if command is None:
            return False
        if problem.get("code") in _TRANSIENT:
            command.refusals += 1
            if command.refusals < _MAX_ATTEMPTS:
                self._retry_later(str(command_id), command, problem)
                return True
        self._fail(command_id, ProblemError(problem))
        return True

    def resend_all(self) -> None:
        """Send all pending commands again, in their order."""
        for command in self._pending.values():
            self._send(command.text)

    def reject_all(self, error: ProblemError) -> None:
        """Fail all pending commands."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        for command_id in list(self._pending):
            self._fail(command_id, error)

    def _fail(self, command_id: object, error: ProblemError) -> None:
        command = self._take(command_id)
        if command is not None and not command.answer.done():
            command.answer.set_exception(error)

    def _take(self, command_id: object) -> _Pending | None:
        command = self._pending.pop(str(command_id), None)
        if command is not None:
            self._size -= command.size
        return command

    def _retry_later(self, key: str, command: _Pending, problem: JsonObject) -> None:
        least = max(retry_after(problem), self._backoff.base)
        wait = least + self._backoff.wait(command.refusals)

        def send_again() -> None:
            self._timers.discard(timer)
            if self._pending.get(key) is command:
                self._send(command.text)

        timer = asyncio.get_running_loop().call_later(wait, send_again)
        self._timers.add(timer)


def retry_after(problem: JsonObject) -> float:
    """Return the wait that the server asks for, at most 60 s; 0 if it names none."""
    facts = as_object(problem.get("facts"))
    seconds = problem.get("retry_after", facts.get("retry_after_seconds"))
    if not isinstance(seconds, (int, float)):
        return 0.0
    return min(max(float(seconds), 0.0), _MAX_RETRY_AFTER)


def is_refused(error: ProblemError, *codes: str) -> bool:
    """Return whether a problem has one of these codes."""
    return as_text(error.problem.get("code")) in codes

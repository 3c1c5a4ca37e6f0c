"""Waiting with a time limit."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine, or cancel it when the time has passed.

    Unlike `asyncio.wait_for` before Python 3.12, it passes on a cancellation of the
    caller that coincides with the result.

    :raises asyncio.TimeoutError: after this time
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
        if not task.done():
            raise asyncio.TimeoutError
        return task.result()
    finally:
        task.cancel()
        if task.done() and not task.cancelled():
            # The result is not needed after a cancellation, also if it is an error.
            task.exception()

"""Waiting with a time limit, also when two things happen at once."""

from __future__ import annotations

import asyncio
import unittest

from parley_agents.waiting import within


class WithinTest(unittest.IsolatedAsyncioTestCase):
    async def test_a_result_an_error_and_the_end_of_the_time(self) -> None:
        async def fail() -> None:
            raise ValueError("broken")

        self.assertEqual(await within(60, asyncio.sleep(0, "result")), "result")
        with self.assertRaisesRegex(ValueError, "broken"):
            await within(60, fail())
        with self.assertRaises(asyncio.TimeoutError):
            await within(0.01, asyncio.sleep(60))

    async def test_a_cancellation_that_coincides_with_the_result_is_not_lost(
        self,
    ) -> None:
        event = asyncio.Event()
        waiting = asyncio.ensure_future(within(60, event.wait()))
        await asyncio.sleep(0.01)
        event.set()
        await asyncio.sleep(0)
        waiting.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await waiting

    async def test_a_cancellation_stops_the_work(self) -> None:
        stopped = asyncio.Event()

        async def work() -> None:
            try:
                await asyncio.sleep(60)
            finally:
                stopped.set()

        waiting = asyncio.ensure_future(within(60, work()))
        await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.wait_for(stopped.wait(), 20)

"""Leases: their renewal, and what stops a task."""

from __future__ import annotations

import asyncio

from parley_agents import SkillTask

from .agent_case import AgentCase, market, until
from .fake_hub import problem


class LeasesTest(AgentCase):
    async def test_an_assignment_that_is_repeated_is_done_once(self) -> None:
        runs: list[str] = []
        gate = asyncio.Event()

        @self.agent.skill("text.shout")
        async def shout(task: SkillTask) -> str:
            runs.append(task.input.text)
            await gate.wait()
            return "done"

        await self.start()
        await self.team.record()
        await self.team.assign()
        assignment = self.hub.rooms[self.team.room_id][-1]
        await until("the task", lambda: runs)
        await self.hub.put(assignment)
        await asyncio.sleep(0.1)
        gate.set()
        await self.sent("task.complete")
        await self.acked(self.team.room_id)
        await self.hub.put(assignment)
        await self.acked(self.team.room_id)
        self.assertEqual(runs, ["hello"])

    async def test_the_lease_is_renewed_until_the_end(self) -> None:
        gate = asyncio.Event()

        @self.agent.skill("text.shout")
        async def shout(task: SkillTask) -> str:
            await task.progress("Half.", 50)
            await gate.wait()
            return "done"

        await self.start()
        await self.team.record()
        await self.team.assign()
        await self.sent("task.progress", 5)
        _, half, *renewals = self.hub.commands("task.progress")
        self.assertEqual((half["text"], half["done"]), ("Half.", 50))
        self.assertTrue(all("text" not in one for one in renewals))
        gate.set()
        await self.sent("task.complete")
        count = len(self.hub.commands("task.progress"))
        await asyncio.sleep(0.3)
        self.assertEqual(len(self.hub.commands("task.progress")), count)

    async def test_tasks_beyond_the_limit_wait_with_their_leases_renewed(self) -> None:
        agent = self.make_agent(concurrency=1)
        gate = asyncio.Event()
        running: list[str] = []

        @agent.skill("text.shout")
        async def shout(task: SkillTask) -> str:
            assert task.task is not None
            running.append(task.task.task_id)
            await gate.wait()
            return "done"

        await self.start(agent)
        await self.team.record()
        first, second = await self.team.assign(), await self.team.assign()

        def renewed() -> bool:
            ids = [one["task_id"] for one in self.hub.commands("task.progress")]
            return min(ids.count(first), ids.count(second)) >= 3

        await until("renewals of both", renewed)
        self.assertEqual(running, [first])
        gate.set()
        await self.sent("task.complete", 2)
        self.assertEqual(running, [first, second])

    async def test_an_expired_task_is_stopped(self) -> None:
        stopped: list[str] = []

        @self.agent.skill("text.shout")
        async def shout(task: SkillTask) -> str:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                stopped.append("canceled")
                raise
            return "too late"

        await self.start()
        await self.team.record()
        task_id = await self.team.assign()
        await self.sent("task.progress")
        expired = {"kind": "task.expired", "task_id": task_id, "step": 1}
        # Only the server can end a task.
        await self.hub.post(self.team.room_id, expired, by=self.team.lead)
        await asyncio.sleep(0.1)
        self.assertEqual(stopped, [])
        await self.hub.post(self.team.room_id, expired)
        await until("the end", lambda: stopped == ["canceled"])
        await self.acked(self.team.room_id)
        self.assertEqual(self.hub.commands("task.fail"), [])
        self.assertEqual(self.hub.commands("task.complete"), [])

    async def test_a_lost_lease_stops_the_task(self) -> None:
        @self.agent.skill("text.shout")
        async def shout(task: SkillTask) -> str:
            await asyncio.sleep(60)
            return "too late"

        await self.start()
        await self.team.record()
        await self.team.assign()
        await self.sent("task.progress")
        market(self.hub, task__progress=problem("task.lease_expired"))
        await self.acked(self.team.room_id)
        self.assertEqual(self.hub.commands("task.fail"), [])

    async def test_an_unfinished_task_is_done_by_the_next_session(self) -> None:
        gate = asyncio.Event()

        @self.agent.skill("text.shout")
        async def shout(task: SkillTask) -> str:
            await gate.wait()
            return "done"

        session = await self.start()
        await self.team.record()
        task_id = await self.team.assign()
        await self.sent("task.progress")
        session.close()
        await session.wait_ended()
        self.assertEqual(self.hub.commands("task.fail"), [])
        gate.set()
        await self.start()
        done = await self.sent("task.complete")
        self.assertEqual(done["task_id"], task_id)
        await self.acked(self.team.room_id)

    async def test_a_reconnect_does_not_do_a_task_twice(self) -> None:
        runs: list[str] = []
        gate = asyncio.Event()

        @self.agent.skill("text.shout")
        async def shout(task: SkillTask) -> str:
            runs.append(task.input.text)
            await gate.wait()
            return "done"

        await self.start()
        await self.team.record()
        await self.team.assign()
        await until("the task", lambda: runs)
        await self.hub.disconnect()
        await until("a second hello", lambda: len(self.hub.of("hello")) == 2)
        gate.set()
        await self.sent("task.complete")
        await self.acked(self.team.room_id)
        self.assertEqual(runs, ["hello"])

"""An agent as a program: its signals and its end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import textwrap
import unittest
from pathlib import Path

from parley_agents import ProblemError

from .agent_case import AgentCase
from .support import until

PROGRAM = textwrap.dedent(
    """
    import os, time
    from parley_agents import Agent

    agent = Agent(os.environ["HUB"], seed=os.environ["SEED"])

    @agent.skill("text.shout")
    def shout(task):
        time.sleep(600)

    @agent.on("online")
    def report(me):
        print(me.handle, "is online", flush=True)

    agent.run()
    print("ended", flush=True)
    """
)


class RunTest(AgentCase):
    async def spawn(self, hub: str | None = None) -> asyncio.subprocess.Process:
        folder = str(Path(__file__).parents[1])
        paths = [folder, *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        env = {**os.environ, "HUB": hub or self.hub.url, "SEED": self.seed}
        pipe = asyncio.subprocess.PIPE
        program = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", PROGRAM),
            env={**env, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            stdout=pipe,
            stderr=pipe,
        )

        async def end() -> None:
            if program.returncode is None:
                program.kill()
            await program.communicate()

        self.addAsyncCleanup(end)
        return program

    @unittest.skipIf(sys.platform == "win32", "Windows has no such signals.")
    async def test_signals_end_it_also_during_a_task(self) -> None:
        await self.team.record()
        await self.team.assign()
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                program = await self.spawn()
                count = len(self.hub.commands("task.progress"))
                await self.sent("task.progress", count + 1)
                program.send_signal(number)
                output, errors = await asyncio.wait_for(program.communicate(), 20)
                self.assertEqual(output.decode(), "shouter is online\nended\n")
                self.assertEqual(errors.decode(), "")
                self.assertEqual(program.returncode, 0)
        self.assertEqual(self.hub.commands("task.fail"), [])

    @unittest.skipIf(sys.platform == "win32", "Windows has no such signals.")
    async def test_a_signal_ends_it_while_it_waits_for_the_hub(self) -> None:
        program = await self.spawn("http://127.0.0.1:9")
        await asyncio.sleep(2)
        program.send_signal(signal.SIGTERM)
        output, errors = await asyncio.wait_for(program.communicate(), 20)
        self.assertEqual((output, errors, program.returncode), (b"ended\n", b"", 0))

    async def test_the_end_of_the_session_is_raised(self) -> None:
        serving = asyncio.ensure_future(self.agent.serve())
        await until("the hello", lambda: self.hub.of("hello"))
        await self.hub.write({"type": "fenced"})
        with self.assertRaises(ProblemError) as caught:
            await asyncio.wait_for(serving, 60)
        self.assertEqual(caught.exception.code, "session.fenced")

    async def test_canceling_serve_closes_the_session(self) -> None:
        serving = asyncio.ensure_future(self.agent.serve())
        await until("the hello", lambda: self.hub.of("hello"))
        serving.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await serving
        await asyncio.sleep(0.2)
        self.assertEqual(self.hub.connections, 1)

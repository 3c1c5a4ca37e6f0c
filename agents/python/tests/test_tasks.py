"""Tasks: handlers, inputs, results and errors."""

from __future__ import annotations

import threading

from parley_agents import Artifact, Result, SkillTask, new_id
from parley_agents.canonical import sha256_hex

from .agent_case import AgentCase, content_of, file_input, market, until
from .fake_hub import problem


class TasksTest(AgentCase):
    async def test_a_sync_handler_completes_a_task(self) -> None:
        @self.agent.skill("text.shout")
        def shout(task: SkillTask) -> str:
            return task.input.text.upper()

        await self.start()
        await self.team.record()
        task_id = await self.team.assign()
        done = await self.sent("task.complete")
        [file] = done["artifacts"]
        self.assertEqual(content_of(file), b"HELLO")
        self.assertEqual(file["artifact_type"], "text.shout")
        self.assertEqual(file["name"], "text-shout.txt")
        envelope = done["envelope"]
        self.assertEqual(envelope["type"], "task_result")
        self.assertEqual(envelope["task_id"], task_id)
        [part] = envelope["parts"]
        self.assertEqual(part["artifact"]["sha256"], sha256_hex(b"HELLO"))
        self.assertEqual(part["artifact"]["size"], 5)
        begun = self.hub.commands("task.progress")[0]
        self.assertEqual((begun["text"], begun["done"]), ("Begun.", 0))
        await self.acked(self.team.room_id)

    async def test_inputs_by_port(self) -> None:
        seen: dict[str, object] = {}

        @self.agent.skill("text.shout")
        async def shout(task: SkillTask) -> list[Artifact]:
            for port, item in task.inputs.items():
                seen[port] = (item.text, item.data, item.bytes)
            assert task.step is not None and task.task is not None
            seen["desc"] = task.task.task_desc
            return [Artifact("a.bin", "text.shout", b"\x01", "text/plain")]

        await self.start()
        await self.team.record()
        file = file_input(b'{"a": 1}', "application/json")
        value = {"port": "value", "type": "query.text", "data": {"n": 1, "text": "x"}}
        content = {"content": "eyJhIjogMX0="}
        market(self.hub, artifact__get=content)
        await self.team.assign([file, value])
        done = await self.sent("task.complete")
        self.assertEqual(content_of(done["artifacts"][0]), b"\x01")
        self.assertEqual(seen["file"], ('{"a": 1}', {"a": 1}, b'{"a": 1}'))
        self.assertEqual(seen["value"], ("x", {"n": 1, "text": "x"}, b"x"))

    async def test_a_file_with_another_hash_fails_the_task(self) -> None:
        @self.agent.skill("text.shout")
        def shout(task: SkillTask) -> str:
            return task.input.text

        await self.start()
        await self.team.record()
        market(self.hub, artifact__get={"content": "b3RoZXI="})
        with self.assertLogs("parley_agents", "WARNING"):
            await self.team.assign([file_input(b"genuine")])
            failed = await self.sent("task.fail")
        self.assertIn("instead of", failed["reason"])

    async def test_every_form_of_a_result(self) -> None:
        png = b"\x89PNG\r\n\x1a\n..."
        results = [
            b"bytes",
            png,
            {"text.shout": "A", "text.other": b"B"},
            Artifact("x.md", "text.shout", "# X", "text/markdown"),
            Result([Artifact("y.txt", "text.shout", "Y")], "With a text."),
        ]
        remaining = list(results)

        @self.agent.skill("text.shout")
        def shout(task: SkillTask) -> object:
            return remaining.pop(0)

        await self.start()
        await self.team.record()
        done = []
        for count in range(1, len(results) + 1):
            await self.team.assign()
            done.append(await self.sent("task.complete", count))
        files = [[content_of(file) for file in one["artifacts"]] for one in done]
        self.assertEqual(files, [[b"bytes"], [png], [b"A", b"B"], [b"# X"], [b"Y"]])
        media = [one["artifacts"][0]["media_type"] for one in done]
        plain = "text/plain"
        self.assertEqual(media, [plain, "image/png", plain, "text/markdown", plain])
        self.assertEqual(done[1]["artifacts"][0]["name"], "text-shout.png")
        self.assertEqual(done[-1]["text"], "With a text.")
        self.assertEqual(done[-1]["envelope"]["parts"][0], {"text": "With a text."})

    async def test_errors_fail_the_task_with_their_message(self) -> None:
        errors: list[BaseException | None] = [
            ValueError("The text is empty."),
            KeyError("figures"),
            RuntimeError(),
            ValueError("x" * 2_000),
            None,
        ]

        @self.agent.skill("text.shout")
        def shout(task: SkillTask) -> object:
            error = errors.pop(0)
            if error is not None:
                raise error
            return 17

        await self.start()
        await self.team.record()
        reasons = []
        with self.assertLogs("parley_agents", "WARNING"):
            for count in range(1, 6):
                await self.team.assign()
                failed = await self.sent("task.fail", count)
                reasons.append(failed["reason"])
        self.assertEqual(failed["envelope"]["type"], "error")
        self.assertEqual(failed["envelope"]["parts"], [{"text": reasons[-1]}])
        expected = ["The text is empty.", "The key 'figures' is missing."]
        expected += ["The skill failed: RuntimeError.", "x" * 1_000]
        self.assertEqual(reasons[:4], expected)
        self.assertIn("The skill returned int.", reasons[4])

    async def test_a_task_without_a_handler_fails(self) -> None:
        await self.start()
        await self.team.record()
        with self.assertLogs("parley_agents", "WARNING"):
            await self.team.assign()
            failed = await self.sent("task.fail")
        self.assertEqual(failed["reason"], "This agent has no skill text.shout.")

    async def test_tasks_of_others_are_not_done(self) -> None:
        runs: list[str] = []

        @self.agent.skill("text.shout")
        def shout(task: SkillTask) -> str:
            runs.append(task.input.text)
            return "x"

        await self.start()
        # A step of another agent, though the assignment names this one.
        charter = self.team.charter(sender_id=self.hub.did)
        await self.team.record(charter)
        await self.team.assign()
        await self.acked(self.team.room_id)
        await self.never("task.progress")
        # The server says that the task is not this agent's.
        await self.team.record(self.team.charter(version=2))
        market(self.hub, task__progress=problem("task.not_assignee"))
        await self.team.assign()
        await self.acked(self.team.room_id)
        self.assertEqual(runs, [])

    async def test_sync_handlers_run_beside_each_other_and_can_wait(self) -> None:
        together = threading.Barrier(3)

        @self.agent.skill("text.shout")
        def shout(task: SkillTask) -> str:
            task.wait(task.progress("Half.", 50))
            # Passed only when three handlers wait here.
            together.wait(20)
            return "done"

        await self.start()
        await self.team.record()
        for _ in range(3):
            await self.team.assign()
        await self.sent("task.complete", 3)
        texts = [one.get("text") for one in self.hub.commands("task.progress")]
        self.assertEqual(texts.count("Half."), 3)

    async def test_wait_is_for_sync_handlers(self) -> None:
        @self.agent.skill("text.shout")
        async def shout(task: SkillTask) -> str:
            task.wait(task.progress("Half."))
            return "never"

        await self.start()
        await self.team.record()
        with self.assertLogs("parley_agents", "WARNING"):
            await self.team.assign()
            failed = await self.sent("task.fail")
        self.assertEqual(failed["reason"], "Use await in an async handler.")

    async def test_payouts_and_other_events(self) -> None:
        seen: list[object] = []

        @self.agent.on("payout")
        def pay(payout: object) -> None:
            seen.append(payout)

        await self.start()
        payout = {"kind": "payout", "goal_id": new_id("gol"), "amount": "100"}
        payout |= {"room_id": self.team.room_id, "asset": "a", "tx": "0x1"}
        # Not in the inbox, so not counted.
        await self.hub.post(self.team.room_id, payout)
        await self.hub.post(self.hub.inbox, {**payout, "task_ids": ["t"]})
        await until("the payout", lambda: len(seen) == 1)
        self.assertEqual(getattr(seen[0], "amount", None), "100")
        self.assertEqual(getattr(seen[0], "task_ids", None), ["t"])

"""Invitations, by price or by a policy, and direct calls."""

from __future__ import annotations

import asyncio

from parley_agents import SkillTask, SubTask, TeamInvitation, charter_hash, new_id

from .agent_case import AgentCase, content_of, file_input, market, until
from .fake_hub import problem
from .team import skill


class InvitationsTest(AgentCase):
    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()

        @self.agent.skill("text.shout")
        def shout(task: SkillTask) -> str:
            return task.input.text.upper()

    async def test_a_charter_at_the_listed_price_is_accepted(self) -> None:
        await self.start()
        charter = self.team.charter()
        await self.team.invite(charter)
        accepted = await self.sent("team.accept")
        self.assertEqual(accepted["charter_hash"], charter_hash(charter))
        envelope = accepted["envelope"]
        self.assertEqual(envelope["room_id"], self.team.room_id)
        self.assertEqual(
            (envelope["type"], envelope["state"]), ("accept", "discussion")
        )
        data = {"kind": "charter.accept", "charter_hash": charter_hash(charter)}
        self.assertEqual(envelope["parts"], [{"data": data}])
        await self.acked(self.hub.inbox)

    async def test_reasons_for_declining(self) -> None:
        await self.start()
        cases = [
            ({"amount": "99"}, "Step 1 pays 99, my price is 100."),
            ({"skill_id": "text.other"}, "This agent has no skill text.other."),
        ]
        for count, (change, reason) in enumerate(cases, 1):
            await self.team.invite(self.team.charter(**change))
            declined = await self.sent("team.decline", count)
            self.assertEqual(declined["reason"], reason)
            self.assertEqual(declined["envelope"]["parts"], [{"text": reason}])
        listing = {"agent_id": self.hub.agent_id, "skills": [skill("text.third")]}
        found = {"listings": [listing], "next": None}
        market(self.hub, listing__discover=found)
        await self.team.invite(self.team.charter())
        self.assertEqual(
            (await self.sent("team.decline", 3))["reason"], "I don't offer text.shout."
        )
        market(self.hub, listing__discover={"listings": [], "next": None})
        await self.team.invite(self.team.charter())
        declined = await self.sent("team.decline", 4)
        self.assertIn("could not find my own listing", declined["reason"])
        self.assertEqual(self.hub.commands("team.accept"), [])

    async def test_false_invitations_are_ignored(self) -> None:
        await self.start()
        charter = self.team.charter()
        await self.team.invite(charter, charter_hash=f"0x{'0' * 64}")
        await self.team.invite(self.team.charter(sender_id=self.hub.did))
        data = {"kind": "team.invite", "charter": charter}
        data |= {"charter_hash": charter_hash(charter)}
        await self.hub.post(self.hub.inbox, data, by=self.team.lead)
        await self.acked(self.hub.inbox)
        self.assertEqual(self.hub.commands("team.accept"), [])
        self.assertEqual(self.hub.commands("team.decline"), [])

    async def test_own_steps_that_stay_unchanged_need_no_decision(self) -> None:
        asked: list[int] = []

        def policy(invitation: TeamInvitation, steps: object, listing: object) -> bool:
            asked.append(invitation.charter["version"])
            return True

        agent = self.make_agent(invitation_policy=policy)
        agent.skill("text.shout")(lambda task: "x")
        await self.start(agent)
        await self.team.invite(self.team.charter())
        await self.sent("team.accept", 1)
        await self.team.invite(self.team.charter(version=2))
        await self.sent("team.accept", 2)
        await self.team.invite(self.team.charter(version=3, amount="101"))
        await self.sent("team.accept", 3)
        self.assertEqual(asked, [1, 3])

    async def test_an_async_policy_declines_with_its_reason(self) -> None:
        async def policy(*_: object) -> str:
            await asyncio.sleep(0)
            return "Not today."

        agent = self.make_agent(invitation_policy=policy)
        agent.skill("text.shout")(lambda task: "x")
        await self.start(agent)
        room_id = new_id("rom")
        await self.team.invite(self.team.charter(), room_id=room_id, hired_by="did:x")
        declined = await self.sent("team.decline")
        self.assertEqual(declined["reason"], "Not today.")
        # A sub-team's invitation is answered in the sub-team's room.
        self.assertEqual(declined["envelope"]["room_id"], room_id)

    async def test_an_outdated_invitation_is_no_error(self) -> None:
        await self.start()
        market(self.hub, team__accept=problem("team.charter_changed", "after_change"))
        await self.team.invite(self.team.charter())
        await self.acked(self.hub.inbox)


class CallsTest(AgentCase):
    async def test_a_call_is_answered(self) -> None:
        @self.agent.skill("text.shout")
        async def shout(task: SkillTask) -> str:
            await task.progress("Has no effect.")
            assert task.call is not None and task.step is None
            return task.input.text.upper()

        await self.start()
        call_id = await self.team.call()
        answer = await self.sent("call.answer")
        self.assertEqual(answer["call_id"], call_id)
        [file] = answer["artifacts"]
        self.assertEqual(content_of(file), b"HELLO")
        self.assertEqual(file["artifact_type"], "text.shout")
        self.assertNotIn("envelope", answer)
        await self.acked(self.hub.inbox)
        self.assertEqual(self.hub.commands("task.progress"), [])

    async def test_files_of_a_call_are_verified(self) -> None:
        @self.agent.skill("text.shout")
        def shout(task: SkillTask) -> str:
            return task.inputs["file"].text

        await self.start()
        open_call = {"call": {"state": "requested"}}
        genuine = {**open_call, "file": {"content": "Z2VudWluZQ=="}}
        market(self.hub, call__get=genuine)
        await self.team.call([file_input(b"genuine")])
        answer = await self.sent("call.answer")
        self.assertEqual(content_of(answer["artifacts"][0]), b"genuine")
        market(self.hub, call__get={**open_call, "file": {"content": "b3RoZXI="}})
        with self.assertLogs("parley_agents", "WARNING"):
            await self.team.call([file_input(b"genuine")])
            declined = await self.sent("call.decline")
        self.assertIn("instead of", declined["reason"])

    async def test_errors_decline_the_call(self) -> None:
        @self.agent.skill("text.shout")
        async def shout(task: SkillTask) -> str:
            if task.input.text == "team":
                await task.team([SubTask("text.other")])
            raise ValueError("I do not shout that.")

        await self.start()
        with self.assertLogs("parley_agents", "WARNING"):
            await self.team.call()
            declined = await self.sent("call.decline")
            self.assertEqual(declined["reason"], "I do not shout that.")
            value = {"port": "text", "type": "query.text", "data": {"text": "team"}}
            await self.team.call([value])
            declined = await self.sent("call.decline", 2)
        self.assertIn("no step to pay a team", declined["reason"])

    async def test_a_call_that_has_ended_is_not_answered(self) -> None:
        stopped: list[bool] = []

        @self.agent.skill("text.shout")
        async def shout(task: SkillTask) -> str:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                stopped.append(True)
                raise
            return "too late"

        await self.start()
        market(self.hub, call__get={"call": {"state": "answered"}})
        await self.team.call()
        await self.acked(self.hub.inbox)
        market(self.hub)
        call_id = await self.team.call()
        await self.sent("call.get", 2)
        await asyncio.sleep(0.05)
        ended = {"kind": "call.ended", "call_id": call_id, "state": "expired"}
        await self.hub.post(self.hub.inbox, ended)
        await until("the end", lambda: stopped)
        await self.acked(self.hub.inbox)
        self.assertEqual(self.hub.commands("call.decline"), [])
        self.assertEqual(self.hub.commands("call.answer"), [])

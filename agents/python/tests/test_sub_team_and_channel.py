"""A sub-team for a task, and calls to another agent through a payment channel."""

from __future__ import annotations

import asyncio
from typing import Any

from parley_agents import (
    ProblemError,
    SkillTask,
    SubTask,
    TaskAssignment,
    charter_hash,
    new_id,
    open_payment_channel,
)
from parley_agents.sub_team import lead_sub_team

from .agent_case import AgentCase, market, until
from .fake_hub import problem
from .session_case import Signer, random_seed
from .team import ADDRESS, skill

Json = dict[str, Any]
OWNER, KEY = f"0x{'aa' * 20}", f"0x{'bb' * 20}"


class SubTeamTest(AgentCase):
    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()
        self.member = Signer(random_seed())
        self.room_id = new_id("rom")
        self.assigned: list[Json] = []
        cheap = {"agent_id": new_id("agt"), "did": self.member.did, "payout": ADDRESS}
        cheap["skills"] = [skill("text.check", "40")]
        dear = {**cheap, "did": self.hub.did, "skills": [skill("text.check", "60")]}
        lead = {
            **cheap,
            "did": self.team.lead.did,
            "skills": [skill("text.check", "1")],
        }
        room = {"room_id": self.room_id, "step": 1, "goal_id": self.team.goal_id}
        self.answers: Json = {
            "listing__discover": {"listings": [dear, lead, cheap], "next": None},
            "sub_team__create": room,
            "team__propose": self.propose,
            "team__seal": self.seal,
            "task__assign": self.assign,
        }
        self.accepts = True

    async def propose(self, command: Json) -> Json:
        self.charter = command["charter"]
        await self.hub.put(command["envelope"])
        data = {"kind": "charter.accept", "charter_hash": charter_hash(self.charter)}
        if self.accepts:
            await self.hub.post(self.room_id, data, by=self.member, type="accept")
        else:
            await self.hub.post(self.room_id, by=self.member, type="decline")
        return {"charter_hash": data["charter_hash"]}

    async def seal(self, command: Json) -> Json:
        await self.hub.put(command["envelope"])
        data = {"kind": "charter.recorded", "version": self.charter["version"]}
        data["charter_hash"] = charter_hash(self.charter)
        await self.hub.post(self.room_id, data)
        return {}

    async def assign(self, command: Json) -> Json:
        self.assigned.append(command)
        envelope = command["envelope"]
        await self.hub.put(envelope)
        artifact = {"sha256": "0" * 64, "name": "a.txt", "size": 1}
        artifact |= {"media_type": "text/plain", "artifact_type": "query.text"}
        fields = {"type": "task_result", "task_id": command["task_id"]}
        parts = [{"text": "Checked."}, {"artifact": artifact}]
        await self.hub.post(self.room_id, by=self.member, parts=parts, **fields)
        return {"task_id": command["task_id"], "epoch": 1}

    async def lead(self, parts: list[SubTask]) -> Any:
        session = await self.start()
        market(self.hub, **self.answers)
        await self.team.record()
        await self.hub.post(self.room_id, {"kind": "sub_team.created"})
        await self.acked(self.team.room_id)
        await self.acked(self.room_id)
        task = TaskAssignment(
            self.team.room_id, new_id("tsk"), 1, "text.shout", "sync", [], "", ""
        )
        work = lead_sub_team(session, task, parts, patience=0.3)
        return await asyncio.wait_for(work, 60)

    async def test_parts_are_hired_assigned_and_returned(self) -> None:
        results = await self.lead(
            [SubTask("text.check"), SubTask("text.check", after=[0], amount=50)]
        )
        self.assertEqual([one.amount for one in results], [40, 50])
        self.assertEqual([one.did for one in results], [self.member.did] * 2)
        self.assertEqual(results[0].text, "Checked.")
        amounts = [step["amount"] for step in self.charter["steps"]]
        self.assertEqual(amounts, ["10", "40", "50"])
        # The second part received the file of the first one by its type.
        [given] = self.assigned[1]["inputs"]
        self.assertEqual((given["port"], given["artifact"]["size"]), ("text", 1))
        self.assertEqual(self.assigned[0]["inputs"], [])

    async def test_a_team_that_cannot_be_hired(self) -> None:
        with self.assertRaises(ProblemError) as caught:
            await self.lead([SubTask("text.check", amount=101)])
        self.assertEqual(caught.exception.code, "session.team_failed")
        self.assertIn("would cost 101", str(caught.exception))

    async def test_a_member_that_declines_is_not_invited_again(self) -> None:
        self.accepts = False
        self.answers["listing__discover"]["listings"].pop(0)
        with self.assertRaises(ProblemError) as caught:
            await self.lead([SubTask("text.check")])
        self.assertIn("No agent online can be hired", str(caught.exception))
        self.assertEqual(len(self.hub.commands("team.propose")), 1)

    async def test_a_refused_sub_team_fails_the_task_with_its_reason(self) -> None:
        @self.agent.skill("text.shout")
        async def shout(task: SkillTask) -> str:
            await task.team([SubTask("text.check")])
            return "never"

        await self.start()
        await self.team.record()
        market(self.hub, sub_team__create=problem("sub_team.refused"))
        with self.assertLogs("parley_agents", "WARNING"):
            await self.team.assign()
            failed = await self.sent("task.fail")
        self.assertEqual(failed["reason"], "The hub says sub_team.refused.")


class FakeWallet:
    """Signs by writing down what it was asked to sign."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.signed: list[Json] = []

    def sign_typed_data(self, typed_data: Json) -> str:
        self.signed.append(typed_data)
        return f"0x{len(self.signed):02x}"


class PaymentChannelTest(AgentCase):
    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()
        self.payer, self.key = FakeWallet(OWNER), FakeWallet(KEY)
        self.channel_id = f"0x{'c' * 64}"
        message = {"from": OWNER, "to": ADDRESS, "value": "500"}
        message["nonce"] = self.channel_id
        typed = {"domain": {"chainId": 31337}, "types": {}, "message": message}
        typed["primaryType"] = "ReceiveWithAuthorization"
        config = {"payer": OWNER, "payerAuthorizer": KEY, "salt": "0x1"}
        self.quote: Json = {"channel_id": self.channel_id, "config": config}
        self.quote |= {"typed_data": typed, "valid_before": 1}
        self.end: Json = {"kind": "call.answered", "text": "Done.", "artifacts": []}

    async def request(self, command: Json) -> Json:
        ids = {"call_id": command["call_id"], "channel_id": self.channel_id}
        await self.hub.post(self.hub.inbox, {**self.end, **ids})
        return {"state": "requested"}

    async def open(self) -> Any:
        session = await self.start()
        states = ["open", "opening"]

        def opened(_: Json) -> Json:
            return {"state": states.pop()}

        answers = {"channel__quote": self.quote, "channel__open": opened}
        market(self.hub, **answers, call__request=self.request)
        opening = open_payment_channel(
            session,
            agent_id=self.hub.agent_id,
            deposit=500,
            payer=self.payer,
            authorizer=self.key,
        )
        return await asyncio.wait_for(opening, 60)

    async def test_vouchers_are_cumulative_and_only_answers_cost(self) -> None:
        channel = await self.open()
        answer = await channel.call("text.shout", 100)
        self.assertEqual((answer.state, answer.text), ("answered", "Done."))
        self.end = {"kind": "call.ended", "state": "declined", "reason": "No."}
        declined = await channel.call("text.shout", 100)
        self.assertEqual((declined.state, declined.text), ("declined", "No."))
        self.assertEqual(channel.spent, 100)
        amounts = [one["message"]["maxClaimableAmount"] for one in self.key.signed]
        self.assertEqual(amounts, ["100", "200"])
        domain = self.key.signed[0]["domain"]
        self.assertEqual(domain["verifyingContract"], ADDRESS)
        await channel.close()
        await until("the close", lambda: self.hub.commands("channel.close"))

    async def test_other_terms_are_not_signed(self) -> None:
        self.quote["typed_data"]["message"]["value"] = "5000"
        with self.assertRaises(ProblemError) as caught:
            await self.open()
        self.assertEqual(caught.exception.code, "session.channel_misquoted")
        self.assertEqual(self.payer.signed, [])

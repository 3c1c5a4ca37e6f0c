"""A team in a fake hub: a room with a charter in which the agent has step 1."""

from __future__ import annotations

from typing import Any

from parley_agents import Signer, charter_hash, new_id, random_seed

from .fake_hub import FakeHub

Json = dict[str, Any]
ADDRESS = f"0x{'2b' * 20}"


def skill(skill_id: str = "text.shout", price: str = "100") -> Json:
    ports = {"inputs": [{"name": "text", "type": "query.text"}]}
    outputs = [{"name": "shout", "type": "text.shout"}]
    return {"id": skill_id, "name": "S", "price": price, **ports, "outputs": outputs}


class Team:
    """The lead's side of one room, in the hands of a test."""

    def __init__(self, hub: FakeHub, agent_did: str) -> None:
        self.hub = hub
        self.agent_did = agent_did
        self.lead = Signer(random_seed())
        self.room_id = new_id("rom")
        self.goal_id = new_id("gol")

    def charter(self, version: int = 1, **change: Any) -> Json:
        step = {
            "step": 1,
            "title": "Shout it",
            "skill_id": "text.shout",
            "agent_id": self.hub.agent_id,
            "sender_id": self.agent_did,
            "payee": ADDRESS,
            "amount": "100",
            "mode": "sync",
            "depends_on": [],
            "inputs": [],
            "outputs": ["text.shout"],
        }
        return {
            "v": "1",
            "goal_id": self.goal_id,
            "room_id": self.room_id,
            "version": version,
            "client_id": f"did:pkh:eip155:31337:{ADDRESS}",
            "principal_id": self.lead.did,
            "evaluator_id": ADDRESS,
            "asset": f"eip155:31337/erc20:{ADDRESS}",
            "total": "1000",
            "fee_bps": 0,
            "on_review_timeout": "pay_if_delivered",
            "steps": [{**step, **change}],
        }

    async def invite(self, charter: Json, **change: Any) -> None:
        invitation = {"kind": "team.invite", "charter": charter, **change}
        ids = {"goal_id": self.goal_id, "room_id": self.room_id}
        digest = {"charter_hash": charter_hash(charter)}
        await self.hub.post(self.hub.inbox, {**ids, **digest, **invitation})

    async def record(self, charter: Json | None = None) -> None:
        """Propose and record a charter."""
        charter = charter or self.charter()
        digest = {"charter_hash": charter_hash(charter)}
        proposal = {"kind": "charter", "charter": charter, **digest}
        await self.hub.post(self.room_id, proposal, by=self.lead, type="propose")
        recorded = {"kind": "charter.recorded", "version": charter["version"], **digest}
        await self.hub.post(self.room_id, recorded)

    async def assign(self, inputs: list[Json] | None = None, **change: Any) -> str:
        """Assign step 1 and return the task's id."""
        task_id = new_id("tsk")
        value = {"port": "text", "type": "query.text", "data": {"text": "hello"}}
        data = {"kind": "task", "task_id": task_id, "step": 1}
        data |= {"skill_id": "text.shout", "inputs": [value], **change}
        if inputs is not None:
            data["inputs"] = inputs
        fields: Json = {"type": "sync_task_assignment", "task_id": task_id}
        fields |= {"state": "task_assignment", "mode": "sync", "to": [self.agent_did]}
        await self.hub.post(self.room_id, data, by=self.lead, **fields)
        return task_id

    async def call(self, inputs: list[Json] | None = None, **change: Any) -> str:
        """Request a call of the agent and return the call's id."""
        call_id = new_id("cal")
        value = {"port": "text", "type": "query.text", "data": {"text": "hello"}}
        data = {"kind": "call.requested", "call_id": call_id, "skill_id": "text.shout"}
        data |= {"channel_id": "", "price": "100", "outputs": ["text.shout"]}
        data |= {"lease_until": "2030-01-01T00:00:00Z"}
        given = [value] if inputs is None else inputs
        await self.hub.post(self.hub.inbox, {**data, "inputs": given, **change})
        return call_id


def market(hub: FakeHub, **answers: Any) -> None:
    """Answer commands as a server does in which all goes well."""
    listing = {"agent_id": hub.agent_id, "handle": "shouter", "skills": [skill()]}
    known: Json = {
        "listing.discover": {"listings": [listing], "next": None},
        "call.get": {"call": {"state": "requested"}},
        **{key.replace("__", "."): value for key, value in answers.items()},
    }

    def answer(command: Json) -> Any:
        reply = known.get(command["type"], {})
        return reply(command) if callable(reply) else reply

    hub.answer = answer

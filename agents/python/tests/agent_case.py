"""The base of tests of an agent with a fake hub."""

from __future__ import annotations

import asyncio
import base64
import unittest
from typing import Any

from parley_agents import Agent, Backoff, Session, Signer, new_id, random_seed
from parley_agents.canonical import sha256_hex

from .fake_hub import FakeHub
from .support import until
from .team import Team, market

FAST = Backoff(base=0.02, cap=0.05)
Json = dict[str, Any]


def file_input(content: bytes, media_type: str = "text/plain") -> Json:
    """An input that is a file with this content."""
    artifact = {"sha256": sha256_hex(content), "size": len(content), "name": "a.txt"}
    artifact |= {"media_type": media_type, "artifact_type": "query.text"}
    return {"port": "file", "type": "query.text", "artifact": artifact}


def content_of(artifact: Json) -> bytes:
    return base64.b64decode(artifact["content"])


class AgentCase(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.hub = FakeHub()
        await self.hub.__aenter__()
        self.addAsyncCleanup(self.hub.__aexit__)
        market(self.hub)
        self.seed = random_seed()
        self.team = Team(self.hub, Signer(self.seed).did)
        self.agent = self.make_agent()

    def make_agent(self, **options: Any) -> Agent:
        options = {"backoff": FAST, "heartbeat": 0.1, **options}
        return Agent(self.hub.url, seed=self.seed, **options)

    async def start(self, agent: Agent | None = None) -> Session:
        session = await (agent or self.agent).start()

        async def close() -> None:
            session.close()
            await session.wait_ended()

        self.addAsyncCleanup(close)
        return session

    async def sent(self, kind: str, count: int = 1) -> Json:
        """Wait for a number of commands of a type and return the last one."""
        await until(kind, lambda: len(self.hub.commands(kind)) >= count)
        return self.hub.commands(kind)[count - 1]

    async def acked(self, room_id: str) -> None:
        """Wait until the agent has handled all messages of a room."""
        count = len(self.hub.rooms[room_id])
        await until("the ack", lambda: self.hub.acked.get(room_id) == count)

    async def never(self, kind: str) -> None:
        await asyncio.sleep(0.2)
        self.assertEqual(self.hub.commands(kind), [])


__all__ = ["AgentCase", "Team", "content_of", "file_input", "market", "new_id", "until"]

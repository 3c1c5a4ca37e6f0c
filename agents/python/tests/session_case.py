"""The base of tests of a session with a fake hub."""

from __future__ import annotations

import unittest
from typing import Any

from parley_agents import Backoff, RoomMessage, Session, Signer, connect, random_seed

from .fake_hub import FakeHub

FAST = Backoff(base=0.02, cap=0.05)


class SessionCase(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.hub = await self.enterAsync(FakeHub())
        self.signer = Signer(random_seed())

    async def enterAsync(self, context: Any) -> Any:
        entered = await context.__aenter__()
        self.addAsyncCleanup(context.__aexit__, None, None, None)
        return entered

    async def connect(self, **options: Any) -> Session:
        options = {"backoff": FAST, **options}
        url = options.pop("url", self.hub.url)
        session = await connect(url, self.signer, **options)

        async def close() -> None:
            session.close()
            await session.wait_ended()

        self.addAsyncCleanup(close)
        return session

    def texts(self, session: Session) -> list[str]:
        """Collect the texts of all messages from now on."""
        texts: list[str] = []

        def read(message: RoomMessage) -> None:
            texts.extend(part.get("text", "") for part in message.envelope["parts"])

        session.on("message", read)
        return texts

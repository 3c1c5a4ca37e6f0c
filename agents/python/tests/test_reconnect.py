"""Connections of a session: handshake, losses, refusals, and the end."""

from __future__ import annotations

import asyncio
import unittest

from parley_agents import Backoff, ProblemError, Signer, new_id, random_seed
from parley_agents.reconnecting_socket import hub_socket_url, read_restart_delay

from .fake_hub import FakeHub, problem
from .session_case import SessionCase
from .support import until


class ReconnectTest(SessionCase):
    async def test_hello_and_welcome(self) -> None:
        session = await self.connect(token="secret")
        self.assertEqual(session.did, self.signer.did)
        self.assertEqual(session.handle, "shouter")
        self.assertEqual(session.server, self.hub.did)
        self.assertEqual(session.rooms, [self.hub.inbox])
        await self.hub.disconnect()
        await until("a second hello", lambda: len(self.hub.of("hello")) == 2)
        tokens = [hello.get("token") for hello in self.hub.of("hello")]
        self.assertEqual(tokens, ["secret", None])

    async def test_unanswered_commands_are_sent_again_with_the_same_ids(self) -> None:
        session = await self.connect()
        self.hub.answer = lambda command: None
        room = new_id("rom")
        await self.hub.post(room)
        posts = [
            asyncio.ensure_future(session.post_message(room, text=f"m{number}"))
            for number in range(3)
        ]
        await until("the commands", lambda: len(self.hub.of("command")) == 3)
        self.hub.answer = lambda command: {"id": command["envelope"]["id"]}
        await self.hub.disconnect()
        answers = await asyncio.wait_for(asyncio.gather(*posts), 60)
        frames = self.hub.of("command")
        self.assertEqual(frames[:3], frames[3:])
        sent = [frame["command"]["envelope"]["id"] for frame in frames[:3]]
        self.assertEqual([answer["id"] for answer in answers], sent)

    async def test_an_ack_that_was_not_sent_follows_after_the_reconnect(self) -> None:
        slow = Backoff(base=0.5, cap=0.5, uniform=lambda: 0.99)
        session = await self.connect(backoff=slow)
        gate = asyncio.Event()

        async def wait(_: object) -> None:
            await gate.wait()

        session.on("message", wait)
        session.on("offline", lambda _: gate.set())
        room = new_id("rom")
        await self.hub.post(room)
        await asyncio.sleep(0.05)
        await self.hub.disconnect()
        await until("the ack", lambda: self.hub.acked.get(room) == 1)

    async def test_refusals_reject_and_transient_ones_are_retried(self) -> None:
        session = await self.connect()
        refusals = [problem("rate.exceeded", "later", retry_after=0.05)]
        self.hub.answer = lambda _: refusals.pop() if refusals else {"listings": []}
        self.assertEqual(await session.discover(text="x"), {"listings": []})
        self.assertEqual(len(self.hub.commands("listing.discover")), 2)
        hint = {"hint": "Wait.", "facts": {"a": 1}}
        self.hub.answer = lambda _: problem("task.blocked", "later", **hint)
        with self.assertRaises(ProblemError) as caught:
            await session.discover(text="x")
        error = caught.exception
        self.assertEqual((error.code, error.retry), ("task.blocked", "later"))
        self.assertEqual(error.facts, {"a": 1})
        self.assertEqual(str(error), "The hub says task.blocked. Wait.")

    async def test_a_replay_continues_after_a_reconnect(self) -> None:
        session = await self.connect()
        room = new_id("rom")
        await self.hub.post(room)
        await until("the ack", lambda: self.hub.acked.get(room) == 1)
        log = self.hub.rooms.pop(room)
        reading = asyncio.ensure_future(session.conversation(room))
        await until("the request", lambda: self.hub.of("subscribe"))
        self.hub.rooms[room] = log
        await self.hub.disconnect()
        self.assertEqual((await asyncio.wait_for(reading, 60)).seq, 1)

    async def test_ping_is_answered(self) -> None:
        await self.connect()
        await self.hub.write({"type": "ping"})
        await until("the pong", lambda: self.hub.of("pong"))

    async def test_fenced_ends_the_session(self) -> None:
        session = await self.connect()
        await self.hub.write({"type": "fenced"})
        reason = await asyncio.wait_for(session.wait_ended(), 60)
        self.assertEqual(reason.code, "session.fenced")
        with self.assertRaises(ProblemError):
            await session.discover(text="x")
        await asyncio.sleep(0.1)
        self.assertEqual(self.hub.connections, 1)

    async def test_a_refused_hello_ends_or_is_tried_again(self) -> None:
        self.hub.refusals = [
            problem("rate.exceeded", "later", retry_after=0.05),
            problem("auth.required", "after_change"),
        ]
        with self.assertRaises(ProblemError) as caught:
            await self.connect()
        self.assertEqual(caught.exception.code, "auth.required")
        self.assertEqual(self.hub.connections, 2)

    async def test_another_server_at_the_address_is_refused(self) -> None:
        session = await self.connect()
        self.hub.signer = Signer(random_seed())
        await self.hub.disconnect()
        reason = await asyncio.wait_for(session.wait_ended(), 60)
        self.assertEqual(reason.code, "session.server_changed")
        with self.assertRaises(ProblemError):
            await self.connect(server=self.signer.did)

    async def test_the_next_hub_is_used_when_one_is_gone(self) -> None:
        other = await self.enterAsync(FakeHub(self.hub.signer))
        first = Backoff(base=0.02, cap=0.05, uniform=lambda: 0.0)
        session = await self.connect(url=[self.hub.url, other.url], backoff=first)
        self.assertEqual((self.hub.connections, other.connections), (1, 0))
        await self.hub.disconnect(1012, "come again within 20 ms")
        await until("the other hub", lambda: other.of("hello"))
        self.assertFalse(session.is_ended)

    async def test_it_waits_for_a_hub_that_is_not_there_yet(self) -> None:
        url = self.hub.url
        await self.hub.__aexit__()
        connecting = asyncio.ensure_future(self.connect(url=url))
        await asyncio.sleep(0.2)
        self.assertFalse(connecting.done())
        connecting.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await connecting

    async def test_close_sends_the_acks_and_rejects_commands(self) -> None:
        session = await self.connect()
        self.hub.answer = lambda command: None
        asking = asyncio.ensure_future(session.discover(text="x"))
        room = new_id("rom")
        texts = self.texts(session)
        await self.hub.post(room, text="m1")
        await until("the message", lambda: texts == ["m1"])
        await asyncio.sleep(0.01)
        session.close()
        with self.assertRaises(ProblemError):
            await asking
        await session.wait_ended()
        await until("the ack", lambda: self.hub.acked.get(room) == 1)


class AddressTest(unittest.TestCase):
    def test_addresses_of_hubs(self) -> None:
        cases = {
            "http://localhost:4000": "ws://localhost:4000/v1/ws",
            "https://hub.example/": "wss://hub.example/v1/ws",
            "wss://hub.example/other": "wss://hub.example/other",
        }
        for url, address in cases.items():
            self.assertEqual(hub_socket_url(url), address)
        for url in ("localhost:4000", "ftp://hub.example", ""):
            with self.assertRaises(ValueError):
                hub_socket_url(url)

    def test_announced_restarts(self) -> None:
        self.assertEqual(read_restart_delay(1012, "come again within 3000 ms"), 3.0)
        self.assertEqual(read_restart_delay(1012, "come again within 900000 ms"), 60.0)
        self.assertIsNone(read_restart_delay(1001, "come again within 3000 ms"))
        self.assertIsNone(read_restart_delay(1012, "soon"))

    def test_backoff_has_full_jitter_and_a_cap(self) -> None:
        highest = Backoff(uniform=lambda: 1.0)
        waits = [highest.wait(attempt) for attempt in range(9)]
        self.assertEqual(waits, [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30])
        self.assertEqual(Backoff(uniform=lambda: 0.0).wait(5), 0)

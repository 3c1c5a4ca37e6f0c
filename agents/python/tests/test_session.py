"""Delivery and commands of a session: order, acks, verification, replays."""

from __future__ import annotations

import asyncio

from parley_agents import RoomMessage, Signer, new_id, random_seed

from .session_case import SessionCase
from .support import until


class SessionTest(SessionCase):
    async def test_each_message_once_in_order_and_acked(self) -> None:
        session = await self.connect()
        texts = self.texts(session)
        room = new_id("rom")
        for number in range(30):
            await self.hub.post(room, text=f"m{number}")
        await self.hub.put(self.hub.rooms[room][0])  # Another number, same content.
        await self.hub.write({"type": "deliver", "envelope": self.hub.rooms[room][5]})
        await until("the ack", lambda: self.hub.acked.get(room) == 31)
        self.assertEqual(texts, [*(f"m{number}" for number in range(30)), "m0"])

    async def test_a_gap_is_requested(self) -> None:
        session = await self.connect()
        texts = self.texts(session)
        self.hub.passes = lambda envelope: envelope["seq"] != 2
        room = new_id("rom")
        for number in range(1, 4):
            await self.hub.post(room, text=f"m{number}")
        await until("all messages", lambda: texts == ["m1", "m2", "m3"])
        subscribed = {"type": "subscribe", "room_id": room, "after": 1}
        self.assertIn(subscribed, self.hub.frames)

    async def test_the_ack_waits_for_the_listener(self) -> None:
        session = await self.connect()
        gate = asyncio.Event()

        async def wait(_: RoomMessage) -> None:
            await gate.wait()

        session.on("message", wait)
        room = new_id("rom")
        await self.hub.post(room)
        await asyncio.sleep(0.15)
        self.assertEqual(self.hub.acked.get(room), None)
        gate.set()
        await until("the ack", lambda: self.hub.acked.get(room) == 1)

    async def test_an_unfinished_message_is_delivered_to_the_next_session(self) -> None:
        session = await self.connect()
        texts = self.texts(session)
        gate = asyncio.Event()

        async def wait(message: RoomMessage) -> None:
            await gate.wait()

        room = new_id("rom")
        await self.hub.post(room, text="first")
        await until("the first ack", lambda: self.hub.acked.get(room) == 1)
        session.on("message", wait)
        await self.hub.post(room, text="second")
        await until("the second message", lambda: len(texts) == 2)
        session.close()
        gate.set()
        await session.wait_ended()
        self.assertEqual(self.hub.acked[room], 1)
        again = self.texts(await self.connect())
        await until("the second message again", lambda: again == ["second"])

    async def test_invalid_messages_are_skipped_and_reported(self) -> None:
        session = await self.connect()
        texts, codes = self.texts(session), []
        session.on("problem", lambda one: codes.append(one["code"]))
        room, held = new_id("rom"), {"kind": "message.dead_lettered", "seq": 3}
        genuine = await self.hub.post(room, text="one")
        await self.hub.put({**genuine, "parts": [{"text": "two"}]})
        await self.hub.post(room, held)
        await self.hub.put({**genuine, "v": "2"})
        await self.hub.post(room, text="five")
        await until("the ack", lambda: self.hub.acked.get(room) == 5)
        self.assertEqual(texts, ["one", "five"])
        expected = ["envelope.signature_invalid", "session.message_quarantined"]
        self.assertEqual(codes, [*expected, "session.message_unreadable"])

    async def test_another_agent_cannot_be_vouched_for(self) -> None:
        session = await self.connect()
        codes: list[str] = []
        session.on("problem", lambda one: codes.append(one["code"]))
        other = Signer(random_seed())
        envelope = await self.hub.post(new_id("rom"), by=other)
        sig = {**envelope["sig"], "alg": "session", "kid": self.hub.did}
        await self.hub.put({**envelope, "sig": sig})
        await until("the report", lambda: codes == ["envelope.signature_invalid"])

    async def test_messages_are_signed_by_the_agent(self) -> None:
        session = await self.connect()
        room = new_id("rom")
        await self.hub.post(room, state="execution", type="discussion")
        await self.hub.post(room, state="task_assignment")
        await until("the ack", lambda: self.hub.acked.get(room) == 2)
        await session.post_message(
            room, "Hi", to=[self.hub.did], next_speakers=[self.hub.did]
        )
        [command] = self.hub.commands("message.post")
        self.assertEqual(sorted(command), ["envelope", "room_id", "type"])
        posted = command["envelope"]
        self.assertEqual(posted["sender_id"], self.signer.did)
        self.assertEqual(posted["sig"]["kid"], self.signer.did)
        self.assertEqual(posted["state"], "task_assignment")
        self.assertEqual(posted["next_speakers"], [self.hub.did])
        await self.hub.put(posted)
        await until("the own message", lambda: self.hub.acked.get(room) == 3)

    async def test_traces_are_continued(self) -> None:
        session = await self.connect()
        room, trace = new_id("rom"), f"00-{'a' * 32}-{'b' * 16}-01"
        await self.hub.post(room, traceparent=trace)
        await until("the ack", lambda: self.hub.acked.get(room) == 1)
        await session.post_message(room, "Hi")
        [command] = self.hub.commands("message.post")
        self.assertEqual(command["envelope"]["traceparent"], trace)

    async def test_a_burst_waits_for_pongs(self) -> None:
        session = await self.connect()
        self.hub.answers_pings = False
        self.hub.answer = lambda command: {}
        work = [
            asyncio.ensure_future(session.discover(text=str(n))) for n in range(100)
        ]
        # Two batches of 20: one whose pong is awaited, and one behind it.
        await until("two batches", lambda: len(self.hub.of("command")) == 40)
        await asyncio.sleep(0.2)
        self.assertEqual(len(self.hub.of("command")), 40)
        self.hub.answers_pings = True
        await self.hub.write({"type": "pong"})
        await asyncio.wait_for(asyncio.gather(*work), 60)
        self.assertEqual(len(self.hub.of("command")), 100)

    async def test_a_replay_reads_again_and_delivers_nothing_twice(self) -> None:
        session = await self.connect()
        texts, room = self.texts(session), new_id("rom")
        for number in range(5):
            await self.hub.post(room, text=f"m{number}")
        await until("the ack", lambda: self.hub.acked.get(room) == 5)
        seen: list[int] = []
        await session.replay(room, 1, lambda envelope: seen.append(envelope["seq"]))
        self.assertEqual(seen, [2, 3, 4, 5])
        self.assertEqual(len(texts), 5)
        self.assertEqual((await session.conversation(room)).seq, 5)

    async def test_unknown_and_malformed_frames_are_ignored(self) -> None:
        session = await self.connect()
        for frame in ({"type": "later"}, {"type": "deliver"}, {"type": "result"}, [1]):
            await self.hub.write(frame)  # type: ignore[arg-type]
        await self.hub.write(
            {"type": "deliver", "envelope": {"room_id": 1, "seq": "x"}}
        )
        self.assertEqual(await session.discover(text="x"), {})

    async def test_errors_of_listeners_are_reported(self) -> None:
        session = await self.connect()
        errors: list[Exception] = []

        def fail(_: RoomMessage) -> None:
            raise ValueError("broken")

        session.on("message", fail)
        remove = session.on("error", errors.append)
        room = new_id("rom")
        await self.hub.post(room)
        await until(
            "the report", lambda: [str(error) for error in errors] == ["broken"]
        )
        remove()
        with self.assertLogs("parley_agents", "ERROR"):
            await self.hub.post(room)
            await until("the ack", lambda: self.hub.acked.get(room) == 2)

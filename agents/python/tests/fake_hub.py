"""A hub in the hands of a test: real sockets, rooms in memory, frames on record."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import websockets
from websockets.exceptions import ConnectionClosed

from parley_agents import Signer, new_id, new_message_id, random_seed, sign_envelope
from parley_agents.keys import hello_bytes, verify_bytes

Json = dict[str, Any]


def problem(code: str, retry: str = "never", **more: object) -> Json:
    detail = f"The hub says {code}."
    base = {"type": f"/problems/{code}", "title": code, "status": 400}
    return {**base, "detail": detail, "code": code, "retry": retry, **more}


class FakeHub:
    """Speaks the server's side of the protocol with one agent."""

    def __init__(self, signer: Signer | None = None) -> None:
        self.signer = signer or Signer(random_seed())
        self.inbox = new_id("inb")
        self.agent_id = new_id("agt")
        self.rooms: dict[str, list[Json]] = {self.inbox: []}
        self.acked: dict[str, int] = {self.inbox: 0}
        self.frames: list[Json] = []
        self.refusals: list[Json] = []
        self.connections = 0
        self.answers_pings = True
        #: Answers a command: its result, a problem, or None for silence.
        self.answer: Callable[[Json], Any] = lambda command: {}
        #: Whether a message is delivered on the first try.
        self.passes: Callable[[Json], bool] = lambda envelope: True
        self._socket: Any = None
        self._replies: set[asyncio.Future[None]] = set()

    async def __aenter__(self) -> FakeHub:
        self._server = await websockets.serve(self._serve, "127.0.0.1", 0)
        port = next(iter(self._server.sockets)).getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    @property
    def did(self) -> str:
        return self.signer.did

    def of(self, kind: str) -> list[Json]:
        return [frame for frame in self.frames if frame["type"] == kind]

    def commands(self, kind: str | None = None) -> list[Json]:
        commands = [frame["command"] for frame in self.of("command")]
        return [one for one in commands if kind in (None, one["type"])]

    async def post(
        self,
        room_id: str,
        data: Json | None = None,
        *,
        by: Signer | None = None,
        text: str | None = None,
        parts: list[Json] | None = None,
        **more: Any,
    ) -> Json:
        """Put a signed message into a room and deliver it."""
        sender = by or self.signer
        content = parts or ([{"data": data}] if data else [{"text": text or "Hello"}])
        draft = {"id": new_message_id(), "room_id": room_id, "sender_id": sender.did}
        draft |= {"state": "discussion", "type": "discussion", "parts": content, **more}
        return await self.put(sign_envelope(sender, draft))

    async def put(self, envelope: Json) -> Json:
        messages = self.rooms.setdefault(envelope["room_id"], [])
        stored = {**envelope, "seq": len(messages) + 1}
        stored["received_at"] = "2026-11-01T00:00:00.000Z"
        messages.append(stored)
        if self.passes(stored):
            await self.write({"type": "deliver", "envelope": stored})
        return stored

    async def write(self, frame: Json) -> None:
        if self._socket is not None:
            try:
                await self._socket.send(json.dumps(frame))
            except ConnectionClosed:
                pass

    async def disconnect(self, code: int = 1001, reason: str = "") -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close(code, reason)

    async def _serve(self, socket: Any) -> None:
        self.connections += 1
        nonce = f"nonce{self.connections}"
        challenge = {"type": "challenge", "nonce": nonce, "server": self.did}
        await socket.send(json.dumps(challenge))
        try:
            async for text in socket:
                frame = json.loads(text)
                self.frames.append(frame)
                await self._receive(socket, frame, nonce)
        except ConnectionClosed:
            pass

    async def _receive(self, socket: Any, frame: Json, nonce: str) -> None:
        kind = frame["type"]
        if kind == "hello":
            await self._greet(socket, frame, nonce)
        elif kind == "ping" and self.answers_pings:
            await self.write({"type": "pong"})
        elif kind == "ack":
            self.acked[frame["room_id"]] = frame["seq"]
        elif kind == "subscribe":
            await self._deliver(frame["room_id"], frame["after"])
        elif kind == "command":
            # In the background: an answer may post messages or end the connection.
            reply = asyncio.ensure_future(self._reply(frame))
            self._replies.add(reply)
            reply.add_done_callback(self._replies.discard)

    async def _greet(self, socket: Any, hello: Json, nonce: str) -> None:
        did = hello["did"]
        proof = hello_bytes(audience=self.did, nonce=nonce, did=did)
        assert verify_bytes(did, proof, hello["signature"])
        if self.refusals:
            refusal = {"type": "problem", "id": None, "problem": self.refusals.pop(0)}
            await socket.send(json.dumps(refusal))
            return
        self._socket = socket
        rooms = [
            {"room_id": key, "head": len(log), "acked": self.acked.get(key, 0)}
            for key, log in self.rooms.items()
        ]
        names = {"agent_id": self.agent_id, "did": did, "handle": "shouter"}
        names |= {"inbox": self.inbox, "server": self.did}
        await self.write({"type": "welcome", "rooms": rooms, **names})
        for room in rooms:
            await self._deliver(str(room["room_id"]), int(room["acked"]))

    async def _deliver(self, room_id: str, after: int) -> None:
        for envelope in self.rooms.get(room_id, [])[after:]:
            await self.write({"type": "deliver", "envelope": envelope})

    async def _reply(self, frame: Json) -> None:
        answer = self.answer(frame["command"])
        if asyncio.iscoroutine(answer):
            answer = await answer
        if answer is None:
            return
        if "code" in answer and "retry" in answer:
            reply = {"type": "problem", "id": frame["id"], "problem": answer}
        else:
            reply = {"type": "result", "id": frame["id"], "result": answer}
        await self.write(reply)

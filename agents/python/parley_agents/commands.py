"""The commands of an agent: one method for each common one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from .artifacts import Artifact
from .wire import JsonObject


def _given(**fields: object) -> JsonObject:
    """Return the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


class Commands(ABC):
    """Methods that send commands. Amounts are decimal texts in base units.

    `room_id` is needed only if the session cannot derive it from the goal or the task.
    Each method raises `ProblemError`: the server's refusal, or a code `session.*`.
    """

    @abstractmethod
    async def send(
        self,
        command: JsonObject,
        *,
        room_id: str | None = None,
        message: JsonObject | None = None,
    ) -> Any:
        """Send any command of the protocol and return the server's result.

        If the command has a message in a room, the session builds and signs it.

        :param command: its `type` and fields, without `envelope`
        :param message: fields of the message, for example `next_speakers`
        """

    async def discover(self, **query: object) -> JsonObject:
        """Search listings, for example `discover(skill_id="text.shout", online=True)`.

        The result has `listings`, and `next`: the cursor of the next page, or None.
        """
        result: JsonObject = await self.send(
            {"type": "listing.discover", "query": query}
        )
        return result

    async def claim_goal(self, goal_id: str) -> JsonObject:
        """Take an announced goal as its planner."""
        result: JsonObject = await self.send({"type": "goal.claim", "goal_id": goal_id})
        return result

    async def propose_team(
        self, goal_id: str, charter: JsonObject, room_id: str | None = None
    ) -> JsonObject:
        """Propose a charter to its members. The result has `charter_hash`."""
        command: JsonObject = {
            "type": "team.propose",
            "goal_id": goal_id,
            "charter": charter,
        }
        room_id = room_id or charter["room_id"]
        result: JsonObject = await self.send(command, room_id=room_id)
        return result

    async def accept_team(
        self, goal_id: str, charter_hash: str, room_id: str | None = None
    ) -> None:
        """Accept a charter."""
        command: JsonObject = {"type": "team.accept", "goal_id": goal_id}
        command["charter_hash"] = charter_hash
        await self.send(command, room_id=room_id)

    async def decline_team(
        self, goal_id: str, reason: str, room_id: str | None = None
    ) -> None:
        """Decline a charter. The room sees the reason."""
        command: JsonObject = {
            "type": "team.decline",
            "goal_id": goal_id,
            "reason": reason,
        }
        await self.send(command, room_id=room_id)

    async def seal_team(self, goal_id: str, room_id: str | None = None) -> None:
        """Seal the accepted charter on the rail."""
        await self.send({"type": "team.seal", "goal_id": goal_id}, room_id=room_id)

    async def assign_task(
        self,
        goal_id: str,
        task_id: str,
        step: int,
        inputs: Sequence[JsonObject] = (),
        task_desc: str | None = None,
        room_id: str | None = None,
    ) -> JsonObject:
        """Assign a step of the recorded charter to its agent, as the room's lead."""
        command: JsonObject = {
            "type": "task.assign",
            "goal_id": goal_id,
            "task_id": task_id,
        }
        command |= {"step": step, "inputs": list(inputs)}
        command |= _given(task_desc=task_desc)
        result: JsonObject = await self.send(command, room_id=room_id)
        return result

    async def progress_task(
        self,
        task_id: str,
        text: str | None = None,
        done: int | None = None,
        room_id: str | None = None,
    ) -> JsonObject:
        """Report progress, which renews the task's lease of 60 s. `done`: percent."""
        command: JsonObject = {"type": "task.progress", "task_id": task_id}
        command |= _given(text=text, done=done)
        result: JsonObject = await self.send(command, room_id=room_id)
        return result

    async def complete_task(
        self,
        task_id: str,
        artifacts: Sequence[Artifact],
        text: str = "",
        room_id: str | None = None,
    ) -> JsonObject:
        """Deliver the result of a task: a file for each output type of its step."""
        files = [artifact.to_upload() for artifact in artifacts]
        command: JsonObject = {
            "type": "task.complete",
            "task_id": task_id,
            "artifacts": files,
        }
        result: JsonObject = await self.send({**command, "text": text}, room_id=room_id)
        return result

    async def fail_task(
        self, task_id: str, reason: str, room_id: str | None = None
    ) -> None:
        """Give a task up. The room sees the reason."""
        command: JsonObject = {
            "type": "task.fail",
            "task_id": task_id,
            "reason": reason,
        }
        await self.send(command, room_id=room_id)

    async def conclude_goal(
        self,
        goal_id: str,
        outcome: str,
        parts: Sequence[JsonObject] = (),
        room_id: str | None = None,
    ) -> JsonObject:
        """Conclude a goal as its planner. `outcome`: `delivered` or `failed`."""
        command: JsonObject = {
            "type": "goal.conclude",
            "goal_id": goal_id,
            "outcome": outcome,
        }
        command |= {"parts": list(parts)}
        result: JsonObject = await self.send(command, room_id=room_id)
        return result

    async def post_message(
        self,
        room_id: str,
        text: str | None = None,
        *,
        parts: Sequence[JsonObject] = (),
        act: str = "discussion",
        to: Sequence[str] | None = None,
        reply_to: str | None = None,
        next_speakers: Sequence[str] | None = None,
    ) -> JsonObject:
        """Post a message in a room. The result has its number, `seq`, and its `id`."""
        texts = [{"text": text}] if text else []
        command: JsonObject = {"type": "message.post", "room_id": room_id, "act": act}
        command |= {"parts": [*texts, *parts]}
        command |= _given(to=list(to) if to else None, reply_to=reply_to)
        speakers = list(next_speakers) if next_speakers is not None else None
        message = _given(next_speakers=speakers)
        result: JsonObject = await self.send(command, message=message)
        return result

    async def give_feedback(self, task_id: str, value: int, text: str = "") -> None:
        """Rate a settled, paid step. `value`: 0 to 100."""
        command: JsonObject = {"type": "feedback.give", "task_id": task_id}
        await self.send({**command, "value": value, "text": text})

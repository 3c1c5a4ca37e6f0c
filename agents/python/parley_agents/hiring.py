"""Hiring for a sub-team: a charter that its members accept and the rail records."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from .activity import Activity
from .charters import find_step, hire_into, may_hire
from .conversation import Conversation
from .errors import ProblemError, team_failed
from .events import TaskAssignment
from .session import Session
from .wire import JsonObject

_MAX_ATTEMPTS = 8
_POLL_INTERVAL = 5.0
# How long the rail may take to record a charter, seconds.
_RECORD_TIMEOUT = 120.0
# Refusals of a charter after which a new attempt may succeed.
_CONFLICTS = frozenset(
    {"team.change_pending", "team.charter_changed", "team.charter_invalid"}
)


@dataclass(frozen=True)
class SubTask:
    """A part of a task for another agent."""

    skill_id: str
    title: str | None = None
    #: Inputs beside the files of `after`: `{port, type, data}` or `{…, artifact}`.
    inputs: Sequence[JsonObject] = ()
    #: Indexes (from 0) of earlier parts. This part starts when they are done, and
    #: receives their files by artifact type.
    after: Sequence[int] = ()
    #: Instructions in plain text.
    task_desc: str | None = None
    #: A particular agent. Default: the cheapest one online.
    agent_id: str | None = None
    #: Pay in base units. Default: the price of the listing.
    amount: int | None = None
    #: `sync` or `async`.
    mode: str = "async"


@dataclass(frozen=True)
class Room:
    """A sub-team's room, and the number of the step that pays the team."""

    room_id: str
    step: int
    goal_id: str


@dataclass(frozen=True)
class _Candidate:
    listing: JsonObject
    skill: JsonObject

    @property
    def did(self) -> str:
        did: str = self.listing["did"]
        return did

    def pay(self, part: SubTask) -> int:
        return int(self.skill["price"]) if part.amount is None else part.amount


class Hiring:
    """Proposes charters until one is accepted and recorded.

    A member who declines or does not answer in time is not invited again.
    """

    def __init__(
        self,
        session: Session,
        activity: Activity,
        task: TaskAssignment,
        room: Room,
        parts: Sequence[SubTask],
        patience: float,
    ) -> None:
        self._session = session
        self._activity = activity
        self._task = task
        self._room = room
        self._parts = parts
        self._patience = patience

    async def hire(self) -> JsonObject:
        """Return the recorded charter.

        :raises ProblemError: `session.team_failed`
        """
        unavailable: set[str] = set()
        until = time.monotonic() + _RECORD_TIMEOUT
        attempts = 0
        while attempts < _MAX_ATTEMPTS:
            before = await self._session.conversation(self._task.room_id)
            base = before.charter
            if base is None:
                raise team_failed("The room of the task has no charter.")
            chosen = await self._choose(base, unavailable)
            charter = self._charter(before, base, chosen)
            proposed = await self._propose(charter)
            if proposed is None:
                # Another sub-team changed the charter. That is not counted.
                if time.monotonic() > until:
                    raise team_failed("Other members keep changing the charter.")
                await self._wait_for_change(before)
                continue
            attempts += 1
            unavailable.update(await self._wait_for_answers(proposed))
            if any(candidate.did in unavailable for candidate in chosen):
                continue
            if await self._seal() and await self._wait_for_record(proposed):
                return charter
        raise team_failed(f"No team was agreed on in {_MAX_ATTEMPTS} attempts.")

    async def _choose(
        self, base: JsonObject, unavailable: set[str]
    ) -> list[_Candidate]:
        """Return the cheapest candidate for each part."""
        step = find_step(base, self._room.step)
        if step is None:
            raise team_failed(f"The charter has no step {self._room.step}.")
        chosen = []
        for part in self._parts:
            skill_id = part.skill_id
            found = await self._session.discover(
                skill_id=skill_id, online=True, limit=100
            )
            candidates = [
                _Candidate(listing, skill)
                for listing in found["listings"]
                for skill in listing["skills"]
                if skill["id"] == skill_id
                and listing.get("did")
                and listing["did"] not in unavailable
                and part.agent_id in (None, listing["agent_id"])
                and may_hire(base, step, listing["did"])
            ]
            if not candidates:
                raise team_failed(f"No agent online can be hired for {skill_id}.")
            chosen.append(min(candidates, key=lambda one: int(one.skill["price"])))
        cost = sum(one.pay(part) for one, part in zip(chosen, self._parts, strict=True))
        if cost > int(step["amount"]):
            pays = step["amount"]
            raise team_failed(f"The team would cost {cost}. The step pays {pays}.")
        return chosen

    def _charter(
        self, before: Conversation, base: JsonObject, chosen: Sequence[_Candidate]
    ) -> JsonObject:
        hired = [
            (_hired_step(part, candidate), part.after)
            for part, candidate in zip(self._parts, chosen, strict=True)
        ]
        return hire_into(
            base,
            step=self._room.step,
            room_id=self._room.room_id,
            version=before.next_charter_version,
            hired=hired,
        )

    async def _propose(self, charter: JsonObject) -> str | None:
        """Return the hash of the proposal; None if a new attempt may succeed."""
        goal_id, room_id = self._room.goal_id, self._room.room_id
        try:
            answer = await self._session.propose_team(goal_id, charter, room_id)
        except ProblemError as error:
            if error.code in _CONFLICTS:
                return None
            raise
        proposed: str = answer["charter_hash"]
        return proposed

    async def _wait_for_change(self, before: Conversation) -> None:
        until = time.monotonic() + _POLL_INTERVAL
        known = (before.charter_hash, before.recorded, before.withdrawn)
        while (left := until - time.monotonic()) > 0:
            now = await self._session.conversation(self._task.room_id)
            if (now.charter_hash, now.recorded, now.withdrawn) != known:
                return
            await self._activity.wait(left)

    async def _wait_for_answers(self, proposed: str) -> list[str]:
        """Return who declined or did not answer in time; empty if all have accepted."""
        until = time.monotonic() + self._patience
        while True:
            now = await self._session.conversation(self._room.room_id)
            is_current = now.charter_hash == proposed
            if is_current and now.declined:
                return [did for did, _ in now.declined]
            if is_current and not now.unsigned:
                return []
            left = until - time.monotonic()
            if left <= 0:
                return now.unsigned
            await self._activity.wait(min(_POLL_INTERVAL, left))

    async def _seal(self) -> bool:
        """Seal as soon as all payees have signed. False if the charter has changed."""
        until = time.monotonic() + self._patience
        while True:
            try:
                await self._session.seal_team(self._room.goal_id, self._room.room_id)
                return True
            except ProblemError as error:
                if error.code in _CONFLICTS:
                    return False
                # On chain, members outside this sub-team must sign, too.
                if error.code != "team.incomplete":
                    raise
            left = until - time.monotonic()
            if left <= 0:
                raise team_failed("Not every payee of the charter has signed it.")
            await self._activity.wait(min(_POLL_INTERVAL, left))

    async def _wait_for_record(self, proposed: str) -> bool:
        until = time.monotonic() + _RECORD_TIMEOUT
        while True:
            now = await self._session.conversation(self._room.room_id)
            if now.withdrawn is not None and now.withdrawn[1] == proposed:
                raise team_failed(f"The charter was not recorded: {now.withdrawn[2]}")
            if now.is_charter_recorded:
                return True
            if now.closed:
                raise team_failed(f"Task {self._task.task_id} has ended.")
            if time.monotonic() > until:
                limit = int(_RECORD_TIMEOUT)
                raise team_failed(f"The charter was not recorded within {limit} s.")
            await self._activity.wait(_POLL_INTERVAL)


def _hired_step(part: SubTask, candidate: _Candidate) -> JsonObject:
    listing, skill = candidate.listing, candidate.skill
    values = [item for item in part.inputs if not item.get("artifact")]
    names = ("port", "type", "data")
    step: JsonObject = {
        "title": (part.title or skill["name"])[:120],
        "skill_id": part.skill_id,
        "agent_id": listing["agent_id"],
        "sender_id": candidate.did,
        "payee": listing["payout"],
        "amount": str(candidate.pay(part)),
        "mode": part.mode,
        "inputs": [{key: one[key] for key in names if key in one} for one in values],
        "outputs": list(dict.fromkeys(port["type"] for port in skill["outputs"])),
    }
    royalties = [
        {"agent_id": one["agent_id"], "to": one["payee"], "bps": one["bps"]}
        for one in listing.get("royalties") or []
    ]
    return {**step, "royalties": royalties} if royalties else step

"""Answers to invitations: which teams an agent joins."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from .already_ended_refusals import send_unless_already_ended
from .bounded import BoundedDict
from .charters import keeps_own_steps, own_steps, read_charter
from .events import RoomMessage, TeamInvitation
from .session import Session
from .wire import JsonObject, as_object, find_data

#: True to accept, or the reason for declining, which the room sees.
Verdict = bool | str
#: Decides on an invitation, from it, the agent's own steps and its listing (or None).
InvitationPolicy = Callable[
    [TeamInvitation, list[JsonObject], JsonObject | None],
    Verdict | Awaitable[Verdict],
]


def accept_listed_price(
    invitation: TeamInvitation, steps: list[JsonObject], listing: JsonObject | None
) -> bool | str:
    """Accept if every own step has a skill of the listing and pays its price."""
    if listing is None:
        return "I could not find my own listing, so I know no price."
    prices = {skill["id"]: int(skill["price"]) for skill in listing["skills"]}
    for step in steps:
        price = prices.get(step["skill_id"])
        if price is None:
            return f"I don't offer {step['skill_id']}."
        if int(step["amount"]) < price:
            return f"Step {step['step']} pays {step['amount']}, my price is {price}."
    return True


class Invitations:
    """Answers the invitations of a session by a policy.

    :param skills: ids of the skills that have a handler
    """

    def __init__(
        self, session: Session, skills: Collection[str], policy: InvitationPolicy
    ) -> None:
        self._session = session
        self._skills = skills
        self._policy = policy
        #: The charter in force, by goal id.
        self._in_force: BoundedDict[JsonObject] = BoundedDict(1_000)
        session.on("message", self._follow_charters)
        session.on("invite", self._answer)

    async def _answer(self, invitation: TeamInvitation) -> None:
        session, room_id = self._session, invitation.room_id
        charter, goal_id = invitation.charter, invitation.goal_id
        steps = own_steps(charter, session.did)
        if not steps:
            return
        verdict = await self._decide(invitation, steps)
        if verdict is True:
            accepted = invitation.charter_hash
            sending: Awaitable[None] = session.accept_team(goal_id, accepted, room_id)
        else:
            reason = verdict if isinstance(verdict, str) and verdict else "No reason."
            sending = session.decline_team(goal_id, reason, room_id)
        # If a newer version exists or the goal has ended, no answer is needed.
        is_answered = await send_unless_already_ended(sending)
        is_goals_own = room_id == charter["room_id"] and invitation.hired_by is None
        # A sub-team's charter is only proposed. It comes into force by its record.
        if is_answered and verdict is True and is_goals_own:
            self._in_force[goal_id] = charter

    async def _decide(
        self, invitation: TeamInvitation, steps: list[JsonObject]
    ) -> Verdict:
        for step in steps:
            if step["skill_id"] not in self._skills:
                return f"This agent has no skill {step['skill_id']}."
        if self._keeps_own_steps(invitation.charter):
            return True
        listing = await find_own_listing(self._session, steps[0]["skill_id"])
        verdict = self._policy(invitation, steps, listing)
        return await verdict if inspect.isawaitable(verdict) else verdict

    def _keeps_own_steps(self, charter: JsonObject) -> bool:
        """Whether all own steps in force are unchanged. Then no decision is needed."""
        before, did = self._in_force.get(charter["goal_id"]), self._session.did
        if before is None or not own_steps(before, did):
            return False
        return keeps_own_steps(before, charter, did)

    async def _follow_charters(self, message: RoomMessage) -> None:
        envelope = message.envelope
        if not message.is_from_server or message.is_inbox:
            return
        withdrawn = as_object(find_data(envelope, "charter.withdrawn"))
        amended = as_object(find_data(envelope, "charter.amended"))
        restored = as_object(withdrawn.get("in_force")).get("charter")
        changed = read_charter(restored or amended.get("charter"))
        if changed is not None:
            self._in_force[changed["goal_id"]] = changed
        recorded = find_data(envelope, "charter.recorded")
        if recorded is None:
            return
        state = await self._session.conversation(envelope["room_id"])
        # Every payee has agreed to a recorded charter, this agent included.
        if state.charter and state.charter_hash == recorded.get("charter_hash"):
            self._in_force[state.charter["goal_id"]] = state.charter


async def find_own_listing(session: Session, skill_id: str) -> JsonObject | None:
    """Return the agent's own listing, found by its handle or by one of its skills."""

    def own(page: JsonObject) -> JsonObject | None:
        matches = (
            one for one in page["listings"] if one["agent_id"] == session.agent_id
        )
        return next(matches, None)

    handle = session.handle
    found = own(await session.discover(skill_id=skill_id, text=handle, limit=20))
    query: dict[str, Any] = {"skill_id": skill_id, "limit": 100}
    while found is None:
        page = await session.discover(**query)
        found = own(page)
        if page.get("next") is None:
            break
        query["after"] = page["next"]
    return found

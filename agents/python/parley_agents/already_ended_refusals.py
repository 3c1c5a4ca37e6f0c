"""Refusals that say that there is nothing left to do."""

from __future__ import annotations

from collections.abc import Awaitable

from .errors import ProblemError

# The task, call or team has ended, or not this agent's.
_ALREADY_ENDED = frozenset(
    {
        "call.not_agent",
        "call.not_found",
        "call.wrong_state",
        "goal.not_found",
        "goal.wrong_state",
        "room.concluded",
        "room.not_member",
        "task.lease_expired",
        "task.not_assignee",
        "task.not_found",
        "task.wrong_state",
        "team.charter_changed",
        "team.not_member",
        "team.wrong_state",
    }
)


async def send_unless_already_ended(sending: Awaitable[object]) -> bool:
    """Wait for a command. False if its subject has ended, or not this agent's.

    :raises ProblemError: any other refusal
    """
    try:
        await sending
    except ProblemError as error:
        if error.code in _ALREADY_ENDED:
            return False
        raise
    return True

"""The charter: which agent does which step for which amount. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from .canonical import CanonicalError, canonical_bytes, canonicalize, sha256_hex
from .wire import JsonObject, as_integer, as_list, as_object, as_texts, is_amount

_CHARTER_TEXTS = ("goal_id", "room_id", "client_id", "principal_id", "asset")
_STEP_TEXTS = ("title", "skill_id", "agent_id", "sender_id", "payee")


def read_charter(value: object) -> JsonObject | None:
    """Return a charter as it is; None if the value is not one."""
    charter = as_object(value)
    steps = as_list(charter.get("steps"))
    is_valid = (
        charter.get("v") == "1"
        and as_integer(charter.get("version"), -1) >= 0
        and all(isinstance(charter.get(name), str) for name in _CHARTER_TEXTS)
        and is_amount(charter.get("total"))
        and 1 <= len(steps) <= 60
        and all(map(_is_step, steps))
    )
    return charter if is_valid else None


def _is_step(value: object) -> bool:
    step = as_object(value)
    outputs = as_list(step.get("outputs"))
    return (
        as_integer(step.get("step")) > 0
        and all(isinstance(step.get(name), str) for name in _STEP_TEXTS)
        and is_amount(step.get("amount"))
        and step.get("mode") in ("sync", "async")
        and len(as_texts(outputs)) == len(outputs) > 0
        and as_integer(step.get("parent", 1)) > 0
        and isinstance(step.get("room_id", ""), str)
    )


def charter_hash(charter: JsonObject) -> str:
    """Return `0x` and the SHA-256 of the canonical charter. Members sign it.

    :raises CanonicalError: if the charter has no canonical form
    """
    return f"0x{sha256_hex(canonical_bytes(charter))}"


def has_hash(charter: JsonObject, expected: object) -> bool:
    """Return whether a charter has this hash."""
    try:
        return charter_hash(charter) == expected
    except (CanonicalError, TypeError):
        return False


def find_step(charter: JsonObject | None, number: int) -> JsonObject | None:
    """Return the charter's step with this number."""
    steps = charter["steps"] if charter else []
    return next((step for step in steps if step["step"] == number), None)


def own_steps(charter: JsonObject, did: str) -> list[JsonObject]:
    """Return the steps of an agent."""
    return [step for step in charter["steps"] if step["sender_id"] == did]


def steps_of_room(charter: JsonObject, room_id: str) -> list[JsonObject]:
    """Return the steps of one room, without canceled ones."""
    goal_room = charter["room_id"]
    return [
        step
        for step in charter["steps"]
        if step.get("room_id", goal_room) == room_id and not step.get("canceled")
    ]


def lead_of_room(charter: JsonObject, room_id: str) -> str | None:
    """Return the DID of a room's lead: the principal, or the parent step's agent."""
    if room_id == charter["room_id"]:
        principal: str = charter["principal_id"]
        return principal
    for step in charter["steps"]:
        if step.get("room_id") == room_id:
            parent = find_step(charter, as_integer(step.get("parent")))
            return parent["sender_id"] if parent else None
    return None


def keeps_own_steps(before: JsonObject, after: JsonObject, did: str) -> bool:
    """Return whether all steps of an agent are unchanged in the next charter."""

    def text(charter: JsonObject) -> str:
        steps = own_steps(charter, did)
        return canonicalize([step for step in steps if not step.get("canceled")])

    return text(before) == text(after)


def may_hire(charter: JsonObject, step: JsonObject, did: str) -> bool:
    """Return whether the agent of a step can hire another for it.

    An agent cannot hire itself, nor an agent that leads a room above.
    """
    leads = {step["sender_id"], charter["principal_id"]}
    seen: list[JsonObject] = []
    above = find_step(charter, as_integer(step.get("parent")))
    while above is not None and above not in seen:
        seen.append(above)
        leads.add(above["sender_id"])
        above = find_step(charter, as_integer(above.get("parent")))
    return did not in leads


def hire_into(
    charter: JsonObject,
    *,
    step: int,
    room_id: str,
    version: int,
    hired: Sequence[tuple[JsonObject, Sequence[int]]],
) -> JsonObject:
    """Return the next version of a charter, in which `step` pays these steps.

    :param hired: the fields of each step, and the indexes (from 0) of those before it
    :raises ValueError: if the step pays less than they cost
    """
    cost = sum(int(fields["amount"]) for fields, _ in hired)
    first = len(charter["steps"]) + 1
    steps = []
    for own in charter["steps"]:
        left = int(own["amount"]) - cost
        if own["step"] == step and left < 0:
            raise ValueError(f"The team costs {cost}. The step pays {own['amount']}.")
        steps.append({**own, "amount": str(left)} if own["step"] == step else own)
    for index, (fields, after) in enumerate(hired):
        numbers = {"step": first + index, "parent": step, "room_id": room_id}
        depends_on = [first + place for place in after]
        steps.append({**fields, **numbers, "depends_on": depends_on})
    return {**charter, "version": version, "steps": steps}

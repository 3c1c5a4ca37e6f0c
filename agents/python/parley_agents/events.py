"""Delivered messages as typed events.

An event about money or work counts only from its authorized sender: the server in the
inbox, and the room's lead for an assignment to this agent.
"""

from __future__ import annotations

from dataclasses import dataclass

from .charters import has_hash, read_charter
from .wire import (
    JsonObject,
    as_integer,
    as_list,
    as_object,
    as_text,
    as_texts,
    find_data,
    first_data,
    is_artifact_ref,
    read_task_inputs,
)


@dataclass(frozen=True)
class RoomMessage:
    """Event `message`: any message of any room, in the order of its room."""

    envelope: JsonObject
    #: `kind` of the first data part; empty without one.
    kind: str
    is_from_server: bool
    #: Whether it is in this agent's inbox, where only the server writes.
    is_inbox: bool


@dataclass(frozen=True)
class GoalAnnouncement:
    """Event `offer`: a goal that this agent may claim as its planner."""

    offer: JsonObject


@dataclass(frozen=True)
class TeamInvitation:
    """Event `invite`: a charter in which this agent has steps."""

    goal_id: str
    room_id: str
    charter: JsonObject
    charter_hash: str
    #: DID of the sub-team's lead; None if the team is the goal's own.
    hired_by: str | None


@dataclass(frozen=True)
class TaskAssignment:
    """Event `task`: a task for this agent."""

    room_id: str
    task_id: str
    #: Number of the charter's step.
    step: int
    skill_id: str
    mode: str
    inputs: list[JsonObject]
    #: The lead's instructions in plain text.
    task_desc: str
    #: DID of the lead that assigned it.
    sender: str


@dataclass(frozen=True)
class Payout:
    """Event `payout`. `amount`: base units. `tx`: hash of the transaction."""

    goal_id: str
    room_id: str
    task_ids: list[str]
    amount: str
    asset: str
    tx: str


@dataclass(frozen=True)
class Receipt:
    """Event `receipt`: the evaluator's signed receipt. Keep it until the payout."""

    data: JsonObject


@dataclass(frozen=True)
class FeedbackRequest:
    """Event `feedback`: the server asks for a rating. `of`: DID of the agent."""

    goal_id: str
    task_id: str
    agent_id: str
    of: str


@dataclass(frozen=True)
class GoalClosed:
    """Event `closed`: a goal has ended. `outcome`: its final state, as `paid`."""

    goal_id: str
    room_id: str
    outcome: str


@dataclass(frozen=True)
class EntryNews:
    """Event `entry`: news of an own entry in a contest.

    `state`: `chosen` or `declined`; empty after a check. `passed`: the verdict of the
    check; None after a decision.
    """

    goal_id: str
    entry_id: str
    state: str
    passed: bool | None
    reasons: list[str]


@dataclass(frozen=True)
class CallRequest:
    """Event `call`: a direct call, paid if answered before `lease_until`."""

    call_id: str
    channel_id: str
    skill_id: str
    inputs: list[JsonObject]
    #: Artifact types that the skill returns, in the order of the listing.
    outputs: list[str]
    #: Base units.
    price: str
    lease_until: str


@dataclass(frozen=True)
class CallResult:
    """Event `answer`: the end of a call that this agent made."""

    call_id: str
    channel_id: str
    #: `answered`, `declined` or `expired`.
    state: str
    artifacts: list[JsonObject]
    #: The text of the answer, or why there is none.
    text: str


Event = (
    GoalAnnouncement
    | TeamInvitation
    | TaskAssignment
    | Payout
    | Receipt
    | FeedbackRequest
    | GoalClosed
    | EntryNews
    | CallRequest
    | CallResult
)
_NAMES: dict[type[object], str] = {
    GoalAnnouncement: "offer",
    TeamInvitation: "invite",
    TaskAssignment: "task",
    Payout: "payout",
    Receipt: "receipt",
    FeedbackRequest: "feedback",
    GoalClosed: "closed",
    EntryNews: "entry",
    CallRequest: "call",
    CallResult: "answer",
}


def event_name(event: Event) -> str:
    """Return the name under which a session reports an event."""
    return _NAMES[type(event)]


def to_room_message(envelope: JsonObject, *, server: str, inbox: str) -> RoomMessage:
    """Return a delivered envelope with the facts that a listener filters by."""
    return RoomMessage(
        envelope=envelope,
        kind=as_text(first_data(envelope).get("kind")),
        is_from_server=envelope["sender_id"] == server,
        is_inbox=envelope["room_id"] == inbox,
    )


def parse_event(message: RoomMessage, did: str) -> Event | None:
    """Return the event in a message; None for discussion and for other agents."""
    if not message.is_inbox:
        return _parse_assignment(message.envelope, did)
    if not message.is_from_server:
        return None
    data = first_data(message.envelope)
    return _parse_team_event(message.kind, data) or _parse_call(message.kind, data)


def _texts_in(data: JsonObject, *names: str) -> dict[str, str]:
    return {name: as_text(data.get(name)) for name in names}


def _parse_team_event(kind: str, data: JsonObject) -> Event | None:
    if kind == "goal.offer":
        offer = as_object(data.get("offer"))
        is_offer = all(
            isinstance(offer.get(key), str) for key in ("goal_id", "room_id")
        )
        return GoalAnnouncement(offer) if is_offer else None
    if kind == "team.invite":
        return _parse_invitation(data)
    if kind == "task.receipt":
        return Receipt(data)
    if kind == "payout":
        texts = _texts_in(data, "goal_id", "room_id", "amount", "asset", "tx")
        return Payout(task_ids=as_texts(data.get("task_ids")), **texts)
    if kind == "feedback.invite":
        return FeedbackRequest(
            **_texts_in(data, "goal_id", "task_id", "agent_id", "of")
        )
    if kind == "goal.closed":
        return GoalClosed(**_texts_in(data, "goal_id", "room_id", "outcome"))
    if kind in ("entry.checked", "entry.decided"):
        is_check = kind == "entry.checked"
        reasons = data.get("reasons") if is_check else [data.get("reason")]
        return EntryNews(
            **_texts_in(data, "goal_id", "entry_id"),
            state="" if is_check else as_text(data.get("state")),
            passed=data.get("passed") is True if is_check else None,
            reasons=[reason for reason in as_texts(reasons) if reason],
        )
    return None


def _parse_invitation(data: JsonObject) -> TeamInvitation | None:
    charter = read_charter(data.get("charter"))
    # The agent signs this hash, so it must be the hash of this charter.
    if charter is None or not has_hash(charter, data.get("charter_hash")):
        return None
    return TeamInvitation(
        goal_id=charter["goal_id"],
        # A sub-team's invitation names the room in which to answer.
        room_id=as_text(data.get("room_id")) or charter["room_id"],
        charter=charter,
        charter_hash=data["charter_hash"],
        hired_by=as_text(data.get("hired_by")) or None,
    )


def _parse_call(kind: str, data: JsonObject) -> Event | None:
    ids = _texts_in(data, "call_id", "channel_id")
    if kind == "call.requested":
        return CallRequest(
            **ids,
            **_texts_in(data, "skill_id", "price", "lease_until"),
            inputs=read_task_inputs(data.get("inputs")),
            outputs=as_texts(data.get("outputs")),
        )
    files = list(filter(is_artifact_ref, as_list(data.get("artifacts"))))
    if kind == "call.answered":
        text = as_text(data.get("text"))
        return CallResult(**ids, state="answered", artifacts=files, text=text)
    if kind == "call.ended":
        state = "declined" if data.get("state") == "declined" else "expired"
        reason = as_text(data.get("reason"))
        return CallResult(**ids, state=state, artifacts=files, text=reason)
    return None


def _parse_assignment(envelope: JsonObject, did: str) -> TaskAssignment | None:
    act = envelope["type"]
    data = find_data(envelope, "task")
    is_assignment = act in ("sync_task_assignment", "async_task_assignment")
    if not is_assignment or data is None or did not in envelope.get("to", []):
        return None
    task_id = envelope.get("task_id") or as_text(data.get("task_id"))
    if not task_id:
        return None
    return TaskAssignment(
        room_id=envelope["room_id"],
        task_id=task_id,
        step=as_integer(data.get("step")),
        skill_id=as_text(data.get("skill_id")),
        mode="async" if act == "async_task_assignment" else "sync",
        inputs=read_task_inputs(data.get("inputs")),
        task_desc=as_text(envelope.get("task_desc")),
        sender=envelope["sender_id"],
    )

"""The state of one room, computed from its messages only.

Every member computes the same state. A message changes nothing if its sender has no
right to it, for example a result from another agent than the assignee.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .charters import find_step, lead_of_room, read_charter, steps_of_room
from .wire import (
    JsonObject,
    as_integer,
    as_object,
    as_text,
    as_texts,
    find_data,
    first_data,
    read_task_inputs,
    text_of,
)

#: The statuses of a task that never change again.
ENDED = frozenset({"completed", "failed", "expired", "returned"})
_MAX_TASKS = 1_000
_FOLLOWERS = {
    "discussion": ("discussion", "task_assignment", "conclusion"),
    "task_assignment": ("task_assignment", "execution", "discussion", "conclusion"),
    "execution": ("execution", "task_assignment", "discussion", "conclusion"),
    "conclusion": ("conclusion", "discussion"),
}
_CLOSING = {
    "hold.captured": "captured",
    "hold.voided": "voided",
    "goal.stopped": "stopped",
}


@dataclass(frozen=True)
class TaskView:
    """A task as the messages of its room describe it."""

    task_id: str
    step: int
    skill_id: str
    mode: str
    #: DID of the agent that has the task.
    assignee: str
    inputs: list[JsonObject]
    #: `submitted`, `working`, `completed`, `failed`, `expired` or `returned`.
    status: str = "submitted"
    #: Percent, as reported by the assignee.
    done: float = 0
    artifacts: list[JsonObject] = field(default_factory=list)
    #: The last text of the assignee or the server about the task.
    text: str = ""


@dataclass(frozen=True)
class Conversation:
    """The state of a room up to message `seq`."""

    room_id: str
    #: DID of the server.
    server: str
    seq: int = 0
    #: `discussion`, `task_assignment`, `execution` or `conclusion`.
    state: str = "discussion"
    #: The newest charter proposed, whether accepted or not.
    charter: JsonObject | None = None
    charter_hash: str | None = None
    #: DIDs that accepted this charter.
    accepted: tuple[str, ...] = ()
    #: DIDs that declined this charter, with their reasons.
    declined: tuple[tuple[str, str], ...] = ()
    #: Version and hash of the last charter in force; None before the first.
    recorded: tuple[int, str] | None = None
    #: Version, hash and reason of the last charter that the rail refused.
    withdrawn: tuple[int, str, str] | None = None
    #: By task id.
    tasks: dict[str, TaskView] = field(default_factory=dict)
    #: Outcome of the conclusion: `delivered` or `failed`; None before it.
    concluded: str | None = None
    #: Why the room is closed: `captured`, `voided`, `stopped` or `ended`.
    closed: str | None = None

    @property
    def lead(self) -> str | None:
        """DID of the room's lead by its charter."""
        return lead_of_room(self.charter, self.room_id) if self.charter else None

    @property
    def is_charter_recorded(self) -> bool:
        """Whether the current charter is in force. Only then may tasks be assigned."""
        charter = self.charter
        if charter is None:
            return False
        return self.recorded == (charter["version"], self.charter_hash)

    @property
    def next_charter_version(self) -> int:
        """The version number of the room's next charter."""
        current: int = self.charter["version"] if self.charter else 0
        return 1 + max(current, self.withdrawn[0] if self.withdrawn else 0)

    @property
    def unsigned(self) -> list[str]:
        """DIDs of members who have not accepted. The lead accepts by proposing."""
        steps = steps_of_room(self.charter, self.room_id) if self.charter else []
        members = dict.fromkeys(step["sender_id"] for step in steps)
        settled = {self.lead, *self.accepted}
        return [did for did in members if did not in settled]


def reduce_conversation(before: Conversation, envelope: JsonObject) -> Conversation:
    """Return the state after the next message. One already included changes nothing."""
    seq = as_integer(envelope.get("seq"))
    if envelope["room_id"] != before.room_id or seq <= before.seq:
        return before
    wanted = read_state(envelope["state"])
    state = wanted if wanted in _FOLLOWERS[before.state] else before.state
    now = replace(before, seq=seq, state=state)
    if envelope["sender_id"] == now.server:
        return _reduce_server_message(now, envelope)
    return _reduce_member_message(now, envelope)


def read_state(state: object) -> str:
    """Return a known state of a conversation; `discussion` for any other."""
    return state if isinstance(state, str) and state in _FOLLOWERS else "discussion"


def _reduce_member_message(now: Conversation, envelope: JsonObject) -> Conversation:
    act, sender = envelope["type"], envelope["sender_id"]
    if act == "propose":
        return _reduce_proposal(now, envelope)
    if act == "accept":
        accepted = find_data(envelope, "charter.accept") or {}
        is_current = accepted.get("charter_hash") == now.charter_hash is not None
        return _accept(now, [sender]) if is_current else now
    if act == "decline":
        declined = (*now.declined, (sender, text_of(envelope)))
        return replace(now, declined=declined[-_MAX_TASKS:])
    if act in ("sync_task_assignment", "async_task_assignment"):
        return _reduce_assignment(now, envelope)
    if act in ("task_progress", "task_result", "error"):
        return _reduce_report(now, envelope)
    if act == "conclusion" and sender == now.lead:
        conclusion = find_data(envelope, "conclusion") or {}
        return replace(now, concluded=as_text(conclusion.get("outcome")))
    return now


def _accept(now: Conversation, dids: list[str]) -> Conversation:
    return replace(now, accepted=tuple(dict.fromkeys([*now.accepted, *dids])))


def _reduce_proposal(now: Conversation, envelope: JsonObject) -> Conversation:
    data = find_data(envelope, "charter") or {}
    charter = read_charter(data.get("charter"))
    if charter is None:
        return now
    lead = lead_of_room(charter, now.room_id)
    if lead != envelope["sender_id"] or (now.charter and now.lead != lead):
        return now
    if now.charter is not None:
        # A sub-team may propose another charter with the same version. It has effect
        # only if it becomes the goal's charter.
        is_nested = charter["room_id"] != now.room_id
        lowest = now.charter["version"] + (0 if is_nested else 1)
        if charter["version"] < lowest:
            return now
    proposed = as_text(data.get("charter_hash"))
    return replace(
        now, charter=charter, charter_hash=proposed, accepted=(), declined=()
    )


def _reduce_assignment(now: Conversation, envelope: JsonObject) -> Conversation:
    data = find_data(envelope, "task") or {}
    step = find_step(now.charter, as_integer(data.get("step")))
    task_id = envelope.get("task_id") or as_text(data.get("task_id"))
    is_valid = step and task_id and envelope["sender_id"] == now.lead
    if step is None or not is_valid or task_id in now.tasks:
        return now
    tasks = now.tasks
    if len(tasks) >= _MAX_TASKS:
        tasks = {key: task for key, task in tasks.items() if task.status not in ENDED}
    if len(tasks) >= _MAX_TASKS:
        return now
    task = TaskView(
        task_id=task_id,
        step=step["step"],
        skill_id=step["skill_id"],
        mode="async" if envelope["type"] == "async_task_assignment" else "sync",
        assignee=step["sender_id"],
        inputs=read_task_inputs(data.get("inputs")),
        text=as_text(envelope.get("task_desc")),
    )
    return replace(now, tasks={**tasks, task_id: task})


def _reduce_report(now: Conversation, envelope: JsonObject) -> Conversation:
    """Apply progress, a result or an error to an open task of the sender."""
    task = now.tasks.get(as_text(envelope.get("task_id")))
    if not task or task.assignee != envelope["sender_id"] or task.status in ENDED:
        return now
    act, text = envelope["type"], text_of(envelope)
    if act == "task_result":
        files = [part["artifact"] for part in envelope["parts"] if "artifact" in part]
        task = replace(task, status="completed", done=100, text=text, artifacts=files)
    elif act == "error":
        task = replace(task, status="failed", text=text)
    else:
        done = (find_data(envelope, "progress") or {}).get("done")
        is_number = isinstance(done, (int, float)) and not isinstance(done, bool)
        percent = done if is_number and done is not None else task.done
        task = replace(task, status="working", text=text or task.text, done=percent)
    return _put(now, task)


def _put(now: Conversation, task: TaskView) -> Conversation:
    return replace(now, tasks={**now.tasks, task.task_id: task})


def _reduce_server_message(now: Conversation, envelope: JsonObject) -> Conversation:
    data = first_data(envelope)
    kind = as_text(data.get("kind"))
    reason = as_text(data.get("reason")) or text_of(envelope)
    if kind in _CLOSING:
        return replace(now, closed=_CLOSING[kind])
    if kind == "charter.carried_over":
        is_current = data.get("charter_hash") == now.charter_hash
        return _accept(now, as_texts(data.get("members"))) if is_current else now
    if kind == "charter.amended":
        return _reduce_amendment(now, data)
    if kind == "charter.withdrawn":
        return _reduce_withdrawal(now, data, reason)
    if kind == "charter.recorded":
        version = as_integer(data.get("version"))
        return replace(now, recorded=(version, as_text(data.get("charter_hash"))))
    if kind == "sub_team.ended" and data.get("room_id") == now.room_id:
        return replace(now, closed="ended")
    if kind == "task.expired":
        task = now.tasks.get(as_text(data.get("task_id")))
        is_open = task is not None and task.status not in ENDED
        return _end(now, task, "expired", reason) if is_open else now
    if kind in ("task.returned", "revision.requested"):
        for task_id in as_texts(data.get("task_ids")):
            now = _end(now, now.tasks.get(task_id), "returned", reason)
    return now


def _end(
    now: Conversation, task: TaskView | None, status: str, reason: str
) -> Conversation:
    return _put(now, replace(task, status=status, text=reason)) if task else now


def _reduce_amendment(now: Conversation, data: JsonObject) -> Conversation:
    """A sub-team was hired. The other steps are unchanged, so acceptances hold."""
    charter, before = read_charter(data.get("charter")), now.charter
    if charter is None or before is None or charter["goal_id"] != before["goal_id"]:
        return now
    if charter["version"] <= before["version"]:
        return now
    amended = as_text(data.get("charter_hash"))
    return replace(now, charter=charter, charter_hash=amended)


def _reduce_withdrawal(
    now: Conversation, data: JsonObject, reason: str
) -> Conversation:
    """The rail refused a charter. The one in force is the room's again."""
    refused = as_text(data.get("charter_hash"))
    withdrawn = (as_integer(data.get("version")), refused, reason)
    if refused != now.charter_hash:
        return replace(now, withdrawn=withdrawn)
    in_force = as_object(data.get("in_force"))
    charter: JsonObject | None = read_charter(in_force.get("charter"))
    restored: str | None = as_text(in_force.get("charter_hash"))
    if charter is None or lead_of_room(charter, now.room_id) is None:
        charter = restored = None
    return replace(
        now,
        withdrawn=withdrawn,
        charter=charter,
        charter_hash=restored,
        accepted=(),
        declined=(),
    )

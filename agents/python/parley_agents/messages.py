"""The messages that record commands in a room, before they are signed."""

from __future__ import annotations

from .artifacts import ref_of_upload
from .charters import charter_hash, find_step
from .errors import charter_unknown, step_unknown
from .wire import JsonObject

#: Commands that leave a signed message in a room.
ROOM_COMMANDS = frozenset(
    {
        "team.propose",
        "team.accept",
        "team.decline",
        "team.seal",
        "task.assign",
        "task.progress",
        "task.complete",
        "task.fail",
        "goal.conclude",
        "message.post",
        "plan.propose",
    }
)
#: Those of them whose message depends on the room's charter.
NEEDS_CHARTER = frozenset({"team.seal", "task.assign"})


def build_message(
    command: JsonObject, room_id: str, did: str, state: str, charter: JsonObject | None
) -> JsonObject:
    """Return the content of the message that records a command.

    :param did: the sender
    :param state: the room's current state, which posts and plans keep
    :param charter: the room's charter; only some commands need it
    :raises ProblemError: `session.charter_unknown`, `session.step_unknown`
    """
    kind: str = command["type"]
    if kind == "team.propose":
        return _proposal(command, did)
    if kind == "team.accept":
        accepted = {"kind": "charter.accept", "charter_hash": command["charter_hash"]}
        return _content("discussion", "accept", [{"data": accepted}])
    if kind == "team.decline":
        return _content("discussion", "decline", _text(command.get("reason")))
    if kind == "plan.propose":
        based_on: int = command["based_on"]
        plan = {"kind": "plan.version", "version": based_on + 1, "based_on": based_on}
        return _content(state, "propose", [{"text": command["text"]}, {"data": plan}])
    if kind == "goal.conclude":
        outcome = {"kind": "conclusion", "outcome": command["outcome"]}
        parts = [*command.get("parts", []), {"data": outcome}]
        return _content("conclusion", "conclusion", parts)
    if kind == "message.post":
        names = ("to", "reply_to")
        more = {name: command[name] for name in names if command.get(name)}
        act: str = command.get("act", "discussion")
        return {**_content(state, act, command.get("parts", [])), **more}
    if kind in NEEDS_CHARTER:
        if charter is None:
            raise charter_unknown(room_id)
        return _charter_message(command, room_id, charter)
    return {**_task_report(command), "task_id": command["task_id"]}


def _content(state: str, act: str, parts: list[JsonObject]) -> JsonObject:
    return {"state": state, "type": act, "parts": parts}


def _text(text: str | None) -> list[JsonObject]:
    return [{"text": text}] if text else []


def _proposal(command: JsonObject, did: str) -> JsonObject:
    charter = command["charter"]
    members = list(dict.fromkeys(step["sender_id"] for step in charter["steps"]))
    members = [member for member in members if member != did]
    data = {"kind": "charter", "charter": charter}
    data["charter_hash"] = charter_hash(charter)
    content = _content("discussion", "propose", [{"data": data}])
    return {**content, "to": members, "next_speakers": members}


def _charter_message(
    command: JsonObject, room_id: str, charter: JsonObject
) -> JsonObject:
    if command["type"] == "team.seal":
        seal = {"kind": "charter.seal", "version": charter["version"]}
        seal["charter_hash"] = charter_hash(charter)
        return _content("discussion", "discussion", [{"data": seal}])
    step = find_step(charter, command["step"])
    if step is None:
        raise step_unknown(command["step"], room_id)
    task_id, description = command["task_id"], command.get("task_desc")
    data = {"kind": "task", "task_id": task_id, "step": step["step"]}
    data |= {"skill_id": step["skill_id"], "inputs": command.get("inputs", [])}
    act = f"{step['mode']}_task_assignment"
    return {
        **_content("task_assignment", act, [{"data": data}]),
        **({"task_desc": description} if description else {}),
        "mode": step["mode"],
        "task_id": task_id,
        "to": [step["sender_id"]],
        "next_speakers": [step["sender_id"]],
        "expects": "result",
    }


def _task_report(command: JsonObject) -> JsonObject:
    kind = command["type"]
    if kind == "task.fail":
        return _content("execution", "error", _text(command.get("reason")))
    parts = _text(command.get("text"))
    if kind == "task.complete":
        files = [{"artifact": ref_of_upload(one)} for one in command["artifacts"]]
        return _content("execution", "task_result", parts + files)
    if command.get("done") is not None:
        parts.append({"data": {"kind": "progress", "done": command["done"]}})
    return _content("execution", "task_progress", parts)

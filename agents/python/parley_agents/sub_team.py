"""A sub-team for a task: other agents do parts of it, paid out of its step.

The assignee hires them, and leads them in a separate room.
"""

from __future__ import annotations

from collections.abc import Sequence

from .activity import Activity
from .conversation import TaskView
from .errors import ProblemError, team_failed
from .events import TaskAssignment
from .hiring import Hiring, Room, SubTask
from .ids import new_id
from .session import Session
from .wire import JsonObject

# Messages end a wait early. This is the interval for changes without one, seconds.
_POLL_INTERVAL = 5.0


class SubTaskResult:
    """The delivered result of one hired agent."""

    def __init__(
        self, session: Session, room_id: str, step: JsonObject, task: TaskView
    ) -> None:
        self._session = session
        self._room_id = room_id
        self.agent_id: str = step["agent_id"]
        #: DID of the agent.
        self.did: str = step["sender_id"]
        #: Base units.
        self.amount = int(step["amount"])
        self.text = task.text
        #: References of the files: `sha256`, `name`, `media_type`, `artifact_type`.
        self.artifacts = task.artifacts

    async def read(self, sha256: str | None = None) -> bytes:
        """Download a file, by default the first one.

        :raises ProblemError: `session.artifact_differs`
        """
        wanted = sha256 or self.artifacts[0]["sha256"]
        return await self._session.get_artifact(self._room_id, wanted)


async def lead_sub_team(
    session: Session,
    task: TaskAssignment,
    parts: Sequence[SubTask],
    *,
    patience: float = 30.0,
) -> list[SubTaskResult]:
    """Hire the cheapest agents online for parts of a task, and lead them.

    Open the sub-team's room, and wait until the rail has recorded the charter. Assign
    each part when the parts before it are done. Return all results, in the order of
    `parts`. The cost reduces this agent's own step.

    :param patience: how long members may take to answer, seconds
    :raises ProblemError: `session.team_failed` if a part finds no agent, or fails; the
        task stays with this agent
    """
    room = await _open_room(session, task)
    activity = Activity(session, {task.room_id, room.room_id})
    try:
        state = await session.conversation(room.room_id)
        charter = state.charter
        # After a restart of this process, a team that is hired already continues.
        is_hired = state.is_charter_recorded and _team_steps(charter, room.room_id)
        if charter is None or not is_hired:
            hiring = Hiring(session, activity, task, room, parts, patience)
            charter = await hiring.hire()
        steps = _team_steps(charter, room.room_id)
        return await _Assigning(session, activity, room, parts, steps).run()
    finally:
        activity.close()


async def _open_room(session: Session, task: TaskAssignment) -> Room:
    try:
        opened = await session.send(
            {"type": "sub_team.create", "task_id": task.task_id}
        )
    except ProblemError as error:
        if error.code == "sub_team.refused":
            raise team_failed(str(error)) from error
        raise
    return Room(opened["room_id"], opened["step"], opened["goal_id"])


def _team_steps(charter: JsonObject | None, room_id: str) -> list[JsonObject]:
    steps = charter["steps"] if charter else []
    own = [step for step in steps if step.get("room_id") == room_id]
    return [step for step in own if not step.get("canceled")]


class _Assigning:
    """Assigns each part when the parts before it are done."""

    def __init__(
        self,
        session: Session,
        activity: Activity,
        room: Room,
        parts: Sequence[SubTask],
        steps: Sequence[JsonObject],
    ) -> None:
        self._session = session
        self._activity = activity
        self._room = room
        self._parts = parts
        self._steps = steps
        #: Numbers of steps: the room shows an assignment later than its answer.
        self._assigned: set[int] = set()

    async def run(self) -> list[SubTaskResult]:
        """Return the results when all parts are done."""
        room_id = self._room.room_id
        while True:
            state = await self._session.conversation(room_id)
            current = [self._newest(state.tasks, step) for step in self._steps]
            done = [task for task in current if task and task.status == "completed"]
            if len(done) == len(self._steps):
                pairs = zip(self._steps, done, strict=True)
                return [
                    SubTaskResult(self._session, room_id, step, task)
                    for step, task in pairs
                ]
            for task in current:
                if task and task.status in ("failed", "expired", "returned"):
                    name = f"Step {task.step} ({task.skill_id})"
                    raise team_failed(f"{name}: {task.text}")
            if self._session.is_ended or state.closed:
                raise team_failed("The task has ended.")
            await self._assign_ready(current)
            await self._activity.wait(_POLL_INTERVAL)

    def _newest(self, tasks: dict[str, TaskView], step: JsonObject) -> TaskView | None:
        own = [task for task in tasks.values() if task.step == step["step"]]
        return own[-1] if own else None

    async def _assign_ready(self, current: Sequence[TaskView | None]) -> None:
        for part, step, task in zip(self._parts, self._steps, current, strict=False):
            earlier = [current[index] for index in part.after]
            done = [one for one in earlier if one and one.status == "completed"]
            is_assigned = task is not None or step["step"] in self._assigned
            if is_assigned or len(done) < len(earlier):
                continue
            self._assigned.add(step["step"])
            files = [file for one in done for file in one.artifacts]
            await self._assign(part, step, files)

    async def _assign(
        self, part: SubTask, step: JsonObject, files: Sequence[JsonObject]
    ) -> None:
        inputs = [*part.inputs, *await self._to_inputs(part, step, files)]
        await self._session.assign_task(
            self._room.goal_id,
            new_id("tsk"),
            step["step"],
            inputs,
            part.task_desc or step["title"],
            self._room.room_id,
        )

    async def _to_inputs(
        self, part: SubTask, step: JsonObject, files: Sequence[JsonObject]
    ) -> list[JsonObject]:
        """Files as inputs of the ports with their types. Others are left out."""
        if not files:
            return []
        found = await self._session.discover(skill_id=part.skill_id, limit=100)
        ports: list[JsonObject] = []
        for listing in found["listings"]:
            for skill in listing["skills"]:
                is_own = listing["agent_id"] == step["agent_id"]
                if is_own and skill["id"] == part.skill_id:
                    ports = skill["inputs"]
        inputs = []
        for file in files:
            kind = file["artifact_type"]
            port = next((one for one in ports if one["type"] == kind), None)
            if port:
                inputs.append({"port": port["name"], "type": kind, "artifact": file})
        return inputs

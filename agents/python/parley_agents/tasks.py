"""Does the tasks of an agent: confirms each, renews its lease, delivers its result."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping

from .already_ended_refusals import send_unless_already_ended
from .artifacts import to_result
from .bounded import BoundedDict
from .charters import find_step
from .errors import ProblemError
from .events import RoomMessage, TaskAssignment
from .session import Session
from .skills import SkillHandler, SkillTask, failure_reason, load_inputs, run_handler
from .wire import JsonObject, first_data
from .work import Work

_log = logging.getLogger("parley_agents")
# Messages of the server that end all tasks of a room.
_ENDINGS = frozenset({"goal.stopped", "work.expired", "hold.voided", "sub_team.ended"})


class Tasks:
    """Runs the handler of a skill for each task of a session.

    :param slots: limits how many tasks and calls run at the same time
    :param heartbeat: interval at which leases are renewed, seconds
    """

    def __init__(
        self,
        session: Session,
        skills: Mapping[str, SkillHandler],
        slots: asyncio.Semaphore,
        heartbeat: float,
    ) -> None:
        self._session = session
        self._skills = skills
        self._slots = slots
        self._heartbeat = heartbeat
        #: Ids of finished tasks: one that is delivered again is not done again.
        self._finished: BoundedDict[bool] = BoundedDict(10_000)
        self._running: dict[str, Work] = {}
        session.on("message", self._cancel_ended)
        session.on("end", self._cancel_all)
        session.on("task", self._run)

    def _cancel_ended(self, message: RoomMessage) -> None:
        if not message.is_from_server:
            return
        room_id = message.envelope["room_id"]
        expired = message.kind == "task.expired"
        ended = first_data(message.envelope).get("task_id") if expired else None
        for task_id, work in self._running.items():
            if work.room_id != room_id:
                continue
            if message.kind in _ENDINGS or task_id == ended:
                work.cancel()

    def _cancel_all(self, _reason: object) -> None:
        for work in self._running.values():
            work.cancel()

    async def _run(self, task: TaskAssignment) -> None:
        if task.task_id in self._finished or task.task_id in self._running:
            return
        work = self._running[task.task_id] = Work(task.room_id)
        try:
            await work.run(self._do(task, work))
            self._finished[task.task_id] = True
        finally:
            del self._running[task.task_id]

    async def _do(self, task: TaskAssignment, work: Work) -> None:
        session = self._session
        charter = (await session.conversation(task.room_id)).charter
        step = find_step(charter, task.step)
        if step is None or step["sender_id"] != session.did:
            return
        # The first report also asks the server whether the task is this agent's.
        if not await self._report(task, "Begun.", 0):
            return
        renewal = asyncio.get_running_loop().create_task(self._renew(task, work))
        try:
            async with self._slots:
                await self._perform(task, step, work)
        finally:
            renewal.cancel()

    async def _report(
        self, task: TaskAssignment, text: str | None = None, done: int | None = None
    ) -> bool:
        report = self._session.progress_task(task.task_id, text, done, task.room_id)
        return await send_unless_already_ended(report)

    async def _renew(self, task: TaskAssignment, work: Work) -> None:
        """Renew the lease. Stop the work if the task is no longer this agent's."""
        while True:
            await asyncio.sleep(self._heartbeat)
            is_own = True
            with contextlib.suppress(ProblemError):
                is_own = await self._report(task)
            if not is_own:
                work.cancel()
                return

    async def _perform(
        self, task: TaskAssignment, step: JsonObject, work: Work
    ) -> None:
        session, ids = self._session, (task.task_id, task.room_id)
        try:
            outcome = to_result(await self._call(task, step), step["outputs"][0])
            sending = session.complete_task(
                ids[0], outcome.artifacts, outcome.text, ids[1]
            )
            await send_unless_already_ended(sending)
        except (Exception, asyncio.CancelledError) as error:
            # The end of the session fails no task: the server assigns it again.
            if session.is_ended or work.is_canceled:
                raise
            _log.warning("Task %s failed.", ids[0], exc_info=error)
            reason = failure_reason(error)
            await send_unless_already_ended(session.fail_task(ids[0], reason, ids[1]))

    async def _call(self, task: TaskAssignment, step: JsonObject) -> object:
        session, room_id = self._session, task.room_id
        handler = find_handler(self._skills, task.skill_id)
        inputs = await load_inputs(
            task.inputs, lambda sha256: session.get_artifact(room_id, sha256)
        )
        return await run_handler(handler, SkillTask(inputs, session, task, step))


def find_handler(skills: Mapping[str, SkillHandler], skill_id: str) -> SkillHandler:
    """Return the handler of a skill.

    :raises LookupError: if the agent has no such skill
    """
    handler = skills.get(skill_id)
    if handler is None:
        raise LookupError(f"This agent has no skill {skill_id}.")
    return handler

"""Answers direct calls with the same handlers as tasks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from .already_ended_refusals import send_unless_already_ended
from .artifacts import to_result
from .events import CallRequest, RoomMessage
from .session import Session
from .skills import SkillHandler, SkillTask, failure_reason, load_inputs, run_handler
from .tasks import find_handler
from .wire import as_text, first_data
from .work import Work

_log = logging.getLogger("parley_agents")


class Calls:
    """Answers calls until the session ends.

    A call whose handler raises is declined with the reason, and not paid.
    """

    def __init__(
        self,
        session: Session,
        skills: Mapping[str, SkillHandler],
        slots: asyncio.Semaphore,
    ) -> None:
        self._session = session
        self._skills = skills
        self._slots = slots
        self._running: dict[str, Work] = {}
        session.on("message", self._cancel_ended)
        session.on("end", self._cancel_all)
        session.on("call", self._run)

    def _cancel_ended(self, message: RoomMessage) -> None:
        is_end = message.is_from_server and message.kind == "call.ended"
        call_id = as_text(first_data(message.envelope).get("call_id"))
        if is_end and message.is_inbox and call_id in self._running:
            self._running[call_id].cancel()

    def _cancel_all(self, _reason: object) -> None:
        for work in self._running.values():
            work.cancel()

    async def _run(self, call: CallRequest) -> None:
        if call.call_id in self._running:
            return
        work = self._running[call.call_id] = Work()
        try:
            await work.run(self._do(call, work))
        finally:
            del self._running[call.call_id]

    async def _do(self, call: CallRequest, work: Work) -> None:
        session, ids = self._session, {"call_id": call.call_id}
        async with self._slots:
            # After a crash the call is delivered again, so the server is asked whether
            # it is still open.
            current = await session.send({"type": "call.get", **ids})
            if current["call"]["state"] != "requested":
                return
            try:
                output = call.outputs[0] if call.outputs else None
                outcome = to_result(await self._call(call), output)
                files = [artifact.to_upload() for artifact in outcome.artifacts]
                answer = {"type": "call.answer", **ids, "artifacts": files}
                sending = session.send({**answer, "text": outcome.text})
                await send_unless_already_ended(sending)
            except (Exception, asyncio.CancelledError) as error:
                # The end of the session is no answer: the call is delivered again.
                if session.is_ended or work.is_canceled:
                    raise
                _log.warning("Call %s failed.", call.call_id, exc_info=error)
                decline = {"type": "call.decline", **ids}
                reason = failure_reason(error)
                await send_unless_already_ended(session.send({**decline, "reason": reason}))

    async def _call(self, call: CallRequest) -> object:
        session = self._session
        handler = find_handler(self._skills, call.skill_id)
        inputs = await load_inputs(
            call.inputs, lambda sha256: session.get_call_file(call.call_id, sha256)
        )
        return await run_handler(handler, SkillTask(inputs, session, call=call))

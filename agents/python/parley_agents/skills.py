"""What a skill receives, and how it is run."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from .already_ended_refusals import send_unless_already_ended
from .artifacts import SkillResult
from .errors import team_failed
from .events import CallRequest, TaskAssignment
from .hiring import SubTask
from .session import Session
from .sub_team import SubTaskResult, lead_sub_team
from .wire import JsonObject, as_text

T = TypeVar("T")
_IS_TEXT = re.compile(r"^text/|^image/svg|[/+]json\b")
_IS_JSON = re.compile(r"[/+]json\b")


@dataclass(frozen=True)
class SkillInput:
    """One input of a task or call: the content of its file, or its value."""

    #: Name of the skill's input.
    port: str = ""
    #: Artifact type, for example `table.csv`.
    type: str = ""
    #: The text of a text file, or the field `text` of a value; empty otherwise.
    text: str = ""
    #: A value, or the content of a JSON file; None otherwise.
    data: Any = None
    #: Content of the file, or the text as UTF-8.
    bytes: bytes = b""
    #: The file's reference; None for a value.
    artifact: JsonObject | None = None


@dataclass(frozen=True)
class SkillTask:
    """The work that a skill receives: a task of a team, or a direct call."""

    #: By port name.
    inputs: dict[str, SkillInput]
    session: Session
    #: The assignment and its step of the charter; None for a call.
    task: TaskAssignment | None = None
    step: JsonObject | None = None
    #: The call; None for a task of a team.
    call: CallRequest | None = None

    @property
    def input(self) -> SkillInput:
        """The first input, for skills that take one; an empty one without inputs."""
        return next(iter(self.inputs.values()), SkillInput())

    async def progress(self, text: str, done: int | None = None) -> None:
        """Report progress to the room; without effect for a call. `done`: percent.

        The lease is renewed without it, too.
        """
        if self.task is not None:
            ids = {"task_id": self.task.task_id, "room_id": self.task.room_id}
            report = self.session.progress_task(text=text, done=done, **ids)
            await send_unless_already_ended(report)

    async def team(
        self, parts: Sequence[SubTask], *, patience: float = 30.0
    ) -> list[SubTaskResult]:
        """Hire other agents for parts of this task, and return their results in order.

        They are paid out of this task's step.

        :param patience: how long members may take to answer, seconds
        :raises ProblemError: `session.team_failed`; always for a call
        """
        if self.task is None:
            raise team_failed("A call has no step to pay a team from.")
        return await lead_sub_team(self.session, self.task, parts, patience=patience)

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """In a handler without `async`: run `progress` or `team` and return its result.

        :raises RuntimeError: in an async handler, which uses `await`
        """
        loop = _loops.get(threading.get_ident())
        if loop is None:
            work.close()
            raise RuntimeError("Use await in an async handler.")
        return asyncio.run_coroutine_threadsafe(work, loop).result()


#: Does one task or call. An error that it raises fails the task; the room sees the
#: message of the error.
SkillHandler = Callable[[SkillTask], SkillResult | Awaitable[SkillResult]]

# The event loop of each thread that runs a handler.
_loops: dict[int, asyncio.AbstractEventLoop] = {}


async def run_handler(handler: SkillHandler, task: SkillTask) -> object:
    """Run a handler: an async one on the event loop, any other in a thread."""
    if inspect.iscoroutinefunction(handler):
        return await handler(task)
    result = await _run_in_thread(lambda: handler(task))
    return await result if inspect.isawaitable(result) else result


async def _run_in_thread(work: Callable[[], object]) -> object:
    """Run a function in a thread that does not keep the process alive."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[object] = loop.create_future()

    def settle(result: object, error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)

    def report(result: object, error: BaseException | None) -> None:
        try:
            loop.call_soon_threadsafe(settle, result, error)
        except RuntimeError:
            # The event loop has ended, so no one waits for the result.
            pass

    def run() -> None:
        _loops[threading.get_ident()] = loop
        try:
            report(work(), None)
        except Exception as error:
            report(None, error)
        finally:
            del _loops[threading.get_ident()]

    threading.Thread(target=run, name="parley-skill", daemon=True).start()
    return await done


async def load_inputs(
    inputs: Sequence[JsonObject], fetch: Callable[[str], Awaitable[bytes]]
) -> dict[str, SkillInput]:
    """Download the files of all inputs. The ports keep their order.

    :param fetch: downloads a file by its SHA-256, verified
    :raises ValueError: if a file with a JSON media type is not JSON
    """
    loaded = await asyncio.gather(*(_load(item, fetch) for item in inputs))
    return {item.port: item for item in loaded}


async def _load(
    item: JsonObject, fetch: Callable[[str], Awaitable[bytes]]
) -> SkillInput:
    port, kind, artifact = item["port"], item["type"], item.get("artifact")
    if artifact is None:
        data = item.get("data") or {}
        text = as_text(data.get("text"))
        return SkillInput(port, kind, text, data, text.encode())
    content = await fetch(artifact["sha256"])
    media_type = artifact["media_type"]
    is_text = _IS_TEXT.search(media_type) is not None
    text = content.decode(errors="replace") if is_text else ""
    value = None
    if _IS_JSON.search(media_type):
        value = _parse_json(text, artifact["name"])
    return SkillInput(port, kind, text, value, content, artifact)


def _parse_json(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise ValueError(
            f"The input {name} has a JSON media type, but its content is not JSON."
        ) from None


def failure_reason(error: BaseException) -> str:
    """Return the error's message, at most 1,000 UTF-16 units."""
    text = str(error) or f"The skill failed: {type(error).__name__}."
    if isinstance(error, KeyError):
        text = f"The key {text} is missing."
    return text.encode("utf-16-le", "replace")[:2_000].decode("utf-16-le", "ignore")

"""Expected failures of this library. Any other error that it raises is a bug."""

from __future__ import annotations

from .wire import JsonObject, as_object, as_text


class ProblemError(Exception):
    """The server refused a command, or this library refused it before sending.

    Branch on `code` and `retry`. Codes `session.*` come from this library.
    """

    def __init__(self, problem: JsonObject) -> None:
        detail, hint = as_text(problem.get("detail")), as_text(problem.get("hint"))
        super().__init__(f"{detail} {hint}" if hint else detail)
        self.problem = problem

    @property
    def code(self) -> str:
        """For example `task.wrong_state` of the server, or `session.closed`."""
        return as_text(self.problem.get("code"))

    @property
    def retry(self) -> str:
        """Whether the same command may succeed: `later`, `after_change` or `never`."""
        return as_text(self.problem.get("retry"))

    @property
    def facts(self) -> JsonObject:
        """The values that disagree, by name; empty if there are none."""
        return as_object(self.problem.get("facts"))


def local_problem(code: str, retry: str, detail: str, **facts: object) -> ProblemError:
    """Return a failure of this library. It never travels on the wire."""
    title = code.replace(".", ": ").replace("_", " ")
    problem: JsonObject = {"type": f"/problems/{code}", "title": title, "status": 0}
    problem |= {"detail": detail, "code": code, "retry": retry}
    return ProblemError({**problem, "facts": facts} if facts else problem)


def session_closed() -> ProblemError:
    """`session.closed`: a call after `close()`."""
    return local_problem(
        "session.closed", "never", "The session is closed. Open a new one."
    )


def session_fenced() -> ProblemError:
    """`session.fenced`: another process connected with the same key."""
    return local_problem(
        "session.fenced",
        "never",
        "A newer connection with the same key replaced this session. "
        "Run one process per key.",
    )


def session_busy(waiting: int) -> ProblemError:
    """`session.busy`: too many commands or bytes wait for an answer."""
    return local_problem(
        "session.busy",
        "later",
        f"{waiting} commands wait for an answer. Wait until some are answered.",
        waiting=waiting,
    )


def frame_too_large(size: int, allowed: int) -> ProblemError:
    """`session.frame_too_large`: nothing was sent. Sizes in bytes."""
    return local_problem(
        "session.frame_too_large",
        "after_change",
        f"The command has {size} bytes. The maximum of a frame is {allowed}. "
        "Shorten it.",
        bytes=size,
        allowed=allowed,
    )


def server_changed(expected: str, actual: str) -> ProblemError:
    """`session.server_changed`: the server has another key than expected."""
    return local_problem(
        "session.server_changed",
        "never",
        f"The server identifies as {actual}, not as {expected}. Check its address.",
        expected=expected,
        actual=actual,
    )


def room_unknown(subject: str) -> ProblemError:
    """`session.room_unknown`: the session cannot infer the room of a command."""
    return local_problem(
        "session.room_unknown",
        "after_change",
        f"This session does not know the room of {subject}. Pass its room_id.",
        subject=subject,
    )


def charter_unknown(room_id: str) -> ProblemError:
    """`session.charter_unknown`: the command needs a charter, and there is none."""
    return local_problem(
        "session.charter_unknown",
        "later",
        f"Room {room_id} has no charter yet. Wait for one.",
        room_id=room_id,
    )


def step_unknown(step: int, room_id: str) -> ProblemError:
    """`session.step_unknown`: the charter has no step with this number."""
    return local_problem(
        "session.step_unknown",
        "after_change",
        f"The charter of room {room_id} has no step {step}. Use one of its steps.",
        step=step,
        room_id=room_id,
    )


def replay_stalled(room_id: str, seq: int) -> ProblemError:
    """`session.replay_stalled`: a replay got no next message within 30 s."""
    return local_problem(
        "session.replay_stalled",
        "later",
        f"The server did not send message {seq} of room {room_id}. "
        "Check that this agent is still a member.",
        room_id=room_id,
        seq=seq,
    )


def artifact_differs(expected: str, actual: str) -> ProblemError:
    """`session.artifact_differs`: a file does not have the requested SHA-256."""
    return local_problem(
        "session.artifact_differs",
        "never",
        f"The server sent a file with hash {actual} instead of {expected}. "
        "Do not use the file.",
        expected=expected,
        actual=actual,
    )


def signature_invalid(room_id: str, seq: int) -> ProblemError:
    """`envelope.signature_invalid`: reported, not raised. The message is skipped."""
    return local_problem(
        "envelope.signature_invalid",
        "never",
        f"The signature of message {seq} in room {room_id} is invalid. "
        "The message was skipped.",
        room_id=room_id,
        seq=seq,
    )


def message_unreadable(room_id: str, seq: int, reason: str) -> ProblemError:
    """`session.message_unreadable`: reported, not raised. The message is skipped."""
    return local_problem(
        "session.message_unreadable",
        "never",
        f"Message {seq} of room {room_id} is not a valid envelope: {reason}",
        room_id=room_id,
        seq=seq,
    )


def message_quarantined(room_id: str, seq: int) -> ProblemError:
    """`session.message_quarantined`: a dead letter, which may be delivered later."""
    return local_problem(
        "session.message_quarantined",
        "later",
        f"The server cannot deliver message {seq} of room {room_id} now. "
        "Its placeholder was skipped.",
        room_id=room_id,
        seq=seq,
    )


def channel_misquoted(channel_id: str) -> ProblemError:
    """`session.channel_misquoted`: the quote names other terms. Nothing was signed."""
    return local_problem(
        "session.channel_misquoted",
        "never",
        "The server asked to sign other terms than the requested channel. "
        "Nothing was signed.",
        channel_id=channel_id,
    )


def channel_not_open(channel_id: str, state: str) -> ProblemError:
    """`session.channel_not_open`: the deposit failed, or the channel closed."""
    return local_problem(
        "session.channel_not_open",
        "after_change",
        f"The channel did not open. Its state is {state}. "
        "Check that the balance of the wallet covers the deposit.",
        channel_id=channel_id,
        state=state,
    )


def team_failed(reason: str) -> ProblemError:
    """`session.team_failed`: a sub-team was not formed, or did not do its part."""
    return local_problem("session.team_failed", "after_change", reason)

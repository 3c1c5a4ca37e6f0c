"""What a session remembers of rooms, to write the messages of its commands."""

from __future__ import annotations

from .bounded import BoundedDict
from .conversation import read_state
from .errors import room_unknown
from .events import Event, GoalAnnouncement, TaskAssignment, TeamInvitation
from .ids import new_message_id
from .keys import Signer
from .messages import build_message
from .signatures import sign_envelope
from .traces import Traces
from .wire import JsonObject, as_text


class RoomMemory:
    """The room of each goal and task, and state and trace of each room; bounded."""

    def __init__(self) -> None:
        self.traces = Traces()
        #: Room id by goal id and by task id.
        self._room_ids: BoundedDict[str] = BoundedDict(20_000)
        #: State of the last message, by room id.
        self._states: BoundedDict[str] = BoundedDict(10_000)

    def record(self, envelope: JsonObject, event: Event | None) -> None:
        """Remember what a received message says of its room."""
        self.traces.record(envelope)
        self._states[envelope["room_id"]] = read_state(envelope["state"])
        if isinstance(event, GoalAnnouncement):
            self._room_ids[event.offer["goal_id"]] = event.offer["room_id"]
        elif isinstance(event, TeamInvitation):
            self._room_ids[event.goal_id] = event.room_id
        elif isinstance(event, TaskAssignment):
            self._room_ids[event.task_id] = event.room_id

    def room_of(self, command: JsonObject, room_id: str | None) -> str:
        """Return the room of a command.

        :raises ProblemError: `session.room_unknown`
        """
        names = ("task_id", "goal_id", "room_id")
        subject: str = next(command[name] for name in names if name in command)
        goal = self._room_ids.get(as_text(command.get("goal_id")))
        known = self._room_ids.get(subject) or goal
        found = room_id or as_text(command.get("room_id")) or known
        if not found:
            raise room_unknown(subject)
        self._room_ids[subject] = found
        return found

    def sign_message(
        self,
        signer: Signer,
        did: str,
        command: JsonObject,
        room_id: str,
        charter: JsonObject | None,
        fields: JsonObject,
    ) -> JsonObject:
        """Return the signed message that records a command in its room.

        :param fields: replace those of the message, for example `next_speakers`
        :raises ProblemError: `session.charter_unknown`, `session.step_unknown`
        """
        state = self._states.get(room_id) or "discussion"
        content = build_message(command, room_id, did, state, charter)
        draft = {
            "id": new_message_id(),
            "room_id": room_id,
            "sender_id": did,
            **content,
        }
        trace = self.traces.find(room_id)
        if trace is not None:
            draft["traceparent"] = trace
        return sign_envelope(signer, {**draft, **fields})

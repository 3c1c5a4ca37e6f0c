"""The last trace of each room and goal, so that the agent's work there continues it."""

from __future__ import annotations

from .bounded import BoundedDict
from .wire import JsonObject, as_object


class Traces:
    """W3C traceparents of the last 10,000 rooms and goals."""

    def __init__(self) -> None:
        self._traces: BoundedDict[str] = BoundedDict(10_000)

    def record(self, envelope: JsonObject) -> None:
        """Remember the trace of a message, for its room and the goal that it names."""
        trace = envelope.get("traceparent")
        if not isinstance(trace, str):
            return
        self._traces[envelope["room_id"]] = trace
        for part in envelope["parts"]:
            data = as_object(part.get("data"))
            for subject in (data, as_object(data.get("offer"))):
                for name in ("goal_id", "room_id"):
                    if isinstance(subject.get(name), str):
                        self._traces[subject[name]] = trace

    def find(self, subject: str | None) -> str | None:
        """Return the trace of a room or goal, if one is known."""
        return None if subject is None else self._traces.get(subject)

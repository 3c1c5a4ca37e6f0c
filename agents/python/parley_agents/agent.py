"""The high-level agent: a handler for each skill.

It accepts teams that pay its prices, does its tasks, renews their leases, uploads the
results, answers direct calls, and reports the reason if a task fails.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from .backoff import Backoff
from .calls import Calls
from .connect import open_session
from .emitter import Listener
from .invitations import InvitationPolicy, Invitations, accept_listed_price
from .keys import Signer, is_seed, seed_from_token
from .seed_file import load_or_create_seed
from .session import Session
from .skills import SkillHandler
from .tasks import Tasks

H = TypeVar("H", bound=SkillHandler)
L = TypeVar("L", bound=Listener)


class Agent:
    """An agent with one key, its skills and its listeners.

    :param url: address of the hub; several name hubs of one market, and any is used
    :param token: the token of the listing, needed on the first connection only
    :param seed: the key: 64 hex digits, or the path of a key file, which is created if
        it does not exist. Without it, the key is derived from the token, and the issuer
        of the token could derive the same key.
    :param server: DID of the server, if it is known; any other one is refused
    :param invitation_policy: decides on teams; default: `accept_listed_price`
    :param concurrency: tasks and calls done at the same time; others wait, with their
        leases renewed
    :param heartbeat: interval at which leases are renewed, seconds; a lease has 60 s
    :raises ValueError: without a seed and a token, or if the key file is malformed
    """

    def __init__(
        self,
        url: str | Sequence[str],
        token: str | None = None,
        seed: str | os.PathLike[str] | None = None,
        *,
        server: str | None = None,
        invitation_policy: InvitationPolicy = accept_listed_price,
        concurrency: int = 4,
        heartbeat: float = 20.0,
        backoff: Backoff | None = None,
    ) -> None:
        self._url = url
        self._token = token
        self._signer = Signer(_read_seed(token, seed))
        self._server = server
        self._policy = invitation_policy
        self._concurrency = concurrency
        self._heartbeat = heartbeat
        self._backoff = backoff
        self._skills: dict[str, SkillHandler] = {}
        self._listeners: list[tuple[str, Listener]] = []

    @property
    def did(self) -> str:
        """DID of the agent's key."""
        return self._signer.did

    def skill(self, skill_id: str) -> Callable[[H], H]:
        """Register the decorated function as the handler of a skill of the listing.

        The function receives a `SkillTask`. If it is not async, it runs in a thread.
        It returns a text, bytes, one or several `Artifact`, or a text for each type.
        If it raises, the task fails, and the room sees the message of the error.
        """

        def register(handler: H) -> H:
            self._skills[skill_id] = handler
            return handler

        return register

    def on(self, name: str) -> Callable[[L], L]:
        """Register the decorated function as a listener, for example of `payout`."""

        def register(listener: L) -> L:
            self._listeners.append((name, listener))
            return listener

        return register

    async def start(self) -> Session:
        """Connect and serve in the background. Return after the first connection.

        :raises ProblemError: the server's refusal
        """
        session = self._open()
        try:
            await session.connected()
        except asyncio.CancelledError:
            session.close()
            raise
        return session

    async def serve(self) -> None:
        """Connect and serve until the session ends. To end it, cancel the call.

        :raises ProblemError: why the session ended: a refusal, or `session.fenced`
        """
        await self._serve(self._open())

    def run(self) -> None:
        """Connect and serve until SIGINT or SIGTERM. A second signal ends the process.

        A task that is not finished is not failed: it is assigned again, or continues if
        the agent starts again within its lease of 60 s.

        :raises ProblemError: why the session ended: a refusal, or `session.fenced`
        """
        asyncio.run(self._run())

    async def _run(self) -> None:
        session = self._open()
        with _closed_by_signals(session):
            await self._serve(session)

    async def _serve(self, session: Session) -> None:
        try:
            reason = await session.wait_ended()
        except asyncio.CancelledError:
            session.close()
            await session.wait_ended()
            raise
        if reason.code != "session.closed":
            raise reason

    def _open(self) -> Session:
        session = open_session(
            self._url,
            self._signer,
            token=self._token,
            server=self._server,
            backoff=self._backoff,
        )
        for name, listener in self._listeners:
            session.on(name, listener)
        slots = asyncio.Semaphore(self._concurrency)
        Invitations(session, self._skills, self._policy)
        Tasks(session, self._skills, slots, self._heartbeat)
        Calls(session, self._skills, slots)
        return session


def _read_seed(token: str | None, seed: str | os.PathLike[str] | None) -> str:
    if seed is None:
        if not token:
            raise ValueError(
                "An agent needs a seed or a token. Publish a listing first."
            )
        return seed_from_token(token)
    if isinstance(seed, str) and is_seed(seed):
        return seed
    return load_or_create_seed(seed)


@contextlib.contextmanager
def _closed_by_signals(session: Session) -> Iterator[None]:
    """Close the session on the first SIGINT or SIGTERM."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)

    def restore() -> None:
        for number in numbers:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.remove_signal_handler(number)

    def close() -> None:
        restore()
        session.close()

    # The loop's own handlers wake it, also if another thread received the signal.
    # Windows has none, and only the main thread receives signals.
    with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
        for number in numbers:
            loop.add_signal_handler(number, close)
    try:
        yield
    finally:
        restore()

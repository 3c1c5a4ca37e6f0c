"""Exponential back-off with full jitter."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Backoff:
    """Waits between attempts, in seconds.

    Full jitter prevents that many agents reconnect at the same moment. `base`: upper
    bound of the first wait. `cap`: upper bound of every wait. `uniform`: in [0, 1).
    """

    base: float = 0.25
    cap: float = 30.0
    uniform: Callable[[], float] = random.random

    def wait(self, attempt: int) -> float:
        """Return a wait between 0 and the bound of this attempt, from 0."""
        return self.uniform() * min(self.cap, self.base * 2.0 ** min(attempt, 30))

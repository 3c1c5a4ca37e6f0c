"""What the tests share: vectors, and waiting for a condition."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parents[3] / "protocol" / "vectors"
TIMEOUT = float(os.environ.get("PARLEY_TEST_TIMEOUT", "60"))


def read_vector(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


async def until(what: str, probe: Callable[[], Any]) -> Any:
    """Return the first truthy value of a probe, at most 60 s later by default."""
    loop = asyncio.get_running_loop()
    end = loop.time() + TIMEOUT
    while loop.time() < end:
        found = probe()
        if found:
            return found
        await asyncio.sleep(0.005)
    raise AssertionError(f"waited {TIMEOUT} s for {what}")

"""Key files."""

from __future__ import annotations

import os
import stat
import tempfile
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

from parley_agents import (
    Agent,
    Signer,
    load_or_create_seed,
    seed_file,
    seed_from_token,
)


class SeedFileTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "keys" / "agent.seed"

    def test_is_created_once_and_readable_by_its_owner_only(self) -> None:
        seed = load_or_create_seed(self.file)
        self.assertRegex(seed, "^[0-9a-f]{64}$")
        self.assertEqual(load_or_create_seed(str(self.file)), seed)
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)
        self.assertEqual(os.listdir(self.file.parent), ["agent.seed"])

    def test_processes_that_start_together_use_one_key(self) -> None:
        together = threading.Barrier(8)

        def write(file: Path) -> None:
            write_seed(file)
            # All have written their seed before the first one is linked.
            together.wait(20)

        write_seed = seed_file._write_seed
        with (
            mock.patch.object(seed_file, "_write_seed", write),
            ThreadPoolExecutor(8) as pool,
        ):
            seeds = set(pool.map(load_or_create_seed, [self.file] * 8))
        self.assertEqual(len(seeds), 1)
        self.assertEqual(os.listdir(self.file.parent), ["agent.seed"])

    def test_another_file_is_refused_and_kept(self) -> None:
        self.file.parent.mkdir()
        self.file.write_text("not a key")
        with self.assertRaisesRegex(ValueError, "is not a key file"):
            load_or_create_seed(self.file)
        self.assertEqual(self.file.read_text(), "not a key")

    def test_an_agent_takes_a_seed_a_file_or_a_token(self) -> None:
        url, seed = "http://localhost:4000", "ab" * 32
        self.assertEqual(Agent(url, seed=seed).did, Signer(seed).did)
        own = Signer(load_or_create_seed(self.file)).did
        self.assertEqual(Agent(url, "token", self.file).did, own)
        derived = Signer(seed_from_token("token")).did
        self.assertEqual(Agent(url, "token").did, derived)
        with self.assertRaisesRegex(ValueError, "needs a seed or a token"):
            Agent(url)


if __name__ == "__main__":
    unittest.main()

"""Key files: an agent's seed, readable by its owner only."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from .keys import is_seed, random_seed


def load_or_create_seed(path: str | os.PathLike[str]) -> str:
    """Return the seed in a file: 64 hex digits. Create the file if it does not exist.

    The new file has mode 0600. It is written under another name and linked, so a crash
    leaves no partial key, and two processes that start together use the same one.

    :raises ValueError: if the file holds anything else than a seed
    :raises OSError: if the file can be neither read nor created
    """
    file = Path(path)
    try:
        return _read_seed(file)
    except FileNotFoundError:
        pass
    file.absolute().parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = file.with_name(f"{file.name}.{os.getpid()}.{secrets.token_hex(4)}.new")
    _write_seed(temporary)
    try:
        os.link(temporary, file)
    except FileExistsError:
        pass
    finally:
        temporary.unlink()
    return _read_seed(file)


def _write_seed(file: Path) -> None:
    descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w") as handle:
        handle.write(f"{random_seed()}\n")
        handle.flush()
        os.fsync(handle.fileno())


def _read_seed(file: Path) -> str:
    seed = file.read_text().strip()
    if not is_seed(seed):
        raise ValueError(f"{file} is not a key file. It must have 64 hex digits.")
    return seed

"""Files: sent as base64, and named by the SHA-256 of their bytes."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .canonical import sha256_hex
from .errors import artifact_differs
from .wire import JsonObject, as_text

_EXTENSIONS = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}


@dataclass(frozen=True)
class Artifact:
    """A file that a skill returns.

    `artifact_type`: the type of the skill's output, for example `table.csv`.
    `content`: bytes, or a text that is encoded as UTF-8; at most 2 MiB.
    """

    name: str
    artifact_type: str
    content: str | bytes
    media_type: str = "text/plain"

    @property
    def data(self) -> bytes:
        """The content as bytes."""
        content = self.content
        return content.encode() if isinstance(content, str) else content

    def to_upload(self) -> JsonObject:
        """Return the file as commands carry it: the content in base64."""
        return {
            "name": self.name,
            "media_type": self.media_type,
            "artifact_type": self.artifact_type,
            "content": base64.b64encode(self.data).decode(),
        }


@dataclass(frozen=True)
class Result:
    """Several files, and a text for the room that comes with them."""

    artifacts: Sequence[Artifact]
    text: str = ""


#: What a skill returns. A text or bytes become a file of the skill's first output type.
#: A mapping has a text or bytes for each output type.
SkillResult = (
    str | bytes | Artifact | Sequence[Artifact] | Mapping[str, str | bytes] | Result
)


def to_result(value: object, first_output: str | None) -> Result:
    """Return the files of what a skill returned.

    :param first_output: artifact type of a text or bytes; `text.plain` if None
    :raises TypeError: if the skill returned anything else
    """
    if isinstance(value, Result):
        return value
    if isinstance(value, Artifact):
        return Result([value])
    if isinstance(value, (str, bytes)):
        return Result([artifact_of(first_output or "text.plain", value)])
    if isinstance(value, Mapping):
        return Result([artifact_of(kind, content) for kind, content in value.items()])
    if isinstance(value, Sequence) and all(isinstance(one, Artifact) for one in value):
        return Result(list(value))
    raise TypeError(
        f"The skill returned {type(value).__name__}. Return a text, bytes, an "
        "Artifact, a list of them, or a text for each output type."
    )


def artifact_of(artifact_type: str, content: str | bytes) -> Artifact:
    """Return a file of this type. The first bytes decide its media type."""
    media_type = "text/plain" if isinstance(content, str) else _sniff(content)
    extension = _EXTENSIONS.get(media_type, "txt")
    name = f"{artifact_type.replace('.', '-')}.{extension}"
    return Artifact(name, artifact_type, content, media_type)


def _sniff(data: bytes) -> str:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return "text/plain"


def ref_of_upload(upload: JsonObject) -> JsonObject:
    """Return the reference by which messages name an uploaded file."""
    data = base64.b64decode(upload["content"])
    names = ("name", "media_type", "artifact_type")
    ref = {name: upload[name] for name in names}
    return {**ref, "sha256": sha256_hex(data), "size": len(data)}


def checked_bytes(content: object, expected: str) -> bytes:
    """Return the bytes of a downloaded file.

    :raises ProblemError: `session.artifact_differs` if they have another hash
    """
    data = base64.b64decode(as_text(content))
    actual = sha256_hex(data)
    if actual != expected:
        raise artifact_differs(expected, actual)
    return data

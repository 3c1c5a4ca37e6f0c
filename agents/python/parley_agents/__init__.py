"""Connects an agent to Parley, a marketplace where agents are hired and paid.

Owns the connection, the signatures, the delivery and the state of rooms. Never decides
what a skill does. Reads the protocol of `protocol/SPEC.md`.
"""

from .agent import Agent
from .artifacts import Artifact, Result, SkillResult
from .backoff import Backoff
from .canonical import CanonicalError, canonical_bytes, canonicalize, parse_strict
from .charters import charter_hash
from .connect import connect, open_session
from .conversation import Conversation, TaskView, reduce_conversation
from .errors import ProblemError
from .events import (
    CallRequest,
    CallResult,
    EntryNews,
    FeedbackRequest,
    GoalAnnouncement,
    GoalClosed,
    Payout,
    Receipt,
    RoomMessage,
    TaskAssignment,
    TeamInvitation,
)
from .hiring import SubTask
from .ids import new_id, new_message_id
from .invitations import InvitationPolicy, accept_listed_price
from .keys import Signer, random_seed, seed_from_token
from .payment_channel import (
    CallAnswer,
    PaymentChannel,
    TypedSigner,
    open_payment_channel,
)
from .seed_file import load_or_create_seed
from .session import Session
from .signatures import sign_envelope, verify_envelope
from .skills import SkillHandler, SkillInput, SkillTask
from .sub_team import SubTaskResult, lead_sub_team
from .transport import Welcome

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Artifact",
    "Backoff",
    "CallAnswer",
    "CallRequest",
    "CallResult",
    "CanonicalError",
    "Conversation",
    "EntryNews",
    "FeedbackRequest",
    "GoalAnnouncement",
    "GoalClosed",
    "InvitationPolicy",
    "PaymentChannel",
    "Payout",
    "ProblemError",
    "Receipt",
    "Result",
    "RoomMessage",
    "Session",
    "Signer",
    "SkillHandler",
    "SkillInput",
    "SkillResult",
    "SkillTask",
    "SubTask",
    "SubTaskResult",
    "TaskAssignment",
    "TaskView",
    "TeamInvitation",
    "TypedSigner",
    "Welcome",
    "accept_listed_price",
    "canonical_bytes",
    "canonicalize",
    "charter_hash",
    "connect",
    "lead_sub_team",
    "load_or_create_seed",
    "new_id",
    "new_message_id",
    "open_payment_channel",
    "open_session",
    "parse_strict",
    "random_seed",
    "reduce_conversation",
    "seed_from_token",
    "sign_envelope",
    "verify_envelope",
]

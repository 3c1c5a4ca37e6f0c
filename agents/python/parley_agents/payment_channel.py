"""Direct calls to another agent, paid by a payment channel.

The deposit is locked once, and each call signs a cumulative voucher. This library has
no Ethereum keys: the caller gives the signers.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Sequence
from typing import Protocol

from .artifacts import Artifact
from .errors import ProblemError, channel_misquoted, channel_not_open
from .events import CallResult
from .ids import new_id
from .session import Session
from .wire import JsonObject

# Interval at which the server is asked for a change on chain, seconds.
_POLL_INTERVAL = 1.0
# Attempts of one call while the server claims the earned amount on chain.
_MAX_CLAIM_ATTEMPTS = 120
_VOUCHER_TYPES = {
    "Voucher": [
        {"name": "channelId", "type": "bytes32"},
        {"name": "maxClaimableAmount", "type": "uint128"},
    ]
}


class TypedSigner(Protocol):
    """A key that signs EIP-712 data."""

    @property
    def address(self) -> str:
        """The address of the key, `0x` and 40 hex digits."""

    def sign_typed_data(self, typed_data: JsonObject) -> str | Awaitable[str]:
        """Return the signature of `{domain, types, primaryType, message}` as `0x…`."""


class CallAnswer:
    """The end of a call: `state` is `answered`, `declined` or `expired`."""

    def __init__(self, session: Session, result: CallResult) -> None:
        self._session = session
        self.call_id = result.call_id
        self.state = result.state
        #: The text of the answer, or why there is none.
        self.text = result.text
        self.artifacts = result.artifacts

    async def read(self, sha256: str | None = None) -> bytes:
        """Download a file of the answer, by default the first one.

        :raises ProblemError: `session.artifact_differs`
        """
        wanted = sha256 or self.artifacts[0]["sha256"]
        return await self._session.get_call_file(self.call_id, wanted)


class PaymentChannel:
    """An open channel to one agent. Calls of one channel must not overlap."""

    def __init__(
        self, session: Session, channel_id: str, authorizer: TypedSigner, at: JsonObject
    ) -> None:
        self._session = session
        self._authorizer = authorizer
        self._domain = {"name": "Parley VoucherChannels", "version": "1", **at}
        self.channel_id = channel_id
        #: Cost of all answered calls, base units.
        self.spent = 0

    async def call(
        self,
        skill_id: str,
        price: int,
        inputs: Sequence[JsonObject] = (),
        files: Sequence[Artifact] = (),
    ) -> CallAnswer:
        """Make one call and return its end. Only an answered call costs money.

        :param price: of the listing, base units
        :raises ProblemError: for example `voucher.invalid` if the price does not fit
        """
        # A voucher is cumulative: it covers all calls so far.
        amount = self.spent + price
        command = {"type": "call.request", "call_id": new_id("cal")}
        command |= {"channel_id": self.channel_id, "skill_id": skill_id}
        asked: JsonObject = {**command, "inputs": list(inputs)}
        asked["attachments"] = [file.to_upload() for file in files]
        asked["max_claimable_amount"] = str(amount)
        asked["signature"] = await self._sign_voucher(amount)
        result = await self._await_end(asked)
        if result.state == "answered":
            self.spent = amount
        return CallAnswer(self._session, result)

    async def close(self) -> None:
        """Pay the earned amount to the agent's publisher, and refund the rest."""
        command = {"type": "channel.close", "channel_id": self.channel_id}
        await self._session.send(command)

    async def _sign_voucher(self, amount: int) -> str:
        message = {"channelId": self.channel_id, "maxClaimableAmount": str(amount)}
        typed: JsonObject = {"domain": self._domain, "types": _VOUCHER_TYPES}
        typed |= {"primaryType": "Voucher", "message": message}
        return await _sign(self._authorizer, typed)

    async def _await_end(self, asked: JsonObject) -> CallResult:
        ended: asyncio.Future[CallResult] = asyncio.get_running_loop().create_future()

        def read_answer(result: CallResult) -> None:
            if result.call_id == asked["call_id"] and not ended.done():
                ended.set_result(result)

        def read_end(error: ProblemError) -> None:
            if not ended.done():
                ended.set_exception(error)

        removers = [
            self._session.on("answer", read_answer),
            self._session.on("end", read_end),
        ]
        try:
            await self._request(asked)
            return await ended
        finally:
            ended.cancel()
            for remove in removers:
                remove()

    async def _request(self, asked: JsonObject) -> None:
        """Send a call. If the server must claim earned money first, wait for that."""
        for attempt in range(_MAX_CLAIM_ATTEMPTS):
            try:
                await self._session.send(asked)
                return
            except ProblemError as error:
                is_waiting = error.code == "channel.exposure_reached"
                if not is_waiting or attempt + 1 == _MAX_CLAIM_ATTEMPTS:
                    raise
            await asyncio.sleep(_POLL_INTERVAL)


async def open_payment_channel(
    session: Session,
    *,
    agent_id: str,
    deposit: int,
    payer: TypedSigner,
    authorizer: TypedSigner,
) -> PaymentChannel:
    """Lock a deposit for calls to one agent. Return when the chain has confirmed it.

    :param deposit: base units
    :param payer: the wallet of this agent's owner; it signs once and needs no gas
    :param authorizer: signs the vouchers; use a key made for this purpose
    :raises ProblemError: `session.channel_misquoted` if the server asks to sign other
        terms, `session.channel_not_open`
    """
    terms = {"agent_id": agent_id, "deposit": str(deposit)}
    terms["authorizer"] = authorizer.address.lower()
    quote = await session.send({"type": "channel.quote", **terms})
    channel_id: str = quote["channel_id"]
    if not _matches_terms(quote, payer.address, terms):
        raise channel_misquoted(channel_id)
    typed = quote["typed_data"]
    opening = {"type": "channel.open", **terms, "salt": quote["config"]["salt"]}
    opening["valid_before"] = quote["valid_before"]
    opening["signature"] = await _sign(payer, typed)
    await _open_on_chain(session, channel_id, opening)
    chain_id, contract = int(typed["domain"]["chainId"]), str(typed["message"]["to"])
    at = {"chainId": chain_id, "verifyingContract": contract}
    return PaymentChannel(session, channel_id, authorizer, at)


def _matches_terms(quote: JsonObject, payer: str, terms: JsonObject) -> bool:
    """Whether the data to sign locks exactly the deposit, from the payer, for it."""
    config, typed = quote["config"], quote["typed_data"]
    message = typed["message"]
    wallet = payer.lower()
    return (
        str(config["payer"]).lower() == wallet == str(message["from"]).lower()
        and str(config["payerAuthorizer"]).lower() == terms["authorizer"]
        and typed["primaryType"] == "ReceiveWithAuthorization"
        and str(message["value"]) == terms["deposit"]
        and message["nonce"] == quote["channel_id"]
    )


async def _open_on_chain(
    session: Session, channel_id: str, opening: JsonObject
) -> None:
    state = (await session.send(opening))["state"]
    # Repeating the command changes nothing and returns the current state.
    while state == "opening":
        await asyncio.sleep(_POLL_INTERVAL)
        state = (await session.send(opening))["state"]
    if state != "open":
        raise channel_not_open(channel_id, state)


async def _sign(signer: TypedSigner, typed_data: JsonObject) -> str:
    signature = signer.sign_typed_data(typed_data)
    return await signature if inspect.isawaitable(signature) else signature

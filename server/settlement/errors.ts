import type { Market } from '../context.ts'
import { DomainError } from '../errors.ts'
import { formatMarketMoney } from '../format-market-money.ts'

export const holdNotFound = (goalId: string) =>
  new DomainError('hold.not_found', 'There is no hold with this id.', {
    hint: 'Check the id of the goal.',
    facts: { goal_id: goalId },
  })

export const holdWrongState = (state: string, action: string) =>
  new DomainError('hold.wrong_state', `The hold is ${state}. It cannot ${action} now.`, { facts: { state, action } })

export const holdWrongRail = (rail: string, expected: string) =>
  new DomainError('hold.wrong_rail', 'The goal was posted with another payment method, which cannot change.', {
    hint: 'Pay with the method of the goal, or post a new goal.',
    facts: { rail, expected },
  })

export const holdTooLate = (workBy: number, now: number) =>
  new DomainError('hold.wrong_state', 'The deadline of the goal has passed, so its hold cannot be funded.', {
    hint: 'Post the goal again with a later deadline.',
    facts: { work_by: workBy, now },
  })

export const holdNotClient = (who: string) =>
  new DomainError('permission.denied', 'Only the client of the goal can decide about this hold.', { facts: { who } })

export const holdSignatureInvalid = (client: string) =>
  new DomainError('hold.signature_invalid', "The signature is not the client's over the terms of this hold.", {
    hint: 'Read the terms again for a new validity, and sign them with the wallet that posted the goal.',
    facts: { client },
  })

export const holdBalanceTooLow = (market: Market, balance: bigint, total: bigint) =>
  new DomainError(
    'hold.insufficient_funds',
    `The wallet has ${formatMarketMoney(market, balance)}, and the hold is ${formatMarketMoney(market, total)}.`,
    {
      hint: 'Add money to the wallet, then sign again.',
      facts: { balance: balance.toString(), total: total.toString() },
    },
  )

export const chainUnavailable = (cause: unknown) =>
  new DomainError('hold.chain_unavailable', 'The settlement chain does not answer, or it refuses the request.', {
    hint: 'Wait. The server continues when the chain answers.',
    cause,
  })

export const amountNotPayable = (sentence: string, amount: bigint) =>
  new DomainError('goal.budget_invalid', sentence, {
    hint: 'Choose another budget, or pay by wallet.',
    facts: { amount: amount.toString() },
  })

export const cardUnavailable = (cause?: unknown) =>
  new DomainError('hold.card_unavailable', 'Stripe does not answer.', {
    hint: 'Repeat the request. Nothing is charged twice.',
    cause,
  })

export const accountNotPerson = (kind: string) =>
  new DomainError('permission.denied', 'A payout account belongs to a person.', { hint: 'Sign in with your wallet.', facts: { kind } })

export const accountNotSigned = (address: string) =>
  new DomainError('payout.signature_invalid', `The signature is not from ${address} over this payout account, or it was used before.`, {
    hint: 'Read the terms again and sign them. A signature is valid once, for at most an hour.',
    facts: { address },
  })

export const webhookEventUnreadable = () =>
  new DomainError('request.malformed', 'The signature of the webhook event is invalid, or the event is too old.', {
    hint: 'Check STRIPE_WEBHOOK_SECRET and the clocks of both sides.',
  })

export const webhookEventWrongMode = (isLive: boolean, expected: boolean) =>
  new DomainError('request.malformed', 'The webhook event is from another Stripe mode than the mode of this market.', {
    hint: 'In each Stripe mode, set the webhook endpoint to the server that has the keys of this mode.',
    facts: { live: isLive, expected },
  })

export const cardsNotSupported = () =>
  new DomainError('hold.card_unavailable', 'This market accepts no cards.', { hint: 'Pay by wallet, or ask an operator.' })

export const automaticPayoutsEnabled = () =>
  new DomainError('hold.card_unavailable', 'Card payments are not available because Stripe pays out the balance on a schedule.', {
    hint: 'Pay by wallet. An operator must set payouts to manual in Stripe’s balance settings.',
  })

export const networkMismatch = (what: string, actual: string, expected: string) =>
  new DomainError('hold.chain_unavailable', `The ${what} of the chain is ${actual}. The database is for ${expected}.`, {
    hint: 'Set CHAIN_RPC_URL and ESCROW_ADDRESS to the chain of the database, or start with an empty database.',
    facts: { what, actual, expected },
  })

export const faucetRefused = () =>
  new DomainError('permission.denied', 'Test money is available only on a local chain, and only after sign-in.', {
    hint: 'Sign in on a chain without value.',
  })

export const faucetTooMuch = (amount: bigint, max: bigint) =>
  new DomainError('request.malformed', 'This is more test money than one request can get.', {
    hint: 'Request at most the amount in max.',
    facts: { amount: amount.toString(), max: max.toString() },
  })

export const disputeNotFound = (id: string) =>
  new DomainError('dispute.not_found', 'There is no dispute with this id.', { hint: 'Check the id.', facts: { id } })

export const disputeWrongState = (state: string, action: string) =>
  new DomainError('dispute.wrong_state', `The dispute is ${state}. It cannot ${action} now.`, { facts: { state, action } })

export const stepNotDisputable = (sentence: string, facts: { readonly [fact: string]: string | number }) =>
  new DomainError('dispute.wrong_state', sentence, { facts })

export const notDisputeParty = (who: string, step: number) =>
  new DomainError('dispute.not_party', 'Only the client and the payee of the step can do this.', {
    hint: 'Sign in with the wallet of the client or of the payee.',
    facts: { who, step },
  })

export const rulerIsParty = (who: string) =>
  new DomainError('permission.denied', 'An operator cannot rule on a goal that pays them or that they pay for.', {
    hint: 'Ask another operator.',
    facts: { who },
  })

export const statementNotSigned = (by: string) =>
  new DomainError('dispute.signature_invalid', 'The signature is not from your wallet over these values.', {
    hint: 'Read the values again, sign them, and send them with the signature.',
    facts: { by },
  })

export const offerNotFound = (id: string) =>
  new DomainError('settlement_offer.not_found', 'There is no offer with this id.', { facts: { id } })

export const offerWrongState = (state: string, action: string) =>
  new DomainError('settlement_offer.wrong_state', `The offer is ${state}. It cannot ${action} now.`, { facts: { state, action } })

export const offerDeadlineInvalid = (deadline: number, now: number, latest: number) =>
  new DomainError('settlement_offer.wrong_state', 'The deadline of the offer is in the past, or after the end of the plan.', {
    hint: 'Choose a deadline from now to latest.',
    facts: { deadline, now, latest },
  })

export const creditEmpty = (account: string) =>
  new DomainError('credit.not_found', 'There is no credit to withdraw.', { facts: { account } })

export const creditNotSigned = (account: string) =>
  new DomainError('credit.signature_invalid', "The signature is not the account's over a withdrawal that is possible now.", {
    hint: 'Read the terms again and sign them. They have a nonce for one withdrawal, and a deadline.',
    facts: { account },
  })

export const creditNotPerson = (kind: string) =>
  new DomainError('permission.denied', 'A credit belongs to a wallet.', { hint: 'Sign in with the wallet.', facts: { kind } })

export const withdrawalInProgress = (account: string, to: string) =>
  new DomainError('credit.not_found', 'A withdrawal of this credit to another address is in progress.', {
    hint: 'Wait until it has ended.',
    facts: { account, to },
  })

export const holdNotExpired = (expiry: number, now: number) =>
  new DomainError('hold.wrong_state', 'The plan has not expired, so its money cannot be reclaimed yet.', {
    hint: 'Wait until its expiry.',
    facts: { expiry, now },
  })

export const channelOnlyAtOrigin = (origin: string) =>
  new DomainError('channel.not_offered', `This agent is listed at ${origin} and accepts direct calls only there.`, {
    hint: `Call it at ${origin}, or invite it into a team here.`,
    facts: { origin },
  })

export const channelsNotOffered = () =>
  new DomainError('channel.not_offered', 'This market has no channels contract, so its agents cannot be called directly.', {
    hint: 'Post a goal, or ask an operator to set CHANNELS_ADDRESS.',
  })

export const channelNotFound = (id: string) =>
  new DomainError('channel.not_found', 'There is no channel with this id.', { facts: { channel_id: id } })

export const channelWrongState = (state: string, action: string) =>
  new DomainError('channel.wrong_state', `The channel is ${state}. It cannot ${action} now.`, { facts: { state, action } })

export const channelReceiverChanged = (receiver: string, payout: string) =>
  new DomainError('channel.wrong_state', 'The payout address of the agent has changed since this channel was opened.', {
    hint: 'Close the channel, which refunds the rest, and open another.',
    facts: { receiver, payout },
  })

export const channelNotClient = (who: string) =>
  new DomainError('permission.denied', 'Only the client who opened this channel can do this.', { facts: { who } })

export const channelNotPublisher = (who: string) =>
  new DomainError('permission.denied', "Only the owner of the channel's agent can claim its earnings.", { facts: { who } })

export const channelNoWallet = (kind: string) =>
  new DomainError('permission.denied', 'A channel needs a wallet that pays.', {
    hint: 'Sign in with a wallet, or connect as an agent whose owner has one.',
    facts: { kind },
  })

export const depositInvalid = (deposit: bigint, min: bigint, max: bigint) =>
  new DomainError('channel.deposit_invalid', 'The deposit is below the minimum or above the maximum of a channel.', {
    hint: 'Choose a deposit from min to max.',
    facts: { deposit: deposit.toString(), min: min.toString(), max: max.toString() },
  })

export const channelNotQuoted = () =>
  new DomainError(
    'channel.signature_invalid',
    "The salt is not from this server's quote for this payer and agent, or the quote is too old.",
    {
      hint: 'Request a quote, and send the salt of its config.',
    },
  )

export const channelNotSigned = (payer: string) =>
  new DomainError('channel.signature_invalid', "The signature is not the payer's over this channel, or it has expired.", {
    hint: 'Request the quote again for a new validity, and sign it.',
    facts: { payer },
  })

export const voucherWrongAmount = (actual: bigint, expected: bigint) =>
  new DomainError('voucher.invalid', 'The amount of the voucher is not the price of all answered calls plus this one.', {
    hint: 'Sign a voucher for the expected amount. The listing has the price, and the channel has the amount earned before.',
    facts: { actual: actual.toString(), expected: expected.toString() },
  })

export const voucherAboveDeposit = (amount: bigint, deposit: bigint) =>
  new DomainError('voucher.invalid', 'The price of the call is higher than the rest of the deposit.', {
    hint: 'Top up the channel, or close it and open one with a larger deposit.',
    facts: { amount: amount.toString(), deposit: deposit.toString() },
  })

export const voucherNotSigned = (authorizer: string) =>
  new DomainError('voucher.invalid', "The signature is not from the channel's authorizer over this voucher.", {
    hint: 'Sign Voucher with the authorizer key of the channel. It is a plain key, not a contract wallet.',
    facts: { authorizer },
  })

export const channelClaimRefused = (channelId: string) =>
  new DomainError('channel.claim_refused', 'The contract refused a claim of this channel, so the channel accepts no calls.', {
    hint: 'Wait until a claim has succeeded, or close the channel and open another.',
    facts: { channel_id: channelId },
  })

export const exposureReached = (exposure: bigint, limit: bigint) =>
  new DomainError('channel.exposure_reached', 'The unclaimed earnings from this payer have reached the limit of the market.', {
    hint: 'A claim is in progress. Repeat the call when it is on chain.',
    facts: { exposure: exposure.toString(), limit: limit.toString() },
  })

export const channelFrozen = (channelId: string) =>
  new DomainError('channel.frozen', 'An event of this channel could not be booked, so the server takes no new action on it.', {
    hint: 'Wait for an operator. At the contract, notice and withdrawal work without the server.',
    facts: { channel_id: channelId },
  })

export const holdFrozen = (goalId: string) =>
  new DomainError('hold.frozen', 'An event of this hold could not be booked, so the server takes no new action on it.', {
    hint: "Wait for an operator. The contract's deadlines end the hold without the server.",
    facts: { goal_id: goalId },
  })

export const creditFrozen = (account: string) =>
  new DomainError('hold.frozen', 'A withdrawal of this credit could not be booked, so the server makes no other.', {
    hint: 'Wait for an operator, or withdraw at the contract.',
    facts: { account },
  })

export const deadLetterNotFound = (id: string) =>
  new DomainError('dead_letter.not_found', 'There are no unbooked events with this id.', { facts: { id } })

export const deadLetterWrongState = (id: string, state: string) =>
  new DomainError('dead_letter.wrong_state', `These events are ${state}, so there is nothing to retry.`, { facts: { id, state } })

export const belowMinClaim = (unclaimed: bigint, min: bigint) =>
  new DomainError('voucher.nothing_earned', 'The unclaimed earnings of this channel are below the minimum for a transaction.', {
    hint: 'Wait. The server claims them above the minimum, or when the channel closes.',
    facts: { unclaimed: unclaimed.toString(), min: min.toString() },
  })

export const callInProgress = (channelId: string) =>
  new DomainError('call.already_open', 'This channel has an open call.', {
    hint: 'Wait until it ends, at most 5 min, or open another channel.',
    facts: { channel_id: channelId },
  })

export const fundingQuotaExceeded = (max: number) =>
  new DomainError('rate.exceeded', `The server has funded ${max} goals of this wallet within a day, which is the maximum.`, {
    hint: 'Repeat the request later, or fund the plan from your own wallet.',
    facts: { max, retry_after_seconds: 3_600 },
  })

export const authorizerConflict = (role: string) =>
  new DomainError('hold.authorizer_invalid', `The session key is also the ${role}, which is not allowed.`, {
    hint: 'Create a new key for each goal.',
    facts: { role },
  })

export const arbitratorMissing = () =>
  new DomainError(
    'hold.no_arbitrator',
    'This market has no arbitrator, so a client cannot stop the payment of a step submitted without work.',
    {
      hint: 'Set `on_silence` to `refund`, or pay by card.',
    },
  )

export const charterNotApprovable = (state: string) =>
  new DomainError('team.wrong_state', `The charter is ${state}, so it cannot be answered.`, {
    hint: 'Read the goal again and answer the newest charter.',
    facts: { state },
  })

export const charterApprovalLate = () =>
  new DomainError('team.wrong_state', 'The deadline of the work has passed, so no charter can be approved.', {
    hint: 'What was not done is refunded. Post the goal again with a later deadline.',
  })

export const authorizationInvalid = (what: string) =>
  new DomainError('team.signature_invalid', `The signature is not from the client or its session key over the ${what}.`, {
    hint: 'Read the terms again and sign them with the wallet that posted the goal, or with the session key that its terms name.',
  })

export const charterUnpayable = (sentence: string, facts: { readonly [fact: string]: string | number }) =>
  new DomainError('team.charter_invalid', sentence, { facts })

export const chainInconsistent = (what: string, one: string, other: string) =>
  new DomainError('hold.chain_inconsistent', `Two nodes of the settlement chain give different answers: ${what}.`, {
    hint: 'Correct CHAIN_RPC_URL or CHAIN_RPC_URL_CONFIRMING. No money moves until both nodes agree.',
    facts: { what, one: one.slice(0, 200), other: other.slice(0, 200) },
  })

export const signerUnavailable = (role: string, why: string, cause?: unknown) =>
  new DomainError('hold.signer_unavailable', `The ${role} cannot sign: ${why}.`, {
    hint: 'Check the signer, its policy and its limits. The server retries automatically.',
    facts: { role, why },
    cause,
  })

export const nonceContended = (key: string) =>
  new DomainError('hold.chain_unavailable', 'Other transactions used all nonces that this one was signed for.', {
    hint: 'Wait. The server signs it again in the next round.',
    facts: { key },
  })

export const transactionNotFound = (id: string) =>
  new DomainError('hold.not_found', 'There is no transaction with this id.', { hint: 'Check the id.', facts: { transaction_id: id } })

export const transactionNotCancellable = (state: string) =>
  new DomainError('hold.wrong_state', `The transaction is ${state}. Only one that is signed and not mined can be cancelled.`, {
    hint: 'Leave it. Without a nonce it blocks no other transaction, and a mined one is final.',
    facts: { state },
  })

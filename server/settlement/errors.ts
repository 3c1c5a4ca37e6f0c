import { DomainError } from '../errors.ts'

export const holdNotFound = (goalId: string) =>
  new DomainError('hold.not_found', 'No money was asked for with this id.', { facts: { goal_id: goalId } })

export const holdWrongState = (state: string, action: string) =>
  new DomainError('hold.wrong_state', `The hold is ${state}; it can't ${action} now.`, { facts: { state, action } })

export const holdWrongRail = (rail: string, expected: string) =>
  new DomainError('hold.wrong_rail', 'The money of this goal moves another way, which was chosen when it was posted and stays.', {
    hint: 'Pay as the goal was posted, or post another one.',
    facts: { rail, expected },
  })

export const holdTooLate = (workBy: number, now: number) =>
  new DomainError('hold.wrong_state', 'The deadline of the work has passed, so its money can no longer be set aside.', {
    hint: 'Post the goal again with a later deadline.',
    facts: { work_by: workBy, now },
  })

export const holdNotClient = (who: string) =>
  new DomainError('permission.denied', 'Only the client may decide about this money.', { facts: { who } })

export const holdSignatureInvalid = (client: string) =>
  new DomainError('hold.signature_invalid', "This is not the client's signature over the terms of this hold.", {
    hint: 'Read the terms again, they carry a fresh validity, and sign those with the wallet that posted the goal.',
    facts: { client },
  })

export const holdBalanceTooLow = (balance: bigint, total: bigint) =>
  new DomainError('hold.balance_too_low', 'The wallet holds less than the goal sets aside.', {
    hint: 'Put more into the wallet, then sign again.',
    facts: { balance: balance.toString(), total: total.toString() },
  })

export const chainUnavailable = (cause: unknown) =>
  new DomainError('hold.chain_unavailable', 'The settlement chain does not answer, or refuses what we ask of it.', {
    hint: 'Nothing is lost: what was begun goes on when the chain is back.',
    cause,
  })

export const amountNotPayable = (sentence: string, amount: bigint) =>
  new DomainError('goal.budget_invalid', sentence, {
    hint: 'Choose another budget, or pay by wallet.',
    facts: { amount: amount.toString() },
  })

export const cardUnavailable = (cause?: unknown) =>
  new DomainError('hold.card_unavailable', "Card payments can't be reached just now.", {
    hint: 'Nothing is charged twice: repeat it, what was begun is taken up again.',
    cause,
  })

export const accountNotPerson = (kind: string) =>
  new DomainError('permission.denied', 'A payout account belongs to a person.', { hint: 'Sign in with your wallet.', facts: { kind } })

export const accountNotSigned = (address: string) =>
  new DomainError('payout.signature_invalid', `The signature is not one of ${address} over this payout account, or was used before.`, {
    hint: 'Read the terms again and sign them: a signature counts once, for at most an hour.',
    facts: { address },
  })

export const webhookEventUnreadable = () =>
  new DomainError('request.malformed', 'The notice does not carry the signature that was agreed with its sender, or is too old.', {
    hint: 'Check STRIPE_WEBHOOK_SECRET and the clocks of both sides.',
  })

export const webhookEventWrongMode = (isLive: boolean, expected: boolean) =>
  new DomainError('request.malformed', 'The notice is about the other mode than this market works in.', {
    hint: "Point the endpoint of each of Stripe's modes to the server that has its keys.",
    facts: { live: isLive, expected },
  })

export const cardsNotSupported = () =>
  new DomainError('hold.card_unavailable', 'This market takes no cards.', { hint: 'Pay by wallet, or ask its operator.' })

export const automaticPayoutsEnabled = () =>
  new DomainError('hold.card_unavailable', 'Card payments are not set up: Stripe pays the balance out on a schedule.', {
    hint: 'Pay by wallet. Operators: set payouts to manual in Stripe’s balance settings.',
  })

export const networkMismatch = (what: string, actual: string, expected: string) =>
  new DomainError('hold.chain_unavailable', `The chain is not the one these rows speak of: its ${what} is another.`, {
    hint: 'Point CHAIN_RPC_URL and ESCROW_ADDRESS to the chain that the database was used with, or start with an empty database.',
    facts: { what, actual, expected },
  })

export const faucetRefused = () =>
  new DomainError('permission.denied', 'Test money is given on a local chain only, and to who has signed in.', {
    hint: 'Sign in on a chain without value.',
  })

export const faucetTooMuch = (amount: bigint, max: bigint) =>
  new DomainError('request.malformed', 'This is more test money than is given at once.', {
    facts: { amount: amount.toString(), max: max.toString() },
  })

export const disputeNotFound = (id: string) => new DomainError('dispute.not_found', 'There is no dispute with this id.', { facts: { id } })

export const disputeWrongState = (state: string, action: string) =>
  new DomainError('dispute.wrong_state', `The dispute is ${state}; it can't ${action} now.`, { facts: { state, action } })

export const stepNotDisputable = (sentence: string, facts: { readonly [fact: string]: string | number }) =>
  new DomainError('dispute.wrong_state', sentence, { facts })

export const notDisputeParty = (who: string, step: number) =>
  new DomainError('dispute.not_party', "Only the client and the step's payee have a word in this.", {
    hint: 'Sign in with the wallet that pays, or the one that the step is paid to.',
    facts: { who, step },
  })

export const rulerIsParty = (who: string) =>
  new DomainError('permission.denied', 'Nobody rules on a goal that is paid by, or pays, themselves.', {
    hint: 'Ask another operator.',
    facts: { who },
  })

export const statementNotSigned = (by: string) =>
  new DomainError('dispute.signature_invalid', 'This is not the signature of the acting wallet over exactly these values.', {
    hint: 'Read what is to be signed again, sign that, and send the same values with it.',
    facts: { by },
  })

export const offerNotFound = (id: string) => new DomainError('offer.not_found', 'There is no offer with this id.', { facts: { id } })

export const offerWrongState = (state: string, action: string) =>
  new DomainError('offer.wrong_state', `The offer is ${state}; it can't ${action} now.`, { facts: { state, action } })

export const offerDeadlineInvalid = (deadline: number, now: number, latest: number) =>
  new DomainError('offer.wrong_state', 'An offer ends later than now, and not after the plan.', { facts: { deadline, now, latest } })

export const creditEmpty = (account: string) =>
  new DomainError('credit.not_found', 'There is no credit to withdraw.', { facts: { account } })

export const creditNotSigned = (account: string) =>
  new DomainError('credit.signature_invalid', "This is not the account's signature over a withdrawal that can be made now.", {
    hint: 'Read what is to be signed again: it carries a number that every withdrawal uses up, and a deadline.',
    facts: { account },
  })

export const creditNotPerson = (kind: string) =>
  new DomainError('permission.denied', 'A credit belongs to a wallet.', { hint: 'Sign in with the wallet.', facts: { kind } })

export const withdrawalInProgress = (account: string, to: string) =>
  new DomainError('credit.not_found', 'The credit is on its way to somebody else already.', {
    hint: 'Wait until that withdrawal has ended.',
    facts: { account, to },
  })

export const holdNotExpired = (expiry: number, now: number) =>
  new DomainError('hold.wrong_state', 'The plan has not expired yet; until then nobody can send its money back.', {
    facts: { expiry, now },
  })

export const channelOnlyAtOrigin = (origin: string) =>
  new DomainError('channel.not_offered', `This agent is listed at ${origin}, and is asked directly there only.`, {
    hint: `Ask it at ${origin}, or let a team here invite it.`,
    facts: { origin },
  })

export const channelsNotOffered = () =>
  new DomainError('channel.not_offered', 'Agents of this market are not asked directly: it has no contract to pay them by the call.', {
    hint: 'Post a goal, or ask its operator to set CHANNELS_ADDRESS.',
  })

export const channelNotFound = (id: string) =>
  new DomainError('channel.not_found', 'There is no channel with this id.', { facts: { channel_id: id } })

export const channelWrongState = (state: string, action: string) =>
  new DomainError('channel.wrong_state', `The channel is ${state}; it can't ${action} now.`, { facts: { state, action } })

export const channelReceiverChanged = (receiver: string, payout: string) =>
  new DomainError('channel.wrong_state', 'The agent is paid to another address since this channel was opened.', {
    hint: 'Close the channel, which gives the rest back, and open another.',
    facts: { receiver, payout },
  })

export const channelNotClient = (who: string) =>
  new DomainError('permission.denied', 'Only who has opened this channel may do this.', { facts: { who } })

export const channelNotPublisher = (who: string) =>
  new DomainError('permission.denied', "Only the owner of the channel's agent may claim what it has earned.", { facts: { who } })

export const channelNoWallet = (kind: string) =>
  new DomainError('permission.denied', 'A channel is paid from a wallet.', {
    hint: 'Sign in with a wallet, or connect as an agent whose owner has one.',
    facts: { kind },
  })

export const depositInvalid = (deposit: bigint, min: bigint, max: bigint) =>
  new DomainError('channel.deposit_invalid', 'The deposit is less than a channel is worth opening for, or more than one may hold.', {
    facts: { deposit: deposit.toString(), least: min.toString(), most: max.toString() },
  })

export const channelNotQuoted = () =>
  new DomainError(
    'channel.signature_invalid',
    "The salt is not of this server's quote for this payer and agent, or the quote is too old.",
    {
      hint: 'Ask for a quote, and send the salt of its config.',
    },
  )

export const channelNotSigned = (payer: string) =>
  new DomainError('channel.signature_invalid', "This is not the payer's signature over this channel, or its time is up.", {
    hint: 'Ask for the quote again, it carries a fresh validity, and sign exactly that.',
    facts: { payer },
  })

export const voucherWrongAmount = (actual: bigint, expected: bigint) =>
  new DomainError('voucher.invalid', 'The voucher is not for what all answered calls and this one cost.', {
    hint: 'Sign one for the amount that is expected. The listing says the price, the channel what was earned before.',
    facts: { actual: actual.toString(), expected: expected.toString() },
  })

export const voucherAboveDeposit = (amount: bigint, deposit: bigint) =>
  new DomainError('voucher.invalid', 'The call would cost more than the channel still holds.', {
    hint: 'Close the channel, which gives the rest back, and open one with more.',
    facts: { amount: amount.toString(), deposit: deposit.toString() },
  })

export const voucherNotSigned = (authorizer: string) =>
  new DomainError('voucher.invalid', "This is not the signature of the channel's authorizer over this voucher.", {
    hint: 'Sign Voucher with the key that the channel was opened with: an ordinary key, not a contract wallet.',
    facts: { authorizer },
  })

export const channelClaimRefused = (channelId: string) =>
  new DomainError('channel.claim_refused', 'The contract refused a claim of what this channel has earned, so it takes no calls.', {
    hint: 'Wait until a claim has succeeded, or close the channel and open another.',
    facts: { channel_id: channelId },
  })

export const exposureReached = (exposure: bigint, limit: bigint) =>
  new DomainError('channel.exposure_reached', 'More is earned and not yet claimed than the market lets one payer owe.', {
    hint: 'A claim is on its way. Repeat the call when it is on chain.',
    facts: { exposure: exposure.toString(), limit: limit.toString() },
  })

export const channelFrozen = (channelId: string) =>
  new DomainError('channel.frozen', 'An event of this channel could not be booked, so the server takes no new action on it.', {
    hint: 'Wait for an operator. At the contract, notice and withdrawal work without the server.',
    facts: { channel_id: channelId },
  })

export const holdFrozen = (goalId: string) =>
  new DomainError('hold.frozen', 'An event of this money could not be booked, so the server takes no new action on it.', {
    hint: "Wait for an operator. The contract's deadlines end it without the server.",
    facts: { goal_id: goalId },
  })

export const creditFrozen = (account: string) =>
  new DomainError('hold.frozen', 'A withdrawal of this credit could not be booked, so the server makes no other.', {
    hint: 'Wait for an operator, or withdraw at the contract.',
    facts: { account },
  })

export const deadLetterNotFound = (id: string) =>
  new DomainError('deadletter.not_found', 'There are no unbooked events with this id.', { facts: { id } })

export const deadLetterWrongState = (id: string, state: string) =>
  new DomainError('deadletter.wrong_state', `These events are ${state}; nothing remains to be tried.`, { facts: { id, state } })

export const belowMinClaim = (unclaimed: bigint, min: bigint) =>
  new DomainError('voucher.nothing_earned', 'There is not enough in this channel yet to be worth a transaction.', {
    hint: 'What is earned stays earned: it is sent when it comes to more, or when the channel closes.',
    facts: { unclaimed: unclaimed.toString(), least: min.toString() },
  })

export const callInProgress = (channelId: string) =>
  new DomainError('call.one_at_a_time', 'This channel has a call that is not answered yet.', {
    hint: 'Wait for its end, five minutes at most, or open another channel.',
    facts: { channel_id: channelId },
  })

export const fundingQuotaExceeded = (max: number) =>
  new DomainError('rate.exceeded', `This wallet has had ${max} goals funded within a day, and no more are.`, {
    hint: 'Come again later, or fund the plan from your own wallet.',
    facts: { most: max, retry_after_seconds: 3_600 },
  })

export const authorizerConflict = (role: string) =>
  new DomainError('hold.authorizer_invalid', `The session key may not be the ${role}.`, {
    hint: 'Create a fresh key for each goal.',
    facts: { role },
  })

export const charterNotApprovable = (state: string) =>
  new DomainError('team.wrong_state', `The charter is ${state}.`, {
    hint: 'Read the goal again and answer the newest charter.',
    facts: { state },
  })

export const authorizationInvalid = (what: string) =>
  new DomainError('team.signature_invalid', `This is not a signature of the client or its session key over the ${what}.`, {
    hint: 'Read the terms again and sign them with the wallet that posted the goal, or with the session key that its terms name.',
  })

export const charterUnpayable = (sentence: string, facts: { readonly [fact: string]: string | number }) =>
  new DomainError('team.charter_invalid', sentence, { facts })

export const chainInconsistent = (what: string, one: string, other: string) =>
  new DomainError('hold.chain_inconsistent', `Two nodes of the settlement chain tell different things: ${what}.`, {
    hint: 'No money moves until they agree. Find out which of CHAIN_RPC_URL and CHAIN_RPC_URL_2 is wrong.',
    facts: { what, one: one.slice(0, 200), other: other.slice(0, 200) },
  })

export const signerUnavailable = (role: string, why: string, cause?: unknown) =>
  new DomainError('hold.signer_unavailable', `The ${role} cannot sign: ${why}.`, {
    hint: 'Nothing is lost: it is asked for again. Look at the signer, its policy and its limits.',
    facts: { role, why },
    cause,
  })

export const nonceContended = (key: string) =>
  new DomainError('hold.chain_unavailable', 'Other transactions took every nonce that this one was signed for.', {
    hint: 'Nothing is lost: it is signed again in the next round.',
    facts: { key },
  })

export const transactionNotFound = (id: string) =>
  new DomainError('hold.not_found', 'There is no such transaction.', { facts: { transaction_id: id } })

export const transactionNotCancellable = (state: string) =>
  new DomainError('hold.wrong_state', `The transaction is ${state}; only one that was signed and is not mined can be cancelled.`, {
    hint: 'One without a nonce keeps nobody waiting. One that is mined has done what it does.',
    facts: { state },
  })

/** Direct calls to another agent, paid by a payment channel: the deposit is locked once, and each call signs a cumulative voucher. */
import { prefixedId, type TaskInput, uuidv7, voucherTypedData } from '@parley/protocol'
import { type ArtifactFile, toArtifactUpload } from '../artifact.ts'
import { createDeferred } from '../deferred.ts'
import { channelMisquoted, channelNotOpen, ProblemError } from '../errors.ts'
import type { CommandInput, CommandResults, TypedData } from '../messages/commands.ts'
import type { CallResult } from '../messages/message-events.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { fetchCallFile } from './fetch-call-file.ts'

/** Interval at which the server is asked for a change on chain. */
const pollIntervalMs = 1_000
/** Attempts of one call while the server claims the earned amount on chain. */
const maxClaimAttempts = 120

/** A key that signs EIP-712 data; a viem account qualifies. */
export type TypedSigner = { readonly address: string; signTypedData(typedData: never): Promise<string> }

/** An answered call, with the means to download its files. */
export type CallAnswer = CallResult & {
  /** Downloads one of its artifacts. @throws {ProblemError} `session.artifact_differs` */
  read(sha256: string): Promise<Uint8Array>
}

/** One call to a skill of the listed agent. */
export type CallInput = {
  readonly skill_id: string
  /** The price of the listing, base units. */
  readonly price: bigint
  readonly inputs: readonly TaskInput[]
  readonly files?: readonly ArtifactFile[]
}

/** An open channel to one agent. Each answered call raises the signed total. */
export type PaymentChannel = {
  readonly channel_id: string
  /** Cost of all answered calls, base units. */
  readonly spent: bigint
  /**
   * Makes one call and resolves with its end. Calls of one channel must not overlap. A call that is declined or expires costs nothing.
   * @throws {ProblemError} the server's refusal, for example `voucher.invalid` if price or deposit do not fit
   */
  call(input: CallInput): Promise<CallAnswer>
  /** Pays the earned amount to the agent's publisher, and refunds the rest to the payer. */
  close(): Promise<void>
}

/** The terms of a new payment channel: which agent, how much money, and the keys that sign. */
export type ChannelOptions = {
  /** The agent to call. */
  readonly agent_id: string
  /** Base units. */
  readonly deposit: bigint
  /** The wallet of this agent's owner. It signs the deposit once. */
  readonly payer: TypedSigner
  /** Signs the vouchers. The key never leaves this process. */
  readonly authorizer: TypedSigner
}

type Quote = CommandResults['channel.quote']
type State = {
  readonly session: AgentSession
  readonly authorizer: TypedSigner
  readonly channel_id: string
  /** The contract that the vouchers are valid for. */
  readonly contract: { readonly chainId: number; readonly channels: `0x${string}` }
  spent: bigint
}

/**
 * Locks the deposit for calls to one agent. Resolves when the chain has confirmed it.
 * @throws {ProblemError} `session.channel_misquoted` if the server asks to sign other terms, `session.channel_not_open`
 */
export async function openPaymentChannel(session: AgentSession, options: ChannelOptions): Promise<PaymentChannel> {
  const { agent_id, payer, authorizer } = options
  const terms = { agent_id, deposit: options.deposit.toString(), authorizer: authorizer.address.toLowerCase() }
  const quote = await session.send({ type: 'channel.quote', ...terms })
  const { config, typed_data, channel_id } = quote
  if (!matchesTerms(quote, payer.address, terms)) throw channelMisquoted(channel_id)
  const signature = await sign(payer, typed_data)
  await openOnChain(session, channel_id, { ...terms, salt: config.salt, valid_before: quote.valid_before, signature })
  const chainId = Number((typed_data.domain as { chainId?: unknown }).chainId)
  const channels = String(typed_data.message.to) as `0x${string}`
  const state: State = { session, authorizer, channel_id, contract: { chainId, channels }, spent: 0n }
  return {
    channel_id,
    get spent() {
      return state.spent
    },
    call: (input) => callAgent(state, input),
    async close() {
      await session.send({ type: 'channel.close', channel_id })
    },
  }
}

/** Whether the data to sign locks exactly the requested deposit, from the payer, for this channel. */
function matchesTerms(
  { config, typed_data, channel_id }: Quote,
  payer: string,
  terms: { readonly deposit: string; readonly authorizer: string },
): boolean {
  const { from, value, nonce } = typed_data.message
  return (
    [config.payer, from].every((address) => String(address).toLowerCase() === payer.toLowerCase()) &&
    config.payerAuthorizer.toLowerCase() === terms.authorizer &&
    typed_data.primaryType === 'ReceiveWithAuthorization' &&
    String(value) === terms.deposit &&
    nonce === channel_id
  )
}

async function openOnChain(session: AgentSession, channel_id: string, input: CommandInput<'channel.open'>): Promise<void> {
  const command = { type: 'channel.open' as const, ...input }
  let { state } = await session.send(command)
  // Repeating the command changes nothing and returns the current state.
  while (state === 'opening') {
    await delay(pollIntervalMs)
    state = (await session.send(command)).state
  }
  if (state !== 'open') throw channelNotOpen(channel_id, state)
}

async function callAgent(state: State, { skill_id, price, inputs, files = [] }: CallInput): Promise<CallAnswer> {
  const { session, authorizer, channel_id, contract } = state
  // A voucher is cumulative: it covers all calls so far.
  const amount = state.spent + price
  const voucher = voucherTypedData(contract, { channelId: channel_id as `0x${string}`, maxClaimableAmount: amount })
  const call_id = prefixedId('cal', uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10))))
  const end = waitForEnd(session, call_id)
  try {
    await requestCall(session, {
      type: 'call.request',
      call_id,
      channel_id,
      skill_id,
      inputs: [...inputs],
      attachments: files.map(toArtifactUpload),
      max_claimable_amount: amount.toString(),
      signature: await sign(authorizer, voucher),
    })
    const result = await end.promise
    if (result.state === 'answered') state.spent = amount
    return { ...result, read: (hash) => fetchCallFile(session, call_id, hash) }
  } finally {
    end.stop()
  }
}

/** Sends a call. If the server must claim the earned amount first, waits for the claim. @throws {ProblemError} any other refusal */
async function requestCall(session: AgentSession, command: { type: 'call.request' } & CommandInput<'call.request'>): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      await session.send(command)
      return
    } catch (error) {
      const isWaitingForClaim = error instanceof ProblemError && error.code === 'channel.exposure_reached'
      if (!isWaitingForClaim || attempts >= maxClaimAttempts) throw error
      await delay(pollIntervalMs)
    }
  }
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A signer's own type of typed data differs from ours. Both describe the same EIP-712 object. */
function sign(signer: TypedSigner, typedData: TypedData): Promise<string> {
  return signer.signTypedData(typedData as never)
}

function waitForEnd(session: AgentSession, call_id: string): { promise: Promise<CallResult>; stop: () => void } {
  const { promise, resolve, reject } = createDeferred<CallResult>()
  // The promise may reject before anything awaits it.
  promise.catch(() => {})
  const removers = [
    session.on('answer', (result) => {
      if (result.call_id === call_id) resolve(result)
    }),
    session.on('end', reject),
  ]
  return { promise, stop: () => removers.forEach((remove) => void remove()) }
}

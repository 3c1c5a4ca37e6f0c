/** Asking another agent directly: a channel that is opened once, and calls that pay by vouchers signed here. */
import { prefixedId, type TaskInput, uuidv7, voucherTypedData } from '@parley/protocol'
import { fileOf } from '../agent/serve-calls.ts'
import { type ArtifactFile, uploadOf } from '../artifact.ts'
import type { Session } from '../client/client.ts'
import { channelMisquoted, channelNotOpen, ProblemError } from '../errors.ts'
import type { TypedData } from '../messages/commands.ts'
import type { CallEnd } from '../messages/inbox-messages.ts'

/** How long before the server is asked again whether the chain has shown a channel. */
const lookAgainMs = 1_000
/** How often a call is sent again while the server claims what is earned. */
const claimTries = 120

/** A key that signs EIP-712 data; an account of viem's is one as it stands. */
export type TypedSigner = { readonly address: string; signTypedData(typedData: never): Promise<string> }

export type CallAnswer = CallEnd & {
  /** The bytes of one of its files, checked against its hash. */
  read(sha256: string): Promise<Uint8Array>
}
export type Caller = {
  readonly channel_id: string
  /** What answered calls have cost so far, base units. */
  readonly spent: bigint
  /**
   * One question at the listing's price, and its answer: one at a time. What is declined or not answered in time costs nothing.
   * @throws {ProblemError} what the server refused with, `voucher.invalid` where the price or the deposit doesn't fit
   */
  call(question: {
    readonly skill_id: string
    /** Base units. */
    readonly price: bigint
    readonly inputs: readonly TaskInput[]
    readonly files?: readonly ArtifactFile[]
  }): Promise<CallAnswer>
  /** What is earned goes to the agent's publisher, the rest back to the payer. */
  close(): Promise<void>
}

/**
 * Sets `deposit` aside for calls to an agent and waits until the chain has shown it. `payer`: the wallet of this agent's owner,
 * which signs once; `authorizer`: the key that signs vouchers, which never leaves this process.
 * @throws {ProblemError} `session.channel_misquoted` where the server asks to sign anything else
 */
export async function openChannel(
  session: Session,
  options: { readonly agent_id: string; readonly deposit: bigint; readonly payer: TypedSigner; readonly authorizer: TypedSigner },
): Promise<Caller> {
  const { agent_id, payer, authorizer } = options
  const terms = { agent_id, deposit: options.deposit.toString(), authorizer: authorizer.address.toLowerCase() }
  const quote = await session.send({ type: 'channel.quote', ...terms })
  const { config, typed_data, channel_id } = quote
  const { from, to, value, nonce } = typed_data.message
  const isAsked =
    [config.payer, from].every((address) => String(address).toLowerCase() === payer.address.toLowerCase()) &&
    config.payerAuthorizer.toLowerCase() === terms.authorizer &&
    typed_data.primaryType === 'ReceiveWithAuthorization' &&
    String(value) === terms.deposit &&
    nonce === channel_id
  if (!isAsked) throw channelMisquoted(channel_id)
  const signature = await sign(payer, typed_data)
  const open = { type: 'channel.open' as const, ...terms, salt: config.salt, valid_before: quote.valid_before, signature }
  let { state } = await session.send(open)
  // Repeating it changes nothing and says how it stands.
  while (state === 'opening') {
    await new Promise((done) => setTimeout(done, lookAgainMs))
    state = (await session.send(open)).state
  }
  if (state !== 'open') throw channelNotOpen(channel_id, state)

  const at = { chainId: Number((typed_data.domain as { chainId?: unknown }).chainId), channels: String(to) as `0x${string}` }
  let spent = 0n
  return {
    channel_id,
    get spent() {
      return spent
    },
    async call({ skill_id, price, inputs, files = [] }) {
      const amount = spent + price
      const voucher = voucherTypedData(at, { channelId: channel_id as `0x${string}`, maxClaimableAmount: amount })
      const call_id = prefixedId('cal', uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10))))
      const ended = endOf(session, call_id)
      try {
        await request(session, {
          type: 'call.request',
          call_id,
          channel_id,
          skill_id,
          inputs: [...inputs],
          attachments: files.map(uploadOf),
          max_claimable_amount: amount.toString(),
          signature: await sign(authorizer, voucher),
        })
        const end = await ended.promise
        if (end.state === 'answered') spent = amount
        return { ...end, read: (hash) => fileOf(session, call_id, hash) }
      } finally {
        ended.off()
      }
    },
    async close() {
      await session.send({ type: 'channel.close', channel_id })
    },
  }
}

/** Sends a call. Where the server has to claim first, it waits for that claim. @throws {ProblemError} whatever else it refuses with */
async function request(session: Session, command: Parameters<typeof session.send<'call.request'>>[0]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await session.send(command)
      return
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'channel.exposure_reached' || tries >= claimTries) throw error
      await new Promise((done) => setTimeout(done, lookAgainMs))
    }
  }
}

/** The signer's own type of typed data is wider or narrower than ours; what it signs is the same EIP-712 object. */
function sign(signer: TypedSigner, typedData: TypedData): Promise<string> {
  return signer.signTypedData(typedData as never)
}

function endOf(session: Session, call_id: string): { promise: Promise<CallEnd>; off: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<CallEnd>()
  promise.catch(() => {})
  const offs = [
    session.on('answer', (end) => {
      if (end.call_id === call_id) resolve(end)
    }),
    session.on('end', reject),
  ]
  return { promise, off: () => offs.forEach((off) => void off()) }
}

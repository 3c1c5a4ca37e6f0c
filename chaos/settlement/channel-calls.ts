import { randomBytes } from 'node:crypto'
import { prefixedId, uuidv7, voucherTypedData } from '@parley/protocol'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { testUsdcAbi, voucherChannelsAbi } from '../../contracts/abi/index.ts'
import { answerCall, requestCall } from '../../server/calls/index.ts'
import type { Services } from '../../server/compose.ts'
import type { Context } from '../../server/context.ts'
import { publishListing } from '../../server/registry/index.ts'
import { type ChannelQuote, closeChannel, openChannel, quoteChannel } from '../../server/settlement/index.ts'
import { draftOf } from '../../test/server/database-only-world.ts'
import { textUpload } from '../../test/support/goal-fixture.ts'
import { personOf } from './escrow-goals.ts'
import type { Progress } from './payment-progress.ts'
import { sendTransactionAs } from './send-transaction-as.ts'
import type { TestEnvironment } from './test-environment.ts'

type Hex = `0x${string}`
/** A channel and its expected outcome. `isOwn`: its payer has opened it at the contract, before the server knew it. */
export type CallChannel = {
  readonly id: Hex
  readonly quote: ChannelQuote
  readonly signature: Hex
  readonly calls: number
  readonly isOwn: boolean
  /** Answered calls. */
  answered: number
  /** The call in progress, to be repeated unchanged. */
  open: { readonly command: object; readonly callId: string } | null
}
export type ChannelMarket = {
  readonly client: Context
  readonly payer: PrivateKeyAccount
  readonly key: PrivateKeyAccount
  readonly agent: Context
  readonly agentId: string
  readonly receiver: Hex
}

export const callPrice = 2_000_000n
const deposit = 20_000_000n
/** Between the payer's notice and the end of its channel. */
export const noticeSeconds = 86_400
/** Less than the minimum deposit that the server accepts. */
export const oneUnit = 1n

/** A client, and an agent on offer at two USDC a call. */
export async function openChannelMarket(world: Services, system: Context, payer: PrivateKeyAccount): Promise<ChannelMarket> {
  const contextOf = (actor: Context['actor']): Context => ({ ...world.contextFor(actor), ports: system.ports })
  const owner = personOf(system, privateKeyToAccount(generatePrivateKey()))
  const listing = draftOf({ price: callPrice.toString(), inputs: ['text.plain'], outputs: ['text.plain'], payout: owner.address })
  const { agent_id: agentId, did } = await publishListing(contextOf(owner), { type: 'listing.publish', listing })
  const agent = contextOf({ kind: 'agent', did: did as `did:web:${string}`, agentId, ownerDid: owner.did, hasKey: false })
  const client = contextOf(personOf(system, payer))
  return { client, payer, key: privateKeyToAccount(generatePrivateKey()), agent, agentId, receiver: owner.address }
}

/** Quoted and signed, but not submitted. */
export async function quoteCalls({ client, payer, key, agentId }: ChannelMarket, calls: number, isOwn = false): Promise<CallChannel> {
  const terms = { agent_id: agentId, deposit: deposit.toString(), authorizer: key.address.toLowerCase() }
  const quote = await quoteChannel(client, { type: 'channel.quote', ...terms } as never)
  const signature = await payer.signTypedData(quote.typed_data as Parameters<PrivateKeyAccount['signTypedData']>[0])
  return { id: quote.channel_id, quote, signature, calls, isOwn, answered: 0, open: null }
}

/** The payer opens it at the contract, with one unit. */
export const openAtContract = (environment: TestEnvironment, market: ChannelMarket, channel: CallChannel): Promise<boolean> =>
  payAtContract('open', environment, market, channel)

/** The payer adds one unit at the contract. */
export const topUpAtContract = (environment: TestEnvironment, market: ChannelMarket, channel: CallChannel): Promise<boolean> =>
  payAtContract('topUp', environment, market, channel)

async function payAtContract(
  functionName: 'open' | 'topUp',
  environment: TestEnvironment,
  { payer }: ChannelMarket,
  { quote }: CallChannel,
): Promise<boolean> {
  const approval = encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [environment.channels, oneUnit] })
  if (!(await sendTransactionAs(environment, payer.address, environment.token, approval))) return false
  const payment = encodeFunctionData({ abi: voucherChannelsAbi, functionName, args: [quote.config, oneUnit] })
  return (await sendTransactionAs(environment, payer.address, environment.channels, payment)) !== null
}

/**
 * The next actions of clients and agents; a refused one is repeated in the next round. `done`: everything earned is claimed, and the
 * payer has requested the close, so that only the delay is left.
 */
export async function advanceChannels(
  system: Context,
  market: ChannelMarket,
  channels: readonly CallChannel[],
  progress: Progress,
): Promise<{ done: number }> {
  const rows = await system.db.channel.findMany({ where: { id: { in: channels.map((one) => one.id) } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  let done = 0
  for (const channel of channels) {
    const row = byId.get(channel.id)
    if (row && (row.state === 'closed' || (row.withdrawableAt !== null && row.claimed >= row.earned))) {
      progress.paid(channel.id)
      done++
    }
    // A refusal (a claim is in progress, or the channel is frozen) does not delay the others.
    await push(market, channel, row?.state, progress).catch(() => {})
  }
  return { done }
}

async function push(market: ChannelMarket, channel: CallChannel, state: string | undefined, progress: Progress): Promise<void> {
  const { client, agent } = market
  if (state === undefined) await open(market, channel)
  if (channel.open === null && state === 'open' && channel.answered < channel.calls) channel.open = await nextCall(market, channel)
  const { open: call } = channel
  if (call !== null) {
    if (state === 'open') await requestCall(client, call.command as never)
    const answer = { type: 'call.answer', call_id: call.callId, artifacts: [textUpload('HELLO')], text: '' }
    await answerCall(agent, answer as never)
    channel.answered++
    channel.open = null
  }
  if (state !== 'open' || channel.answered < channel.calls) return
  await closeChannel(client, { type: 'channel.close', channel_id: channel.id })
  progress.accept(channel.id)
}

async function open({ client, agentId }: ChannelMarket, { quote, signature }: CallChannel): Promise<void> {
  const { config, valid_before } = quote
  const terms = { agent_id: agentId, deposit: quote.deposit, authorizer: config.payerAuthorizer, salt: config.salt }
  await openChannel(client, { type: 'channel.open', ...terms, valid_before, signature } as never)
}

async function nextCall({ client, key }: ChannelMarket, { id, answered }: CallChannel): Promise<{ command: object; callId: string }> {
  const amount = BigInt(answered + 1) * callPrice
  const { chainId, channels } = client.market
  const at = { chainId, channels: channels ?? '0x' } as const
  const signature = await key.signTypedData(voucherTypedData(at, { channelId: id, maxClaimableAmount: amount }))
  const callId = prefixedId('cal', uuidv7(Date.now(), randomBytes(10)))
  const command = {
    type: 'call.request',
    call_id: callId,
    channel_id: id,
    skill_id: 'text.shout',
    inputs: [{ port: 'p0', type: 'text.plain', data: { text: 'hello' } }],
    attachments: [],
    max_claimable_amount: amount.toString(),
    signature,
  }
  return { command, callId }
}

import { randomBytes } from 'node:crypto'
import { prefixedId, uuidv7, voucherTypedData } from '@parley/protocol'
import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Context } from '../../../server/context.ts'
import { createLog } from '../../../server/log.ts'
import type { EscrowRail } from '../../../server/ports.ts'
import { liveStates } from '../../../server/settlement/chain/transaction.ts'
import { type ChannelQuote, type ChannelView, getChannel, reconcile, runSettlementCycle } from '../../../server/settlement/index.ts'
import { publishTestAgent, type TestAgent, textUpload } from '../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'

export const price = 2_000_000n

export type ChannelWorld = AsyncDisposable & {
  readonly world: TestWorld
  readonly client: TestPerson
  readonly publisher: TestPerson
  readonly agent: TestAgent
  /** The client's voucher key. The server never has it. */
  readonly key: PrivateKeyAccount
  /** Token balance of an address. */
  balance(address: string): Promise<bigint>
}

/** A client, and an agent that costs two USDC per call. No jobs run: tests advance everything explicitly. */
export async function createChannelWorld(): Promise<ChannelWorld> {
  const world = await createWorld({ hub: false, jobs: false })
  const client = await world.person()
  const publisher = await world.person({ usdc: 0n })
  const agent = await publishTestAgent(world, publisher, 'shouter', 'text.shout', ['text.plain'], { inputs: ['text.plain'], price })
  const key = privateKeyToAccount(generatePrivateKey())
  return {
    world,
    client,
    publisher,
    agent,
    key,
    balance: (address) => world.system.ports.rail.balanceOf(address.toLowerCase() as Hex),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

export const newSalt = (): Hex => `0x${randomBytes(32).toString('hex')}`
export const newCallId = () => prefixedId('cal', uuidv7(Date.now(), randomBytes(10)))

export function termsOf(place: ChannelWorld, change: { deposit?: bigint } = {}) {
  const { agent, key } = place
  return {
    agent_id: agent.agentId,
    deposit: (change.deposit ?? 20_000_000n).toString(),
    authorizer: key.address.toLowerCase(),
  }
}

/** Requests a quote and opens the channel that it describes. */
export async function signedTerms(place: ChannelWorld, terms = termsOf(place), signer = place.client) {
  const quote = await signer.send<ChannelQuote>({ type: 'channel.quote', ...terms })
  const typedData = quote.typed_data as Parameters<PrivateKeyAccount['signTypedData']>[0]
  const signature = await signer.account.signTypedData(typedData)
  return {
    quote,
    command: { type: 'channel.open' as const, ...terms, salt: quote.config.salt, valid_before: quote.valid_before, signature },
  }
}

/** A channel opened on chain. */
export async function openedChannel(place: ChannelWorld, deposit?: bigint): Promise<Hex> {
  const { quote, command } = await signedTerms(place, termsOf(place, deposit === undefined ? {} : { deposit }))
  await place.client.send(command)
  await drive(place)
  return quote.channel_id
}

export function voucher(place: ChannelWorld, channelId: Hex, amount: bigint, key = place.key): Promise<Hex> {
  const { chainId, channels } = place.world.world.market
  return key.signTypedData(voucherTypedData({ chainId, channels: channels ?? '0x' }, { channelId, maxClaimableAmount: amount }))
}

type Question = { readonly call_id?: string; readonly amount?: bigint; readonly text?: string; readonly [field: string]: unknown }

/** The command of a call with its voucher. `amount`: of the voucher. */
export async function question(place: ChannelWorld, channelId: Hex, { amount = price, text = 'hello', ...change }: Question = {}) {
  return {
    type: 'call.request' as const,
    call_id: newCallId(),
    channel_id: channelId,
    skill_id: 'text.shout',
    inputs: [{ port: 'in_0', type: 'text.plain', data: { text } }],
    max_claimable_amount: amount.toString(),
    signature: await voucher(place, channelId, amount),
    ...change,
  }
}

/** Makes one answered call; `amount` is the amount earned afterwards. */
export async function answeredCall(place: ChannelWorld, channelId: Hex, amount = price): Promise<string> {
  const command = await question(place, channelId, { amount })
  await place.client.send(command)
  await place.agent.send({ type: 'call.answer', call_id: command.call_id, artifacts: [textUpload('HELLO')] })
  return command.call_id
}

export function channelOf(place: ChannelWorld, id: string): Promise<ChannelView> {
  return getChannel(place.world.system, id)
}

/** Runs cycles, as the job loop does, until nothing is pending. */
export async function drive(place: ChannelWorld, ctx: Context = place.world.system): Promise<void> {
  for (let round = 0; round < 100; round++) {
    await runSettlementCycle(ctx)
    const live = await place.world.system.db.chainTransaction.count({ where: { state: { in: [...liveStates, 'final'] } } })
    if (live === 0) return runSettlementCycle(ctx)
  }
  throw new Error('something is still under way after 100 rounds')
}

/** Runs cycles of a process that crashes at a point: afterwards it neither queries the chain nor continues. */
export async function driveUntilDeath(place: ChannelWorld, point: string): Promise<void> {
  const { system } = place.world
  let isDead = false
  const live = () => {
    if (isDead) throw new Error(`died at ${point}`)
  }
  const onSettlementPoint = async (at: string) => {
    live()
    isDead = at === point
    live()
  }
  const rail = new Proxy(system.ports.rail, {
    get(target, name, receiver) {
      live()
      return Reflect.get(target, name, receiver)
    },
  })
  const dying: Context = { ...system, log: createLog('test', 'silent'), ports: { ...system.ports, rail, onSettlementPoint } }
  for (let round = 0; round < 20 && !isDead; round++) await runSettlementCycle(dying).catch(() => {})
  if (!isDead) throw new Error(`${point} was never reached`)
}

/** Names of the contract's events of a channel, in order, freshly fetched. */
export async function logsOf(place: ChannelWorld, id: string): Promise<string[]> {
  const rail: EscrowRail = place.world.system.ports.rail
  const events = await rail.readEvents(0, (await rail.head()).number)
  return events.filter((event) => event.channelId === id).map((event) => event.name)
}

/** The ledger matches the full chain history in every account. */
export async function booksOf(place: ChannelWorld) {
  const { onlyLedger, onlyChain, differing, heldDiffering, heldInLedger, heldOnChain } = await reconcile(place.world.system)
  return { faults: [...onlyLedger, ...onlyChain, ...differing.map((one) => one.key), ...heldDiffering], heldInLedger, heldOnChain }
}

import { randomBytes } from 'node:crypto'
import { type Charter, charterHash, personDid, randomSeed, signerFromSeed } from '@parley/protocol'
import { type Address, createPublicClient, createWalletClient, defineChain, encodeFunctionData, type Hex, http, parseAbiItem } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { planEscrowAbi, planEscrowBytecode } from '../../../contracts/abi/index.ts'
import { namedTokenAbi, namedTokenBytecode, waywardTokenAbi, waywardTokenBytecode } from '../../../contracts/abi/mocks.ts'
import type { Actor, Context } from '../../../server/context.ts'
import { connectDatabase, inTransaction } from '../../../server/db.ts'
import { callChain } from '../../../server/embedded/chain/anvil.ts'
import { createWalletVerifier } from '../../../server/identity/wallet-verifier.ts'
import { createIds } from '../../../server/ids.ts'
import { createLog } from '../../../server/log.ts'
import { createWebhookClient } from '../../../server/notifications/index.ts'
import type { Depth, EscrowRail } from '../../../server/ports.ts'
import { liveStates } from '../../../server/settlement/chain/transaction.ts'
import { requireEscrowHold } from '../../../server/settlement/holds/hold.ts'
import { escrowCharter, listCharters, loadHold } from '../../../server/settlement/holds/hold-store.ts'
import { scheduleSealing } from '../../../server/settlement/holds/schedule-sealing.ts'
import {
  authorizeHold,
  captureHold,
  createEscrowRail,
  getFundingTerms,
  openHold,
  recordCharter,
  runSettlementCycle,
} from '../../../server/settlement/index.ts'
import { readTokenDomain } from '../../../server/settlement/rails/read-token-domain.ts'
import { startChain, type TestChain } from '../../support/chain.ts'
import { approveCharter, signCharterAs, type UnsignedCharter } from '../../support/charters.ts'
import { createDatabase } from '../../support/database.ts'
import { keySigners } from '../../support/key-signers.ts'
import { nullFileStore } from '../../support/null-file-store.ts'
import { nullSearch } from '../../support/null-search.ts'
import { nullSignals } from '../../support/null-signals.ts'
import { nullWriter } from '../../support/null-writer.ts'
import { testMarket } from '../../support/test-market.ts'
import { mintTestMoney } from '../../support/test-money.ts'

export type MoneyWorld = AsyncDisposable & {
  readonly chain: TestChain
  readonly system: Context
  readonly client: PrivateKeyAccount
  readonly feeTo: Hex
  /** Wallets that can be paid, in lower case. */
  readonly payees: readonly Hex[]
  readonly clock: { now(): Date; advance(ms: number): void }
  as(actor: Actor): Context
  person(account: PrivateKeyAccount): Actor
  /** The same world with another rail that fails intentionally or reports a different chain. */
  over(rail: EscrowRail): Context
  /** Advances the clocks of the server and the chain. */
  warp(seconds: number): Promise<void>
  balance(address: Hex): Promise<bigint>
  /** The token's own log of transfers to and from the escrow. */
  transfers(): Promise<{ from: Hex; to: Hex; value: bigint; tx: Hex }[]>
  /** Waits until the node has mined all broadcast transactions. */
  mined(): Promise<void>
  rpc(method: string, params?: unknown[]): Promise<unknown>
  /** Sends from one of the chain's own accounts and awaits the receipt. */
  send(key: Hex, call: { to: Hex; data: Hex }): Promise<Hex>
}

export const briefHash: Hex = `0x${'b1'.repeat(32)}`
export const conclusionHash: Hex = `0x${'c0'.repeat(32)}`

export type MoneyOptions = {
  readonly usdc?: bigint
  readonly confirmations?: number
  readonly depths?: readonly Depth[]
  readonly replaceAfterMs?: number
  readonly wayward?: boolean
  /** Not the id of a local chain. */
  readonly chainId?: number
  /** The settlement token, if it is not the test token. `toldVersion`: its reported version. */
  readonly token?: NamedTokenOptions
}
export type NamedTokenOptions = {
  readonly name: string
  readonly version: string
  readonly decimals: number
  readonly includesDomain: boolean
  readonly versionAnswer?: string
}

/** The settlement module on a real chain and a real database, without higher modules. */
export async function createMoneyWorld(options: MoneyOptions = {}): Promise<MoneyWorld> {
  const [database, chain] = await Promise.all([
    createDatabase(),
    startChain(options.chainId === undefined ? {} : { chainId: options.chainId }),
  ])
  const db = connectDatabase(database.url, 6)
  let offset = 0
  const advance = (ms: number) => {
    offset += ms
  }
  const clock = { now: () => new Date(Date.now() + offset), advance }
  const [settlerKey = '0x', evaluatorKey = '0x', clientKey = '0x', arbitratorKey = '0x'] = chain.keys
  const definition = defineChain({
    id: chain.chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.rpcUrl] } },
  })
  const reader = createPublicClient({ chain: definition, transport: http(chain.rpcUrl), pollingInterval: 20, cacheTime: 0 })
  const client = privateKeyToAccount(clientKey)
  const usdc = options.usdc ?? 1_000_000_000n

  const own = options.wayward ? await deployWayward() : options.token ? await deployNamed(options.token) : null
  const at = own ?? { token: lower(chain.token), escrow: lower(chain.escrow) }
  if (own === null && usdc > 0n) await mintTestMoney(chain, lower(client.address), usdc)
  const { confirmations = 0, depths = [], replaceAfterMs = 60_000 } = options
  const channels = lower(chain.channels)
  const where = { rpcUrl: chain.rpcUrl, chainId: chain.chainId, channels, ...at }
  const token = options.token ? await readTokenDomain({ rpcUrl: chain.rpcUrl }, { chainId: chain.chainId, token: at.token }) : null
  const node = createEscrowRail({
    ...where,
    ...(token && { tokenDomain: token }),
    signers: keySigners(settlerKey, evaluatorKey, arbitratorKey),
    confirmations,
    depths,
    replaceAfterMs,
  })
  const rail: EscrowRail = {
    ...node,
    // The node responds before it has mined the transaction. Tests must not depend on the delay.
    async broadcast(raw) {
      const answer = await node.broadcast(raw)
      if (await callChain(chain.rpcUrl, 'anvil_getAutomine', [])) await emptied(chain.rpcUrl)
      return answer
    },
  }
  const feeTo = lower(privateKeyToAccount(chain.keys[3] ?? '0x').address)
  const signer = await signerFromSeed(randomSeed())

  function deployer() {
    const wallet = createWalletClient({
      account: privateKeyToAccount(chain.keys[8] ?? '0x'),
      chain: definition,
      transport: http(chain.rpcUrl),
    })
    const made = async (hash: Hex) => lower((await reader.waitForTransactionReceipt({ hash })).contractAddress ?? '0x')
    return { wallet, made }
  }

  async function deployNamed({ name, version, versionAnswer = version, decimals, includesDomain }: NamedTokenOptions) {
    const { wallet, made } = deployer()
    const args = [name, version, versionAnswer, decimals, includesDomain] as const
    const address = await made(await wallet.deployContract({ abi: namedTokenAbi, bytecode: namedTokenBytecode, args }))
    return standOn(address)
  }

  async function deployWayward(): Promise<{ token: Hex; escrow: Hex }> {
    const { wallet, made } = deployer()
    return standOn(await made(await wallet.deployContract({ abi: waywardTokenAbi, bytecode: waywardTokenBytecode })))
  }

  /** Deploys an escrow for the token and funds the client. */
  async function standOn(token: Hex): Promise<{ token: Hex; escrow: Hex }> {
    const { wallet, made } = deployer()
    const escrow = await made(await wallet.deployContract({ abi: planEscrowAbi, bytecode: planEscrowBytecode, args: [[token]] }))
    const minted = await wallet.writeContract({ address: token, abi: waywardTokenAbi, functionName: 'mint', args: [client.address, usdc] })
    await reader.waitForTransactionReceipt({ hash: minted })
    return { token, escrow }
  }

  const system: Context = {
    actor: { kind: 'system', name: 'jobs' },
    db,
    clock,
    ids: createIds(clock),
    log: createLog('test', 'silent'),
    ports: {
      signer,
      rail,
      cards: null,
      screen: { text: () => ({ answer: 'allow' }), file: () => ({ answer: 'allow' }) },
      verifyWallet: createWalletVerifier({ rpcUrl: chain.rpcUrl, chainId: chain.chainId }),
      writer: nullWriter,
      signals: nullSignals,
      search: nullSearch,
      traces: null,
      files: nullFileStore,
      mail: null,
      webhooks: createWebhookClient([]),
    },
    trace: null,
    market: testMarket({
      serverDid: signer.did,
      chainId: chain.chainId,
      asset: `eip155:${chain.chainId}/erc20:${at.token}`,
      symbol: token?.symbol ?? 'USDC',
      decimals: token?.decimals ?? 6,
      ...at,
      channels,
      feeTo,
      evaluator: lower(privateKeyToAccount(evaluatorKey).address),
      arbitrator: lower(privateKeyToAccount(arbitratorKey).address),
      isLocalChain: options.chainId === undefined,
    }),
  }

  return {
    chain,
    system,
    client,
    feeTo,
    payees: [4, 5, 6].map((index) => lower(privateKeyToAccount(chain.keys[index] ?? '0x').address)),
    clock,
    as: (actor) => ({ ...system, actor }),
    person: (account) => ({
      kind: 'person',
      did: personDid(chain.chainId, account.address),
      address: lower(account.address),
      isOperator: false,
    }),
    over: (other) => ({ ...system, ports: { ...system.ports, rail: other } }),
    async warp(seconds) {
      clock.advance(seconds * 1_000)
      await chain.warp(seconds)
    },
    balance: (address) => reader.readContract({ address: at.token, abi: waywardTokenAbi, functionName: 'balanceOf', args: [address] }),
    async transfers() {
      const event = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
      const logs = await reader.getLogs({ address: at.token, event, fromBlock: 0n, strict: true })
      return logs
        .map((log) => ({ from: lower(log.args.from), to: lower(log.args.to), value: log.args.value, tx: log.transactionHash }))
        .filter((one) => one.from === at.escrow || one.to === at.escrow)
    },
    rpc: (method, params) => callChain(chain.rpcUrl, method, params),
    mined: () => emptied(chain.rpcUrl),
    async send(key, call) {
      const wallet = createWalletClient({ account: privateKeyToAccount(key), chain: definition, transport: http(chain.rpcUrl) })
      const hash = await wallet.sendTransaction(call)
      const receipt = await reader.waitForTransactionReceipt({ hash })
      if (receipt.status !== 'success') throw new Error(`${hash} was reverted`)
      return hash
    },
    async [Symbol.asyncDispose]() {
      await db.$disconnect()
      await chain[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Waits until an automatically mining node has mined the transaction. The timeout is one minute. */
async function emptied(rpcUrl: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const { pending } = (await callChain(rpcUrl, 'txpool_status', [])) as { pending: Hex }
    if (Number(pending) === 0) return
    await new Promise((done) => {
      setTimeout(done, 10)
    })
  }
  throw new Error('the node does not mine what it was sent')
}

export function lower(hex: Address): Hex {
  return hex.toLowerCase() as Hex
}

export function newGoalId(): `gol_${string}` {
  return `gol_${randomBytes(16).toString('hex')}`
}

export type OpenOptions = {
  readonly total?: bigint
  readonly workSeconds?: number
  readonly client?: Hex
  readonly authorizer?: Hex
  readonly vetoSeconds?: number
  /** The client funds the charter of `quotedCharter` with the terms. */
  readonly isQuoted?: boolean
}

/** The steps of `handOver`, as the charter of a quoted goal. */
export function quotedCharter(world: MoneyWorld, goalId: string): Charter {
  const [first = '0x', second = '0x'] = world.payees
  const step = (number: number, payee: Hex, amount: string) => ({
    ...{ step: number, title: `Step ${number}`, skill_id: 'text.write', payee, amount, mode: 'async', depends_on: [], inputs: [] },
    ...{ agent_id: `agt_${'0'.repeat(31)}${number}`, sender_id: 'did:web:localhost%3A4000:agents:someone', outputs: ['text.plain'] },
  })
  return {
    ...{ v: '1', goal_id: goalId, room_id: `rom_${goalId.slice(4)}`, version: 0, fee_bps: 250, on_review_timeout: 'pay_if_delivered' },
    ...{ client_id: `did:pkh:eip155:31337:${lower(world.client.address)}`, principal_id: 'did:web:localhost%3A4000:agents:someone' },
    ...{ evaluator_id: lower(world.system.market.evaluator), asset: world.system.market.asset, total: '10250000' },
    steps: [step(1, first, '4000000'), step(2, first, '3000000'), step(3, second, '3000000')],
  } as unknown as Charter
}

/** A hold that waits for the client. By default 10.25 USDC and one hour. */
export async function open(world: MoneyWorld, options: OpenOptions = {}): Promise<`gol_${string}`> {
  const goalId = newGoalId()
  const workBy = Math.floor(world.clock.now().getTime() / 1_000) + (options.workSeconds ?? 3_600)
  await inTransaction(world.system, (tx) =>
    openHold(tx, {
      goalId,
      rail: 'escrow',
      client: options.client ?? lower(world.client.address),
      total: options.total ?? 10_250_000n,
      workBy,
      reviewSeconds: 3_600,
      authorizer: options.authorizer,
      vetoSeconds: options.vetoSeconds,
      briefHash,
      ...(options.isQuoted && { charter: quotedCharter(world, goalId) }),
    }),
  )
  return goalId
}

/** The client's signature over the typed data of `getFundingTerms`. */
export async function sign(world: MoneyWorld, goalId: string, account = world.client): Promise<Hex> {
  const { typedData } = await getFundingTerms(world.system, goalId)
  return account.signTypedData(typedData as Parameters<PrivateKeyAccount['signTypedData']>[0])
}

export async function authorize(world: MoneyWorld, goalId: string): Promise<void> {
  const signature = await sign(world, goalId)
  await authorizeHold(world.as(world.person(world.client)), { type: 'hold.authorize', goal_id: goalId, signature })
}

/** Runs cycles, as the job loop does, until nothing is pending. A node may respond before it has mined. */
export async function drive(world: MoneyWorld, ctx = world.system): Promise<void> {
  for (let round = 0; round < 100; round++) {
    await runSettlementCycle(ctx)
    await world.mined()
    const live = await world.system.db.chainTransaction.count({ where: { state: { in: [...liveStates] } } })
    if (live === 0) return runSettlementCycle(ctx)
  }
  throw new Error('something is still under way after 100 rounds')
}

/** Three steps, 4 + 3 + 3 USDC; the first two of one payee. Approved by the client and due to be sealed. */
export async function handOver(world: MoneyWorld, goalId: string, version = 1, third = world.payees[1]): Promise<Hex> {
  const hash = await signCharter(world, goalId, version, third)
  await approve(world, goalId, version)
  await inTransaction(world.system, (tx) => scheduleSealing(tx, { goalId, version, at: tx.clock.now() }))
  return hash
}

/** The same charter, signed by its payees but not approved yet. */
export async function signCharter(world: MoneyWorld, goalId: string, version = 1, third = world.payees[1]): Promise<Hex> {
  const [first = '0x', second = '0x'] = [world.payees[0], third]
  const hash = await charterHash({ v: '1', goal_id: goalId, version } as never)
  const step = (number: number, payee: Hex, amount: bigint) => ({ step: number, payee, amount, agentId: `agt_${'0'.repeat(31)}${number}` })
  const steps = [step(1, first, 4_000_000n), step(2, first, 3_000_000n), step(3, second, 3_000_000n)]
  const memberSignatures = await signMembers(world, { goalId, version, charterHash: hash, steps })
  await inTransaction(world.system, (tx) => recordCharter(tx, { goalId, version, charterHash: hash, steps, memberSignatures }))
  return hash
}

/** Signatures of all payees; each is one of the chain's own accounts. */
export function signMembers(world: MoneyWorld, charter: UnsignedCharter): Promise<{ signer: Hex; signature: Hex }[]> {
  return signCharterAs(world.system, charter, world.chain.keys)
}

/** The client approves a charter with its wallet. */
export function approve(world: MoneyWorld, goalId: string, version = 1): Promise<void> {
  return approveCharter(world.as(world.person(world.client)), world.client, { goalId, version })
}

/** `disputeBy`: until when the money of the other steps stays, in Unix seconds. */
export async function capture(world: MoneyWorld, goalId: string, bits: bigint, disputeBy: number | null = null): Promise<void> {
  await inTransaction(world.system, (tx) =>
    captureHold(tx, { goalId, bits, conclusionHash, taskIds: { 1: 'tsk_1', 2: 'tsk_2', 3: 'tsk_3' }, disputeBy }),
  )
}

/** A hold that is opened, authorized, funded and sealed. */
export async function sealedGoal(world: MoneyWorld, options: OpenOptions = {}): Promise<`gol_${string}`> {
  const goalId = await open(world, options)
  await authorize(world, goalId)
  await drive(world)
  await handOver(world, goalId)
  await drive(world)
  return goalId
}

/** The first payee submits steps to the escrow itself, under the newest charter. Bit `step - 1` of each. */
export async function submitDirectly(world: MoneyWorld, goalId: string, what: { bits: bigint; outputsHash: Hex }): Promise<void> {
  const { terms, escrow } = requireEscrowHold(await loadHold(world.system, goalId))
  const [charter = null] = await listCharters(world.system, goalId)
  const args = [terms, escrowCharter(charter), what.bits, what.outputsHash, world.payees[0] ?? '0x', '0x'] as const
  await world.send(world.chain.keys[4] ?? '0x', {
    to: escrow,
    data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'submit', args }),
  })
}

/** Types of the outbox events of one goal, in order. */
export async function eventsOf(world: MoneyWorld, goalId: string): Promise<string[]> {
  const rows = await world.system.db.outboxEvent.findMany({ orderBy: { id: 'asc' } })
  return rows.filter((row) => (row.body as { goal_id?: string }).goal_id === goalId).map((row) => row.type)
}

/** Ledger balance of an account. */
export async function ledgerBalance(world: MoneyWorld, account: string): Promise<bigint> {
  const entries = await world.system.db.ledgerEntry.findMany({ where: { account } })
  return entries.reduce((sum, entry) => sum + entry.debit - entry.credit, 0n)
}

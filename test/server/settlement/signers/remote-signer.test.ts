import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hex, parseTransaction, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { safeStyleWalletAbi, safeStyleWalletBytecode, testWalletAbi, testWalletBytecode } from '../../../../contracts/abi/mocks.ts'
import type { ChainSigners } from '../../../../server/ports.ts'
import { listAlarms } from '../../../../server/settlement/alarms/operator-alarms.ts'
import {
  createChainAdapters,
  getHold,
  type KeyLocation,
  listPayouts,
  ruleDispute,
  runSettlementCycle,
} from '../../../../server/settlement/index.ts'
import { createRemoteSigner } from '../../../../server/settlement/signers/remote-signer.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { type SignerProcess, startSigner } from '../../../support/start-signer-process.ts'
import { as, dispute, payoutsOf, stranger } from '../dispute-actions.ts'
import { authorize, capture, createMoneyWorld, drive, handOver, type MoneyWorld, open } from '../money-world.ts'

const chainId = 84_532
let world: MoneyWorld
let signer: SignerProcess
const addressOf = (key: Hex | undefined) => privateKeyToAccount(key ?? '0x').address.toLowerCase() as Hex
const keyOf = (index: number) => world.chain.keys[index] ?? '0x'

beforeAll(async () => {
  world = await createMoneyWorld({ chainId, usdc: 1_000_000_000n })
  const { escrow, channels } = world.system.market
  signer = await startSigner({ chainId, escrow, channels }, [
    { role: 'settler', privateKey: keyOf(0) },
    { role: 'evaluator', privateKey: keyOf(1) },
    { role: 'arbitrator', privateKey: keyOf(3) },
  ])
})
afterAll(async () => {
  await signer?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

const remote = (index: number, wallet?: Hex): KeyLocation => ({
  address: addressOf(keyOf(index)),
  url: signer.url,
  token: signer.token,
  ...(wallet ? { wallet } : {}),
})

/** The server on this chain with its keys at these locations. */
async function opened(keys: { evaluator?: KeyLocation; settler?: KeyLocation; arbitrator?: KeyLocation } = {}) {
  const { escrow, token, channels } = world.system.market
  const { db, log } = world.system
  return createChainAdapters(
    { db: db as never, log },
    {
      rpcUrl: world.chain.rpcUrl,
      chainId,
      isLocal: false,
      escrow,
      token,
      channels,
      confirmations: 0,
      keys: { settler: remote(0), evaluator: remote(1), arbitrator: remote(3), ...keys },
    },
  )
}
function over({ rail, signers }: { rail: MoneyWorld['system']['ports']['rail']; signers: ChainSigners }): MoneyWorld {
  const market = { ...world.system.market, evaluator: signers.evaluator.address, arbitrator: signers.arbitrator?.address ?? zeroAddress }
  const system = { ...world.system, ports: { ...world.system.ports, rail }, market }
  return { ...world, system, as: (actor) => ({ ...system, actor }) }
}
async function settle(of: MoneyWorld): Promise<string> {
  const goalId = await open(of)
  await authorize(of, goalId)
  await drive(of)
  await handOver(of, goalId)
  await drive(of)
  await capture(of, goalId, 0b111n)
  return goalId
}
/** A step of a settled goal is disputed, and an operator awards a quarter to the payee. */
async function expectRuled(of: MoneyWorld): Promise<void> {
  const goalId = await open(of)
  await authorize(of, goalId)
  await drive(of)
  await handOver(of, goalId)
  await drive(of)
  const id = await dispute(of, of.client, goalId, 3)
  await capture(of, goalId, 0b111n)
  await drive(of)
  await drive(of)
  const ruling = { type: 'dispute.rule' as const, dispute_id: id, payee_bps: 2_500, reason: 'A quarter of it is there.' }
  await ruleDispute(as(of, stranger(of), true), ruling)
  await drive(of)
  expect(await payoutsOf(of, goalId)).toEqual([
    ['paid', 4_000_000n],
    ['paid', 3_000_000n],
    ['split', 750_000n],
  ])
  expect(await of.system.db.dispute.findUnique({ where: { id } })).toMatchObject({ state: 'ruled', failure: null })
}
async function expectPaid(goalId: string): Promise<void> {
  expect((await getHold(world.system, goalId)).state).toBe('captured')
  expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['paid', 'paid', 'paid'])
}

describe('createRemoteSigner', () => {
  it('signs all that a goal needs, from funding to settlement, in another process', async () => {
    const of = over(await opened())
    const goalId = await settle(of)
    await drive(of)
    await expectPaid(goalId)
  })

  it('signs a ruling as the arbitrator, in another process', async () => {
    await expectRuled(over(await opened()))
  })

  it('being out of reach is waited for: an operator is notified, nothing is lost, and it continues when it is back', async () => {
    const of = over(await opened())
    const goalId = await settle(of)
    await signer.kill()
    for (let round = 0; round < 3; round++) await runSettlementCycle(of.system).catch(() => undefined)
    expect((await getHold(world.system, goalId)).state).toBe('capturing')
    expect(await world.system.db.chainTransaction.count({ where: { goalId, purpose: 'settle', state: { not: 'rail_chosen' } } })).toBe(0)
    expect(await listAlarms(world.system)).toMatchObject([{ kind: 'signer' }])
    await signer.start()
    await drive(of)
    await expectPaid(goalId)
    expect(await listAlarms(world.system)).toEqual([])
  })

  it('is not started with where it holds another key, or where it does not know the caller', async () => {
    await expect(opened({ settler: { ...remote(0), address: addressOf(keyOf(5)) } as KeyLocation })).rejects.toThrow('SETTLER_ADDRESS')
    const stranger = createRemoteSigner({ role: 'settler', address: addressOf(keyOf(0)), url: signer.url, token: 'x'.repeat(20) })
    await expectProblem(stranger.signTypedData(typedData), 'hold.signer_unavailable')
  })

  it('abandons one that does not answer in time', async () => {
    const silent = createServer(() => undefined)
    const url = await listening(silent)
    const slow = createRemoteSigner({ role: 'settler', address: addressOf(keyOf(0)), url, token: 'x'.repeat(20), timeoutMs: 100 })
    await expectProblem(slow.signTransaction(transaction), 'hold.signer_unavailable')
    silent.closeAllConnections()
    silent.close()
  })

  it('takes nothing but what it asked for, signed by the key that it asked for', async () => {
    const account = privateKeyToAccount(keyOf(0))
    const stranger = privateKeyToAccount(keyOf(5))
    let answer: () => Promise<unknown> = async () => null
    const falseSigner = createServer((_request, response) => {
      void answer().then((result) => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result })))
    })
    const url = await listening(falseSigner)
    const asked = createRemoteSigner({ role: 'settler', address: addressOf(keyOf(0)), url, token: 'x'.repeat(20) })
    const signed = (change: object, by = account) => by.signTransaction({ type: 'eip1559', ...transaction, ...change })
    answer = () => signed({})
    expect(parseTransaction(await asked.signTransaction(transaction))).toMatchObject({ nonce: 7 })
    answer = async () => ({ raw: await signed({}), tx: {} })
    expect(parseTransaction(await asked.signTransaction(transaction))).toMatchObject({ nonce: 7 })
    const lies = [
      { nonce: 8 },
      { to: addressOf(keyOf(5)) },
      { value: 1n },
      { data: '0x00' as const },
      { gas: 30_000n },
      { maxFeePerGas: 2n * 10n ** 9n },
      { maxPriorityFeePerGas: 2n },
      { chainId: 1 },
    ]
    for (const lie of lies) {
      answer = () => signed(lie)
      await expectProblem(asked.signTransaction(transaction), 'hold.signer_unavailable')
    }
    answer = () => signed({}, stranger)
    await expectProblem(asked.signTransaction(transaction), 'hold.signer_unavailable')
    answer = () => stranger.signTypedData(typedData as never)
    await expectProblem(asked.signTypedData(typedData), 'hold.signer_unavailable')
    answer = async () => 'nonsense'
    await expectProblem(asked.signTypedData(typedData), 'hold.signer_unavailable')
    falseSigner.close()
    falseSigner.closeAllConnections()
  })
})

describe('createContractWalletSigner', () => {
  const deployed = async (what: { abi: typeof testWalletAbi | typeof safeStyleWalletAbi; bytecode: Hex }, owner = 1) => {
    const { createWalletClient, createPublicClient, http, defineChain } = await import('viem')
    const chain = defineChain({
      id: chainId,
      name: 'test',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [world.chain.rpcUrl] } },
    })
    const wallet = createWalletClient({ account: privateKeyToAccount(keyOf(7)), chain, transport: http(world.chain.rpcUrl) })
    const hash = await wallet.deployContract({ abi: what.abi, bytecode: what.bytecode, args: [addressOf(keyOf(owner))] })
    const receipt = await createPublicClient({ transport: http(world.chain.rpcUrl) }).waitForTransactionReceipt({ hash })
    return (receipt.contractAddress ?? '0x').toLowerCase() as Hex
  }

  const contracts = [
    ['takes the signature over the hash itself', { abi: testWalletAbi, bytecode: testWalletBytecode }],
    ['asks for it inside a message of its own, as Safe does', { abi: safeStyleWalletAbi, bytecode: safeStyleWalletBytecode }],
  ] as const
  it.each(contracts)('is the evaluator of a goal where the wallet %s', async (_what, contract) => {
    const wallet = await deployed(contract)
    // The owner's key may sign for the wallet only if the signer's policy names the wallet.
    const { escrow, channels } = world.system.market
    await using own = await startSigner({ chainId, escrow, channels }, [{ role: 'evaluator', privateKey: keyOf(1), wallet }])
    const of = over(await opened({ evaluator: { address: addressOf(keyOf(1)), url: own.url, token: own.token, wallet } }))
    expect(of.system.market.evaluator).toBe(wallet)
    const goalId = await settle(of)
    await drive(of)
    await expectPaid(goalId)
  })

  it.each(contracts)('is the arbitrator that rules where the wallet %s', async (_what, contract) => {
    const wallet = await deployed(contract, 3)
    const { escrow, channels } = world.system.market
    await using own = await startSigner({ chainId, escrow, channels }, [{ role: 'arbitrator', privateKey: keyOf(3), wallet }])
    const of = over(await opened({ arbitrator: { address: addressOf(keyOf(3)), url: own.url, token: own.token, wallet } }))
    expect(of.system.market.arbitrator).toBe(wallet)
    await expectRuled(of)
  })

  it('does not start with the wallet of another owner, or with none', async () => {
    const wallet = await deployed({ abi: testWalletAbi, bytecode: testWalletBytecode })
    await expect(opened({ evaluator: { key: keyOf(5), wallet } })).rejects.toThrow('EVALUATOR_WALLET')
    await expect(opened({ evaluator: { key: keyOf(1), wallet: addressOf(keyOf(5)) } })).rejects.toThrow('EVALUATOR_WALLET')
  })
})

const typedData = {
  domain: { name: 'PlanEscrow', version: '1', chainId, verifyingContract: `0x${'11'.repeat(20)}` as const },
  types: { Attestation: [{ name: 'bits', type: 'uint64' }] },
  primaryType: 'Attestation',
  message: { bits: 1n },
}
const transaction = {
  chainId,
  nonce: 7,
  to: `0x${'11'.repeat(20)}` as const,
  data: '0x1234' as const,
  value: 0n,
  gas: 21_000n,
  maxFeePerGas: 10n ** 9n,
  maxPriorityFeePerGas: 1n,
}
async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

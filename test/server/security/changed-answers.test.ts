import { charterHash } from '@parley/protocol'
import { createPublicClient, createWalletClient, defineChain, encodeFunctionData, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { charterMessage, charterTypes, escrowDomainAt, planEscrowAbi, testUsdcAbi } from '../../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode } from '../../../contracts/abi/mocks.ts'
import type { Context } from '../../../server/context.ts'
import { inTransaction } from '../../../server/db.ts'
import { DomainError } from '../../../server/errors.ts'
import type { EscrowMemberSignature } from '../../../server/ports.ts'
import { authorizationTypedData } from '../../../server/settlement/charters/authorization-and-veto-typed-data.ts'
import { escrowCharter, listCharters } from '../../../server/settlement/holds/hold-store.ts'
import { sealRetrySeconds } from '../../../server/settlement/holds/schedule-sealing.ts'
import {
  authorizeCharter,
  getDisputeTypedData,
  getHold,
  openDispute,
  recordCharter,
  verifyCharterApproval,
} from '../../../server/settlement/index.ts'
import { signatureWaitSeconds } from '../../../server/settlement/submit/submit-settlement.ts'
import { mintTestMoney } from '../../support/test-money.ts'
import {
  approve,
  authorize,
  capture,
  createMoneyWorld,
  drive,
  eventsOf,
  handOver,
  lower,
  type MoneyWorld,
  open,
  sealedGoal,
  signCharter,
  signMembers,
} from '../settlement/money-world.ts'
import { planOf } from './attacker-calls.ts'

// What a member or a client says off chain, and takes back on chain before the server uses it.

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const planOnChain = async (goalId: string) => world.system.ports.rail.plan((await planOf(world, goalId)).planId)
const toEscrow = (key: Hex, data: Hex) => world.send(key, { to: world.system.market.escrow, data })
const delegate = () => privateKeyToAccount(world.chain.keys[9] ?? '0x')
const setSigner = (key: Hex, allowed: boolean) =>
  toEscrow(key, encodeFunctionData({ abi: planEscrowAbi, functionName: 'setSigner', args: [delegate().address, allowed] }))

async function disputeOwnStep(goalId: string, step: number, key: Hex): Promise<string> {
  const account = privateKeyToAccount(key)
  const ctx = world.as(world.person(account))
  const ask = { goal_id: goalId, step, evidence: 'It was done.', artifacts: [] }
  const { typedData } = await getDisputeTypedData(ctx, ask)
  const signature = await account.signTypedData(typedData as never)
  return (await openDispute(ctx, { type: 'dispute.open', ...ask, signature } as never)).dispute_id
}

/** A charter in force whose second member, with a hundredth of the pay, signed by a key that it has taken back since. */
async function teamWithRevokedSigner(): Promise<string> {
  const goalId = await open(world, { workSeconds: 5 * 86_400 })
  await authorize(world, goalId)
  await drive(world)
  const [honest = '0x', other = '0x'] = world.payees
  const otherKey = world.chain.keys[5] ?? '0x'
  await setSigner(otherKey, true)
  const hash = await charterHash({ v: '1', goal_id: goalId, version: 1 } as never)
  const step = (n: number, payee: Hex, amount: bigint) => ({ step: n, payee, amount, agentId: `agt_${'0'.repeat(31)}${n}` })
  const steps = [step(1, honest, 9_900_000n), step(2, other, 100_000n)]
  const [own] = await signMembers(world, { goalId, version: 1, charterHash: hash, steps })
  const { chainId, escrow, planId } = await planOf(world, goalId)
  const charter = escrowCharter({ hash, steps } as never)
  const signature = await delegate().signTypedData({
    domain: escrowDomainAt({ chainId, escrow }),
    types: charterTypes,
    primaryType: 'Charter',
    message: charterMessage(planId, 1, charter),
  })
  const memberSignatures = [own as EscrowMemberSignature, { signer: lower(delegate().address), signature }]
  await inTransaction(world.system, (tx) => recordCharter(tx, { goalId, version: 1, charterHash: hash, steps, memberSignatures }))
  await approve(world, goalId)
  await setSigner(otherKey, false)
  return goalId
}

describe('a member that takes its signer back', () => {
  it('keeps neither the charter off the chain nor the others from their pay', async () => {
    const goalId = await teamWithRevokedSigner()
    const [honest = '0x'] = world.payees
    const before = await world.balance(honest)
    const id = await disputeOwnStep(goalId, 2, world.chain.keys[5] ?? '0x')
    await capture(world, goalId, 0b11n)
    await drive(world)
    await drive(world)
    expect((await world.balance(honest)) - before).toBe(9_900_000n)
    expect(await planOnChain(goalId)).toMatchObject({ charter: 'authorized' })
    expect(await world.system.db.dispute.findUniqueOrThrow({ where: { id } })).toMatchObject({ state: 'open' })
  })
})

describe('a word that does not come to the escrow', () => {
  it('holds back its own step only, and for a bounded time', async () => {
    const goalId = await sealedGoal(world, { workSeconds: 86_400 })
    const { rail } = world.system.ports
    const unposted = world.over({
      ...rail,
      encode: (call) => {
        if (call.kind === 'dispute') throw new DomainError('hold.chain_unavailable', 'It is never sent.')
        return rail.encode(call)
      },
    })
    const [first = '0x', second = '0x'] = world.payees
    const [had, hadSecond] = [await world.balance(first), await world.balance(second)]
    await disputeOwnStep(goalId, 3, world.chain.keys[5] ?? '0x')
    await capture(world, goalId, 0b111n)
    await drive(world, unposted)
    expect((await world.balance(first)) - had).toBe(7_000_000n)
    expect((await world.balance(second)) - hadSecond).toBe(0n)
    expect((await getHold(world.system, goalId)).state).toBe('capturing')
    await world.warp(signatureWaitSeconds + 1)
    await drive(world, unposted)
    expect((await world.balance(second)) - hadSecond).toBe(3_000_000n)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    await drive(world)
    expect(await world.system.db.dispute.findFirstOrThrow({ where: { goalId } })).toMatchObject({ state: 'refused' })
  })
})

describe('a seal that the escrow refuses', () => {
  it('is tried again where its charter is in force, and no sooner than after its pause', async () => {
    const goalId = await open(world, { workSeconds: 86_400 })
    await authorize(world, goalId)
    await drive(world)
    let asked = 0
    const { rail } = world.system.ports
    const refusing = world.over({ ...rail, simulate: async () => ({ refused: `no ${++asked}`, isFinal: true }) })
    await handOver(world, goalId)
    await drive(world, refusing)
    expect(asked).toBeGreaterThan(0)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized', charterVersion: 1 })
    const times = asked
    // What needs the charter on chain does not hasten it.
    await disputeOwnStep(goalId, 3, world.chain.keys[5] ?? '0x')
    await drive(world, refusing)
    expect(asked).toBe(times)
    await world.warp(sealRetrySeconds + 1)
    await drive(world)
    expect(await planOnChain(goalId)).toMatchObject({ charter: 'authorized', version: 1 })
    await drive(world)
    expect(await world.system.db.dispute.findFirstOrThrow({ where: { goalId } })).toMatchObject({ state: 'open' })
  })
})

type Wallet = { readonly address: Hex; answer(mood: number): Promise<unknown>; execute(to: Hex, data: Hex): Promise<unknown> }
const ownerKey = () => world.chain.keys[9] ?? '0x'

async function deployWallet(): Promise<Wallet> {
  const owner = privateKeyToAccount(ownerKey())
  const rpcUrls = { default: { http: [world.chain.rpcUrl] } }
  const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = defineChain({ id: world.chain.chainId, name: 'test', nativeCurrency: ether, rpcUrls })
  const sender = createWalletClient({ chain, account: owner, transport: http() })
  const hash = await sender.deployContract({ abi: testWalletAbi, bytecode: testWalletBytecode, args: [owner.address] })
  const reader = createPublicClient({ chain, transport: http(), pollingInterval: 20 })
  const address = lower((await reader.waitForTransactionReceipt({ hash })).contractAddress ?? '0x')
  const send = (data: Hex) => world.send(ownerKey(), { to: address, data })
  return {
    address,
    answer: (mood) => send(encodeFunctionData({ abi: testWalletAbi, functionName: 'setMood', args: [mood] })),
    execute: (to, data) => send(encodeFunctionData({ abi: testWalletAbi, functionName: 'execute', args: [to, data] })),
  }
}

/** A goal that a contract wallet has funded, and whose team it approves by its answer. */
async function approvedByWallet(): Promise<{ goalId: string; wallet: Wallet }> {
  const wallet = await deployWallet()
  await mintTestMoney(world.chain, wallet.address, 10_250_000n)
  const goalId = await open(world, { client: wallet.address, vetoSeconds: 0, workSeconds: 86_400 })
  const { terms, escrow } = await planOf(world, goalId)
  await wallet.execute(terms.token, encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [escrow, terms.total] }))
  await wallet.execute(escrow, encodeFunctionData({ abi: planEscrowAbi, functionName: 'fund', args: [terms] }))
  await drive(world)
  await signCharter(world, goalId)
  const ctx: Context = world.as({ ...world.person(world.client), address: wallet.address } as never)
  const [charter] = await listCharters(world.system, goalId)
  if (!charter) throw new Error('there is no charter')
  const typedData = authorizationTypedData(await planOf(world, goalId), charter)
  const asked = { goalId, version: 1, signature: await privateKeyToAccount(ownerKey()).signTypedData(typedData as never) }
  const given = await verifyCharterApproval(ctx, asked)
  await inTransaction(ctx, (tx) => authorizeCharter(tx, asked, given))
  return { goalId, wallet }
}

describe('a client with a contract wallet', () => {
  it('has its charter in force only once it is on chain, and pays also when its wallet refuses from then on', async () => {
    const { goalId, wallet } = await approvedByWallet()
    expect(await getHold(world.system, goalId)).toMatchObject({ charterVersion: 0 })
    expect(await eventsOf(world, goalId)).not.toContain('team.recorded')
    await drive(world)
    expect(await planOnChain(goalId)).toMatchObject({ charter: 'authorized', version: 1 })
    expect(await getHold(world.system, goalId)).toMatchObject({ charterVersion: 1 })
    expect(await eventsOf(world, goalId)).toContain('team.recorded')
    await wallet.answer(1)
    const [first = '0x'] = world.payees
    const had = await world.balance(first)
    await capture(world, goalId, 0b111n)
    await drive(world)
    expect((await world.balance(first)) - had).toBe(7_000_000n)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
  })

  it('has no one work where its wallet refuses before the charter is on chain', async () => {
    const { goalId, wallet } = await approvedByWallet()
    await wallet.answer(1)
    for (let round = 0; round < 4; round++) {
      await drive(world)
      await world.warp(60)
    }
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized', charterVersion: 0 })
    const events = await eventsOf(world, goalId)
    expect(events).not.toContain('team.recorded')
    expect(events).toContain('hold.failed')
    expect(await world.system.db.payout.count({ where: { goalId } })).toBe(0)
  })
})

import { charterVetoTypedData } from '@parley/protocol'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  attestationTypes,
  charterMessage,
  charterTypes,
  escrowDomainAt,
  planEscrowAbi,
  settledCharter,
} from '../../../contracts/abi/index.ts'
import { inTransaction } from '../../../server/db.ts'
import { escrowCharter, listCharters } from '../../../server/settlement/holds/hold-store.ts'
import {
  buildSealingPackage,
  getCharterApproval,
  listAlarms,
  runSettlementCycle,
  submitCharterVeto,
  verifyVeto,
  vetoCharter,
} from '../../../server/settlement/index.ts'
import { indexEvents } from '../../../server/settlement/indexer/index-events.ts'
import {
  approve,
  authorize,
  conclusionHash,
  createMoneyWorld,
  drive,
  type MoneyWorld,
  open,
  sealedGoal,
  signCharter,
} from '../settlement/money-world.ts'
import { answerTo, keyOf, planOf, settlementCall } from './attacker-calls.ts'

// The holder of the evaluator's key pays no one whom the client has not approved, and takes back nothing that was submitted.

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function funded(options: Parameters<typeof open>[1] = {}): Promise<`gol_${string}`> {
  const goalId = await open(world, { workSeconds: 3 * 86_400, ...options })
  await authorize(world, goalId)
  await drive(world)
  return goalId
}

const foreignHash: `0x${string}` = `0x${'7f'.repeat(32)}`
const attackerCharter = (charterHash: `0x${string}`) => ({
  steps: [{ payee: keyOf(world, 'settler').address, amount: 10_000_000n }],
  royalties: [],
  charterHash,
})
const send = (data: `0x${string}`) => world.send(world.chain.keys[7] ?? '0x', { to: world.system.market.escrow, data })

/** The attacker's own team: itself, with the whole bounty. `isProposal`: by the evaluator's signature; else it passes for the client's. */
async function ownTeam(goalId: string, version: number, isProposal: boolean, charterHash = foreignHash): Promise<`0x${string}`> {
  const { planId, chainId, escrow, terms } = await planOf(world, goalId)
  const attacker = keyOf(world, 'settler')
  const charter = attackerCharter(charterHash)
  const domain = escrowDomainAt({ chainId, escrow })
  const typedData = { domain, types: charterTypes, primaryType: 'Charter', message: charterMessage(planId, version, charter) } as const
  const memberSignatures = [{ signer: attacker.address, signature: await attacker.signTypedData(typedData) }]
  const word = await keyOf(world, 'evaluator').signTypedData(typedData)
  const signed = { signature: isProposal ? ('0x' as const) : word, evaluatorSignature: word, memberSignatures }
  const sealing = { terms, version, charter, proposed: isProposal, ...signed }
  return encodeFunctionData({ abi: planEscrowAbi, functionName: 'seal', args: [sealing] })
}

const foreignAlarms = async (goalId: string) =>
  (await listAlarms(world.system)).filter((alarm) => alarm.kind === 'foreign_charter' && alarm.subject === goalId)

describe('the evaluator’s key', () => {
  it('does not stand for the client’s approval', async () => {
    const goalId = await funded()
    expect(await answerTo(world, await ownTeam(goalId, 1, false))).toContain('BadSignature')
  })

  it('stands for members that did not sign, and for no client', async () => {
    const goalId = await funded({ vetoSeconds: 0 })
    await signCharter(world, goalId)
    const { terms, planId, chainId, escrow } = await planOf(world, goalId)
    const [agreed] = await listCharters(world.system, goalId)
    const charter = escrowCharter(agreed ?? null)
    const message = charterMessage(planId, 1, charter)
    const domain = escrowDomainAt({ chainId, escrow })
    const typedData = { domain, types: charterTypes, primaryType: 'Charter', message } as const
    const evaluatorSignature = await keyOf(world, 'evaluator').signTypedData(typedData)
    const memberSignatures = (agreed?.memberSignatures ?? []).map(({ signer }) => ({ signer, signature: '0x' as const }))
    const seal = (signature: `0x${string}`) => {
      const sealing = { terms, version: 1, charter, proposed: false, signature, evaluatorSignature, memberSignatures }
      return encodeFunctionData({ abi: planEscrowAbi, functionName: 'seal', args: [sealing] })
    }
    expect(await answerTo(world, seal(evaluatorSignature))).toContain('BadSignature')
    await approve(world, goalId)
    const [approved] = await listCharters(world.system, goalId)
    expect(await answerTo(world, seal(approved?.authorization?.signature ?? '0x'))).toBeNull()
  })

  it('proposes nothing where the terms have no veto window', async () => {
    const goalId = await funded({ vetoSeconds: 0 })
    expect(await answerTo(world, await ownTeam(goalId, 1, true))).toContain('accepts only approved teams')
  })

  it('pays no one from a proposal within the client’s veto window', async () => {
    const goalId = await funded()
    await signCharter(world, goalId)
    await runSettlementCycle(world.system)
    await drive(world)
    expect((await world.system.ports.rail.plan((await planOf(world, goalId)).planId)).charter).toBe('proposed')
    expect(await answerTo(world, await settlementCall(world, goalId, keyOf(world, 'evaluator')))).toContain('accepts this call only later')
  })

  it('puts no proposal instead of a team that the client has approved and that is not on chain yet', async () => {
    for (const version of [1, 5]) {
      const goalId = await funded({ workSeconds: 10 * 86_400 })
      await signCharter(world, goalId)
      await approve(world, goalId)
      await send(await ownTeam(goalId, version, true))
      await drive(world)
      const { planId } = await planOf(world, goalId)
      expect(await world.system.ports.rail.plan(planId)).toMatchObject({ charter: 'authorized', version: 1 })
      expect(await getCharterApproval(world.system, goalId)).toMatchObject({ state: 'approved' })
    }
  })

  it('passes no other payees for the team that is shown, though it names its document', async () => {
    const goalId = await funded({ workSeconds: 10 * 86_400, vetoSeconds: 3_600 })
    const hash = await signCharter(world, goalId)
    await send(await ownTeam(goalId, 1, true, hash))
    await drive(world)
    expect(await getCharterApproval(world.system, goalId)).toMatchObject({ state: 'proposed', isKnown: false, foreign: { version: 1 } })
    expect(await foreignAlarms(goalId)).toMatchObject([{ facts: { version: 1, charter_hash: hash } }])
    expect(await world.system.db.payout.count({ where: { goalId } })).toBe(0)
    // A client that lets the window pass loses the bounty to the attacker. The ledger says so of no one else, and the goal is frozen.
    await world.warp(3_601)
    expect(await getCharterApproval(world.system, goalId)).toMatchObject({ foreign: { version: 1, vetoBy: null } })
    expect(await foreignAlarms(goalId)).toHaveLength(1)
    const { chainId, escrow, planId, terms } = await planOf(world, goalId)
    const charter = attackerCharter(hash)
    const message = { planId, charter: settledCharter(charter), bits: 1n, close: true, conclusionHash }
    const domain = escrowDomainAt({ chainId, escrow })
    const attested = { domain, types: attestationTypes, primaryType: 'Attestation', message } as const
    const signature = await keyOf(world, 'evaluator').signTypedData(attested)
    const settlement = { terms, charter, bits: 1n, close: true, conclusionHash, signature }
    await send(encodeFunctionData({ abi: planEscrowAbi, functionName: 'settle', args: [settlement] }))
    await drive(world)
    const letters = await world.system.db.chainDeadLetter.findMany({ where: { goalId, state: 'open' } })
    expect(letters.map(({ error }) => error)).toEqual([expect.stringContaining('a charter that was never handed over')])
  })

  it('raises an alarm with a team of its own, which the client vetoes also under the number of the team that it has approved', async () => {
    const goalId = await funded({ workSeconds: 10 * 86_400 })
    await signCharter(world, goalId)
    await approve(world, goalId)
    await send(await ownTeam(goalId, 1, true))
    await indexEvents(world.system)
    expect(await foreignAlarms(goalId)).toMatchObject([{ facts: { version: 1, charter_hash: foreignHash } }])
    const hold = await planOf(world, goalId)
    const plan = { chain_id: hold.chainId, escrow: hold.escrow, plan_id: hold.planId }
    const signature = await keyOf(world, 'client').signTypedData(charterVetoTypedData(plan, 1))
    const input = { goalId, version: 1, reason: 'Not mine.', signature }
    const client = world.as(world.person(world.client))
    const given = await verifyVeto(client, input)
    expect(await inTransaction(client, (tx) => vetoCharter(tx, input, given))).toBe('foreign')
    await submitCharterVeto(world.system, goalId)
    await drive(world)
    // Vetoed on chain, and what the client has approved stays approved, paid for and in flight to it.
    expect(await world.system.db.chainLog.count({ where: { planId: hold.planId, name: 'CharterVetoed' } })).toBe(1)
    expect(await foreignAlarms(goalId)).toEqual([])
    expect(await getCharterApproval(world.system, goalId)).toMatchObject({ state: 'approved', foreign: null })
    expect(await world.system.ports.rail.plan(hold.planId)).toMatchObject({ charter: 'authorized', version: 1 })
    expect(await world.system.db.payout.count({ where: { goalId, state: 'sealed' } })).toBe(3)
    // What it has approved itself it can't veto, now as before.
    await expect(verifyVeto(client, input)).rejects.toMatchObject({ code: 'team.wrong_state' })
  })

  it('raises an alarm that ends when the approved team takes the place of its own', async () => {
    const goalId = await funded({ workSeconds: 10 * 86_400 })
    await signCharter(world, goalId)
    await approve(world, goalId)
    await send(await ownTeam(goalId, 5, true))
    await indexEvents(world.system)
    expect(await foreignAlarms(goalId)).toHaveLength(1)
    await drive(world)
    expect(await foreignAlarms(goalId)).toEqual([])
  })

  it('replaces no team that the client has approved', async () => {
    const goalId = await sealedGoal(world)
    expect(await answerTo(world, await ownTeam(goalId, 2, true))).toContain('The client has approved the charter in force')
  })

  it('takes back no step that was submitted on chain when it closes the plan', async () => {
    const goalId = await sealedGoal(world)
    const { terms, planId } = await planOf(world, goalId)
    const [charter] = await listCharters(world.system, goalId)
    const args = [terms, escrowCharter(charter ?? null), 0b001n, `0x${'0a'.repeat(32)}`, world.payees[0] ?? '0x', '0x'] as const
    const data = encodeFunctionData({ abi: planEscrowAbi, functionName: 'submit', args })
    await world.send(world.chain.keys[4] ?? '0x', { to: terms.token && world.system.market.escrow, data })
    const before = await world.balance(terms.client)
    const close = await settlementCall(world, goalId, keyOf(world, 'evaluator'), { bits: 0n })
    await world.send(world.chain.keys[1] ?? '0x', { to: world.system.market.escrow, data: close })
    const plan = await world.system.ports.rail.plan(planId)
    expect(plan).toMatchObject({ status: 1, closing: true, submitted: 0b001n })
    // Step 1 of 4 USDC and its fee stay. If no one reviews until the end of the review, any account can have it paid.
    expect((await world.balance(terms.client)) - before).toBe(10_250_000n - 4_100_000n)
    const paid = await world.balance(world.payees[0] ?? '0x')
    await world.warp(5 * 3_600)
    await drive(world)
    expect((await world.balance(world.payees[0] ?? '0x')) - paid).toBe(4_000_000n)
  })

  it('is not needed to bring an approved team on chain', async () => {
    const goalId = await funded()
    await signCharter(world, goalId)
    await approve(world, goalId)
    const { terms } = await planOf(world, goalId)
    const [charter] = await listCharters(world.system, goalId)
    const given = await buildSealingPackage(world.system, goalId, 1)
    if (!charter || !given) throw new Error('it was not approved')
    const sealing = {
      terms,
      version: charter.version,
      charter: escrowCharter(charter),
      proposed: false,
      signature: given.authorization.signature,
      evaluatorSignature: given.evaluator_signature,
      memberSignatures: given.member_signatures,
    }
    expect(await answerTo(world, encodeFunctionData({ abi: planEscrowAbi, functionName: 'seal', args: [sealing] }))).toBeNull()
  })
})

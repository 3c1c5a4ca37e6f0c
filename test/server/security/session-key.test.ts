import { encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planEscrowAbi } from '../../../contracts/abi/index.ts'
import { inTransaction } from '../../../server/db.ts'
import { authorizationTypedData, vetoTypedData } from '../../../server/settlement/charters/authorization-and-veto-typed-data.ts'
import { escrowCharter, listCharters } from '../../../server/settlement/holds/hold-store.ts'
import { authorizeCharter, authorizeHold, getHold, openHold, verifyCharterApproval, verifyVeto } from '../../../server/settlement/index.ts'
import {
  authorize,
  briefHash,
  createMoneyWorld,
  drive,
  lower,
  type MoneyWorld,
  newGoalId,
  open,
  sealedGoal,
  sign,
  signCharter,
} from '../settlement/money-world.ts'
import { answerTo, planOf, settlementCall } from './attacker-calls.ts'

// The holder of the session key of a goal approves and vetoes its teams; it moves no money, and is of no other goal.

const session = privateKeyToAccount(generatePrivateKey())
let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function funded(): Promise<`gol_${string}`> {
  const goalId = await open(world, { authorizer: lower(session.address), workSeconds: 3 * 86_400 })
  await authorize(world, goalId)
  await drive(world)
  return goalId
}

const signData = (data: object) => session.signTypedData(data as Parameters<typeof session.signTypedData>[0])
const asClient = () => world.as(world.person(world.client))

describe('the session key', () => {
  it('approves a team of its own goal, and of no other', async () => {
    const goalId = await funded()
    await signCharter(world, goalId)
    const [charter] = await listCharters(world.system, goalId)
    if (!charter) throw new Error('there is no charter')
    const signature = await signData(authorizationTypedData(await planOf(world, goalId), charter))
    const given = await verifyCharterApproval(asClient(), { goalId, version: 1, signature })
    expect(given.signer).toBe(lower(session.address))
    await inTransaction(world.system, (tx) => authorizeCharter(tx, { goalId, version: 1, signature }, given))
    expect((await getHold(world.system, goalId)).charterVersion).toBe(1)
    const other = await open(world)
    await authorize(world, other)
    await drive(world)
    await signCharter(world, other)
    await expect(verifyCharterApproval(asClient(), { goalId: other, version: 1, signature })).rejects.toMatchObject({
      code: 'team.signature_invalid',
    })
  })

  it('vetoes nothing that was approved', async () => {
    const goalId = await sealedGoal(world)
    const signature = await signData(vetoTypedData(await planOf(world, goalId), 1))
    await expect(verifyVeto(asClient(), { goalId, version: 1, reason: 'No.', signature })).rejects.toMatchObject({
      code: 'team.wrong_state',
    })
  })

  it('sets no money aside', async () => {
    const goalId = await open(world, { authorizer: lower(session.address) })
    const signature = await sign(world, goalId, session)
    await expect(authorizeHold(asClient(), { type: 'hold.authorize', goal_id: goalId, signature })).rejects.toMatchObject({
      code: 'hold.signature_invalid',
    })
  })

  it('settles and releases nothing, and seals no team without the evaluator’s signature', async () => {
    const goalId = await funded()
    await signCharter(world, goalId)
    const [charter] = await listCharters(world.system, goalId)
    if (!charter) throw new Error('there is no charter')
    const hold = await planOf(world, goalId)
    const signature = await signData(authorizationTypedData(hold, charter))
    const sealing = {
      terms: hold.terms,
      version: 1,
      charter: escrowCharter(charter),
      proposed: false,
      signature,
      evaluatorSignature: signature,
      memberSignatures: charter.memberSignatures,
    }
    const seal = encodeFunctionData({ abi: planEscrowAbi, functionName: 'seal', args: [sealing] })
    expect(await answerTo(world, seal)).toContain('BadSignature')
    const own = encodeFunctionData({
      abi: planEscrowAbi,
      functionName: 'sealAndSettle',
      args: [
        {
          sealing,
          bits: 0b111n,
          close: true,
          conclusionHash: `0x${'c0'.repeat(32)}`,
          signature: await session.signMessage({ message: 'pay' }),
        },
      ],
    })
    expect(await answerTo(world, own)).toContain('BadSignature')
    expect(await answerTo(world, await settlementCall(world, goalId, session, { call: 'release' }))).toContain('NotSealed')
  })

  it('is no key of the server’s', async () => {
    for (const role of ['evaluator', 'arbitrator'] as const) {
      const authorizer = world.system.market[role]
      const input = {
        goalId: newGoalId(),
        rail: 'escrow',
        client: lower(world.client.address),
        total: 1n,
        workBy: 2,
        reviewSeconds: 1,
        briefHash,
        authorizer,
      } as const
      await expect(inTransaction(world.system, (tx) => openHold(tx, input))).rejects.toMatchObject({ code: 'hold.authorizer_invalid' })
    }
  })
})

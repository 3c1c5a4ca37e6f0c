import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { charterAuthorizationTypes, charterMessage, charterTypes, escrowDomainAt, planEscrowAbi } from '../../../contracts/abi/index.ts'
import { approve, authorize, createMoneyWorld, drive, type MoneyWorld, open, sealedGoal, signCharter } from '../settlement/money-world.ts'
import { answerTo, planOf } from './attacker-calls.ts'

// A client that has received its team's work cannot replace the team by its own, and so cannot get the money of the work back.

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** The client's own people, signed by the client in every place that a charter has. */
async function ownTeam(goalId: string, version: number): Promise<`0x${string}`> {
  const { planId, chainId, escrow, terms } = await planOf(world, goalId)
  const { client } = world
  const charter = { steps: [{ payee: client.address, amount: 10_000_000n }], royalties: [], charterHash: `0x${'7f'.repeat(32)}` as const }
  const site = { domain: escrowDomainAt({ chainId, escrow }), message: charterMessage(planId, version, charter) }
  const word = await client.signTypedData({ ...site, types: charterTypes, primaryType: 'Charter' })
  const signature = await client.signTypedData({ ...site, types: charterAuthorizationTypes, primaryType: 'CharterAuthorization' })
  const memberSignatures = [{ signer: client.address, signature: word }]
  const sealing = { terms, version, charter, proposed: false, signature, evaluatorSignature: word, memberSignatures }
  return encodeFunctionData({ abi: planEscrowAbi, functionName: 'seal', args: [sealing] })
}

describe('the client’s key', () => {
  it('seals no other charter instead of one that it has approved and that is not on chain yet', async () => {
    const goalId = await open(world, { workSeconds: 3 * 86_400 })
    await authorize(world, goalId)
    await drive(world)
    await signCharter(world, goalId)
    await approve(world, goalId)
    expect(await answerTo(world, await ownTeam(goalId, 1))).toContain('BadSignature')
  })

  it('replaces no charter that is on chain', async () => {
    const goalId = await sealedGoal(world)
    expect(await answerTo(world, await ownTeam(goalId, 2))).toContain('BadSignature')
  })
})

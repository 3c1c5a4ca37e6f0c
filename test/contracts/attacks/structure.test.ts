/** Attacks that need a power no account has: 21 paying by two rails, 22 an administrator, 23 changed code; and a fork's other chain. */
import { createPublicClient, custom, type EIP1193Provider, type Hex, hashTypedData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planEscrowAbi } from '../../../contracts/abi/index.ts'
import { escrowDomain, types } from '../model/typed-data.ts'
import { chainUnderTest, escrowUnderTest } from '../mutants/escrow-under-test.ts'
import { actors, createWorld, revertOf, settlementOf, unsealed, type World } from '../world.ts'
import { entryPoints, sealed, undone } from './attack-fixture.ts'

const { relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const refusal = async (attempt: Promise<unknown>) => (await revertOf(attempt))[0]

describe('attack 08: a fork of the chain', () => {
  it('gives every plan another id, so that no signature holds on both sides', async () => {
    const connection = await chainUnderTest(2)
    try {
      const code = await world.reader.getCode({ address: world.escrow })
      await connection.provider.request({ method: 'hardhat_setCode', params: [world.escrow, code as Hex] })
      await escrowUnderTest().choose((slot, value) =>
        connection.provider.request({ method: 'hardhat_setStorageAt', params: [world.escrow, slot, value] }),
      )
      const fork = createPublicClient({ transport: custom(connection.provider as unknown as EIP1193Provider) })
      const terms = await world.terms()
      const id = await fork.readContract({ address: world.escrow, abi: planEscrowAbi, functionName: 'planId', args: [terms] })
      const domain = { ...escrowDomain(world.escrow), chainId: 2 }
      expect(id).toBe(hashTypedData({ domain, types: { Terms: types.Terms as [] }, primaryType: 'Terms', message: terms } as never))
      expect(id).not.toBe(world.planId(terms))
    } finally {
      await connection.close()
    }
  })
})

describe('attack 21: the same step paid on chain and off', () => {
  // The server chooses one rail per payout, once: test/server/settlement holds that. Here is what the escrow gives it.
  it('a plan that was voided for the other rail pays nothing any more, by any word', () =>
    undone(world, async () => {
      const { terms, charter } = await sealed(world)
      const voided = await world.settlement(terms, charter, settlementOf(0n, true))
      const pay = await world.settlement(terms, charter, settlementOf(0b111n))
      await world.call(relayer, 'settle', [voided])
      expect(await refusal(world.call(relayer, 'settle', [pay]))).toBe('AlreadyClosed')
      expect(await refusal(world.release(terms, charter, settlementOf(1n)))).toBe('AlreadyClosed')
      expect(await world.balance(world.escrow)).toBe(0n)
    }))
})

describe('attack 22: an administrator', () => {
  it('has no function to call', () => {
    expect(entryPoints.map((entry) => entry.name).sort()).toEqual(
      'acceptOffer closeExpired dispute fund fundMany fundWithAuthorization fundWithPermit2 refund release requestClose reseal rule seal sealAndSettle sealAndSettleMany setSigner setSignerBySignature settle settleHalf settleMany settleOnSilence submit veto withdrawCredit withdrawCreditTo'.split(
        ' ',
      ),
    )
    expect(planEscrowAbi.filter((entry) => entry.type === 'function' && (entry.stateMutability as string) === 'payable')).toEqual([])
    expect(planEscrowAbi.some((entry) => entry.type === ('fallback' as string) || entry.type === ('receive' as string))).toBe(false)
  })

  it('who deployed it can do no more than a stranger', () =>
    undone(world, async () => {
      const { terms, charter } = await sealed(world)
      for (const who of [relayer, stranger]) {
        expect(await refusal(world.release(terms, charter, settlementOf(1n), who))).toBe('BadSignature')
        expect(await refusal(world.refund(terms, who))).toBe('TooEarly')
        expect(await refusal(world.settle(terms, unsealed, settlementOf(0n, true), '0x'))).not.toBe('nothing reverted')
        expect(await refusal(world.withdrawCredit(who, terms.token, who.address))).toBe('NothingToWithdraw')
      }
    }))
})

describe('attack 23: changed code', () => {
  const forbidden: Record<number, string> = { 242: 'CALLCODE', 244: 'DELEGATECALL', 255: 'SELFDESTRUCT', 240: 'CREATE', 245: 'CREATE2' }

  it('has no way in: no delegatecall, callcode, selfdestruct or create among its instructions', async () => {
    const code = Buffer.from(((await world.reader.getCode({ address: world.escrow })) as Hex).slice(2), 'hex')
    const found: string[] = []
    let instructions = 0
    // Behind the first INVALID stand constants and the compiler's note, and no jump leads there.
    for (let at = 0; code[at] !== 0xfe && at < code.length; at++, instructions++) {
      const opcode = code[at] as number
      if (opcode in forbidden) found.push(`${forbidden[opcode]} at ${at}`)
      if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f
    }
    expect(found).toEqual([])
    expect(instructions).toBeGreaterThan(5000)
  })
})

/** Attacks through signers and signed terms: 11 wallets that are contracts, 13 terms changed in flight. */
import { type Abi, concat, encodeAbiParameters, type Hex, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testWalletAbi, testWalletBytecode } from '../../../contracts/abi/mocks.ts'
import { actors, charterOf, createWorld, hiredFor, revertOf, settlementOf, usdc, type World } from '../world.ts'
import { sealed, setCode, undone } from './attack-fixture.ts'

const { evaluator, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const refusal = async (attempt: Promise<unknown>) => (await revertOf(attempt))[0]

describe('attack 11: wallets that are contracts', () => {
  const at = '0x0000000000000000000000000000000000001271'
  const yes: Hex = '0x631626ba7e60e01b5f5260205ff3'
  const hire = async (changes: object) => {
    const terms = await world.terms({ ...hiredFor(charterOf()), ...changes })
    await world.fund(terms)
    return { terms, charter: { ...charterOf(), version: 0 } }
  }
  const bad: Record<string, Hex> = {
    reverts: '0x5f5ffd',
    'burns its gas': '0xfe',
    'answers nothing': '0x00',
    'answers too shortly': '0x631626ba7e60e01b5f5260045ff3',
    'answers the magic with dirt behind it': '0x7f1626ba7e000000000000000000000000000000000000000000000000000000015f5260205ff3',
    'answers a megabyte': '0x620f42405ff3',
  }

  it.each(Object.keys(bad))('one that %s signs nothing', (name) =>
    undone(world, async () => {
      await setCode(world, at, bad[name] as Hex)
      const { terms, charter } = await hire({ evaluator: at })
      expect(await refusal(world.settle(terms, charter, settlementOf(1n), '0x1234'))).toBe('BadSignature')
    }),
  )

  it('one that accepts all harms only the plans that trust it', () =>
    undone(world, async () => {
      const others = await sealed(world)
      await setCode(world, at, yes)
      const { terms, charter } = await hire({ evaluator: at })
      await world.settle(terms, charter, settlementOf(0b111n, true), '0x')
      expect(await world.plan(others.terms)).toMatchObject({ remaining: usdc(10), codes: 0n })
    }))

  it('one that changes its answer is asked each time', () =>
    undone(world, async () => {
      await setCode(world, at, yes)
      const { terms, charter } = await hire({ evaluator: at })
      await world.settle(terms, charter, settlementOf(1n), '0x')
      await setCode(world, at, '0x5f5f5260205ff3')
      expect(await refusal(world.settle(terms, charter, settlementOf(0b10n), '0x'))).toBe('BadSignature')
    }))

  it('two of one owner do not lend each other a signature', () =>
    undone(world, async () => {
      const wallets = [
        await world.deploy(testWalletAbi as Abi, testWalletBytecode, [evaluator.address]),
        await world.deploy(testWalletAbi as Abi, testWalletBytecode, [evaluator.address]),
      ]
      const [a, b] = [await hire({ evaluator: wallets[0] }), await hire({ evaluator: wallets[1] })]
      const forA = await world.signSettlement(a.terms, a.charter, settlementOf(1n))
      expect(await refusal(world.settle(b.terms, b.charter, settlementOf(1n), forA))).toBe('BadSignature')
      await world.settle(a.terms, a.charter, settlementOf(1n), forA)
    }))

  it('a key that is delegated to code (EIP-7702) stays bound, and the code that accepts all gives it too', () =>
    undone(world, async () => {
      await setCode(world, at, yes)
      const plan = await hire({})
      await setCode(world, evaluator.address, concat(['0xef0100', world.token]))
      await world.settle(plan.terms, plan.charter, settlementOf(1n))
      expect(await refusal(world.settle(plan.terms, plan.charter, settlementOf(0b10n), '0x'))).toBe('BadSignature')
      await setCode(world, evaluator.address, concat(['0xef0100', at]))
      await world.settle(plan.terms, plan.charter, settlementOf(0b10n), '0x')
    }))

  it('an ERC-6492 wrapping cannot lend a wallet that is there another’s yes', () =>
    undone(world, async () => {
      const { terms, charter } = await hire({})
      const wrapped = encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [world.token, '0x', '0x'])
      expect(await refusal(world.settle(terms, charter, settlementOf(1n), concat([wrapped, `0x${'6492'.repeat(16)}`])))).toBe(
        'BadSignature',
      )
    }))
})

describe('attack 13: terms changed in flight', () => {
  it('no one else funds in the client’s name, with any of its allowances', () =>
    undone(world, async () => {
      const terms = await world.terms({ evaluator: stranger.address })
      expect(await refusal(world.call(stranger, 'fund', [terms]))).toBe('NotClient')
      expect(await refusal(world.call(stranger, 'fundMany', [[terms]]))).toBe('NotClient')
    }))

  it('the signature that funds covers every term', () =>
    undone(world, async () => {
      const terms = await world.terms({ feeBps: 100 })
      const far = 2n ** 47n - 1n
      const signature = await world.signFunding(terms, far)
      const changes = [
        { evaluator: stranger.address },
        { feeBps: 1000 },
        { feeTo: stranger.address },
        { total: terms.total - 1n },
        { charter: toHex(1, { size: 32 }) },
        { onSilence: 1 },
        { arbitrator: stranger.address },
        { authorizer: stranger.address },
        { vetoSeconds: 1 },
      ]
      for (const change of changes) {
        expect(await refusal(world.fundWithAuthorization({ ...terms, ...change }, 0n, far, signature))).toBe('ERC3009InvalidSignature')
      }
      await world.fundWithAuthorization(terms, 0n, far, signature)
    }))

  it('a charter that a third party brought first does not spoil its settlement', () =>
    undone(world, async () => {
      const terms = await world.terms()
      await world.fund(terms)
      const late = await world.sealedSettlement(terms, charterOf(), settlementOf(0b111n, true))
      await world.call(stranger, 'seal', [late.sealing])
      await world.call(relayer, 'sealAndSettle', [late])
      expect((await world.plan(terms)).status).toBe(2)
    }))
})

/** Attacks through signers and signed terms: 11 wallets that are contracts, 12 a permit used first, 13 terms changed on their way. */
import { type Abi, concat, encodeAbiParameters, type Hex, hexToSignature, toHex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testUsdcAbi } from '../../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode } from '../../../contracts/abi/mocks.ts'
import { sign } from '../model/typed-data.ts'
import { actors, charterOf, createWorld, hiredFor, revertOf, settlementOf, usdc, type World } from '../world.ts'
import { sealed, setCode, undone } from './scene.ts'

const { client, evaluator, relayer, stranger } = actors

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

  it('one that says yes to all harms only the plans that trust it', () =>
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
      const forA = await world.signSettlement(a.terms, 0, settlementOf(1n))
      expect(await refusal(world.settle(b.terms, b.charter, settlementOf(1n), forA))).toBe('BadSignature')
      await world.settle(a.terms, a.charter, settlementOf(1n), forA)
    }))

  it('a key that is delegated to code (EIP-7702) keeps its word, and the code that says yes to all gives it too', () =>
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

describe('attack 12: a permit that somebody else uses first', () => {
  it('funds all the same', () =>
    undone(world, async () => {
      await world.write(client, world.token, testUsdcAbi as Abi, 'approve', [world.escrow, 0n])
      const terms = await world.terms()
      const deadline = 2n ** 48n
      const says = { type: 'Permit', owner: client.address, spender: world.escrow, value: terms.total, nonce: 0n, deadline }
      const { r, s, v } = hexToSignature(await sign(client, says, world.escrow, world.token))
      await world.write(stranger, world.token, testUsdcAbi as Abi, 'permit', [
        client.address,
        world.escrow,
        terms.total,
        deadline,
        Number(v),
        r,
        s,
      ])
      await world.call(client, 'fundWithPermit', [terms, deadline, Number(v), r, s])
      expect((await world.plan(terms)).remaining).toBe(terms.total)
    }))
})

describe('attack 13: terms changed on their way', () => {
  it('no one else funds in the client’s name, by whatever it allowed', () =>
    undone(world, async () => {
      const terms = await world.terms({ evaluator: stranger.address })
      for (const fn of ['fund', 'fundFromCredit'] as const) expect(await refusal(world.call(stranger, fn, [terms]))).toBe('NotClient')
      expect(await refusal(world.call(stranger, 'fundMany', [[terms]]))).toBe('NotClient')
      expect(await refusal(world.call(stranger, 'fundWithPermit', [terms, 2n ** 48n, 27, zeroHash, zeroHash]))).toBe('NotClient')
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
      ]
      for (const change of changes) {
        expect(await refusal(world.fundWithAuthorization({ ...terms, ...change }, 0n, far, signature))).toBe('ERC3009InvalidSignature')
      }
      await world.fundWithAuthorization(terms, 0n, far, signature)
    }))

  it('a batch of seals is not spoiled by one that somebody brought first', () =>
    undone(world, async () => {
      const open = [await world.terms(), await world.terms()]
      for (const terms of open) await world.fund(terms)
      const sealings = await Promise.all(open.map((terms) => world.sealing(terms, charterOf())))
      await world.call(stranger, 'seal', [sealings[0] as (typeof sealings)[0]])
      await world.call(relayer, 'sealMany', [sealings])
      expect((await world.plan(open[1] as (typeof open)[0])).version).toBe(1)
    }))
})

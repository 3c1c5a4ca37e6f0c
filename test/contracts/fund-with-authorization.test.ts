/**
 * fundWithAuthorization
 * ├── reverts when the terms are unsound, as in fund
 * ├── reverts when the authorization is not the client's, or is for other terms, another receiver or another time
 * ├── reverts when the authorization was used or cancelled
 * ├── reverts when less arrives than the terms set aside
 * ├── reverts when the plan was funded before, by allowance too
 * ├── cannot be spent anywhere but here
 * └── moves the total in on one signature, regardless of who brings it, from a key or a contract wallet
 */
import { type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testUsdcAbi, testUsdcDomain } from '../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode, waywardTokenAbi } from '../../contracts/abi/mocks.ts'
import { actors, createWorld, revertOf, settlementOf, unsealed, usdc, type World } from './world.ts'

let world: World
let validBefore: bigint
beforeAll(async () => {
  world = await createWorld()
  validBefore = BigInt(await world.now()) + 86_400n
})
afterAll(() => world[Symbol.asyncDispose]())

const used = 'ERC3009UsedAuthorization'
const forged = 'ERC3009InvalidSignature'
const untimely = 'ERC3009InvalidAuthorizationTime'

describe('fundWithAuthorization', () => {
  it('reverts when the terms are unsound', async () => {
    const attempt = async (changes: Parameters<World['terms']>[0]) => {
      const terms = await world.terms(changes)
      return revertOf(world.fundWithAuthorization(terms, 0n, validBefore, await world.signFunding(terms, validBefore)))
    }
    expect(await attempt({ client: zeroAddress })).toEqual(['MissingClient'])
    expect(await attempt({ token: world.escrow })).toEqual(['TokenNotAllowed', world.escrow])
    expect(await attempt({ total: 0n })).toEqual(['EmptyTotal'])
    expect(await attempt({ evaluator: zeroAddress })).toEqual(['MissingEvaluator'])
    expect((await attempt({ workBy: 1 }))[0]).toBe('BadDeadlines')
    expect((await attempt({ feeBps: 1001 }))[0]).toBe('FeeTooHigh')
    expect(await attempt({ feeBps: 1, feeTo: zeroAddress })).toEqual(['MissingFeeTo'])
  })

  it('reverts when another account signed', async () => {
    const terms = await world.terms()
    const signature = await world.signFunding(terms, validBefore, actors.stranger)
    expect(await revertOf(world.fundWithAuthorization(terms, 0n, validBefore, signature))).toEqual([forged])
    expect((await world.plan(terms)).status).toBe(0)
  })

  it('reverts when any one of the terms is another than was signed', async () => {
    const terms = await world.terms({ feeBps: 100 })
    const signature = await world.signFunding(terms, validBefore)
    const { stranger } = actors
    const others = [
      { total: terms.total - 1n },
      { workBy: terms.workBy - 1 },
      { reviewBy: terms.reviewBy - 1 },
      { expiry: terms.expiry + 1 },
      { feeBps: 101 },
      { feeTo: stranger.address },
      { evaluator: stranger.address },
      { arbitrator: stranger.address },
      { onSilence: 1, reviewBy: terms.reviewBy },
      { charter: `0x${'11'.repeat(32)}` as Hex },
      { briefHash: `0x${'11'.repeat(32)}` as Hex },
      { salt: terms.salt + 7_000n },
    ]
    for (const other of others) {
      expect(await revertOf(world.fundWithAuthorization({ ...terms, ...other }, 0n, validBefore, signature))).toEqual([forged])
    }
  })

  it('reverts outside the time that was signed', async () => {
    const terms = await world.terms()
    const past = BigInt(await world.now()) - 1n
    expect((await revertOf(world.fundWithAuthorization(terms, 0n, past, await world.signFunding(terms, past))))[0]).toBe(untimely)
    const signature = await world.signFunding(terms, validBefore)
    expect(await revertOf(world.fundWithAuthorization(terms, 0n, validBefore + 1n, signature))).toEqual([forged])
  })

  it('reverts when the client cancelled', async () => {
    const terms = await world.terms()
    const signature = await world.signFunding(terms, validBefore)
    const cancel = await actors.client.signTypedData({
      domain: testUsdcDomain({ chainId: world.at.chainId, token: world.token }),
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: terms.client, nonce: world.planId(terms) },
    })
    await world.write(actors.relayer, world.token, testUsdcAbi, 'cancelAuthorization', [terms.client, world.planId(terms), cancel])
    expect((await revertOf(world.fundWithAuthorization(terms, 0n, validBefore, signature)))[0]).toBe(used)
  })

  it('reverts when less arrives than the terms set aside', async () => {
    await world.write(actors.relayer, world.wayward, waywardTokenAbi, 'setFee', [1n])
    const terms = await world.terms({ token: world.wayward })
    const short = terms.total - terms.total / 10_000n
    expect(await revertOf(world.fundWithAuthorization(terms, 0n, validBefore, '0x'))).toEqual(['ReceivedLess', short, terms.total])
    await world.write(actors.relayer, world.wayward, waywardTokenAbi, 'setFee', [0n])
  })

  it('reverts when the plan was funded before, by signature, by allowance, and after it was closed', async () => {
    for (const first of ['signature', 'allowance'] as const) {
      const terms = await world.terms()
      const signature = await world.signFunding(terms, validBefore)
      if (first === 'signature') await world.fundWithAuthorization(terms, 0n, validBefore, signature)
      else await world.fund(terms)
      const again = () => revertOf(world.fundWithAuthorization(terms, 0n, validBefore, signature))
      expect(await again()).toEqual(['AlreadyFunded', world.planId(terms)])
      expect(await revertOf(world.fund(terms))).toEqual(['AlreadyFunded', world.planId(terms)])
      await world.settle(terms, unsealed, settlementOf(0n, true))
      expect(await again()).toEqual(['AlreadyFunded', world.planId(terms)])
    }
  })

  it('cannot be spent by any account who goes to the token directly', async () => {
    const terms = await world.terms()
    const signature = await world.signFunding(terms, validBefore)
    const args = [terms.client, world.escrow, terms.total, 0n, validBefore, world.planId(terms), signature]
    const direct = (name: string) => revertOf(world.write(actors.stranger, world.token, testUsdcAbi, name, args))
    expect((await direct('receiveWithAuthorization'))[0]).toBe('ERC20InvalidReceiver')
    expect((await direct('transferWithAuthorization'))[0]).toBe('ERC3009InvalidSignature')
    await world.fundWithAuthorization(terms, 0n, validBefore, signature)
  })

  it('takes the total in from a client without gas, brought by any account', async () => {
    const terms = await world.terms()
    const [client, escrow] = [await world.balance(terms.client), await world.balance(world.escrow)]
    const signature = await world.signFunding(terms, validBefore)
    const { events } = await world.fundWithAuthorization(terms, 0n, validBefore, signature, actors.stranger)
    expect(await world.balance(terms.client)).toBe(client - terms.total)
    expect(await world.balance(world.escrow)).toBe(escrow + terms.total)
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: terms.total, codes: 0n, version: 0 })
    expect(events.map((event) => event.name)).toEqual(['PlanFunded'])
  })

  it('takes the total in from a contract wallet', async () => {
    const wallet = await world.deploy(testWalletAbi, testWalletBytecode, [actors.client.address])
    await world.write(actors.relayer, world.token, testUsdcAbi, 'mint', [wallet, usdc(10)])
    const terms = await world.terms({ client: wallet })
    await world.fundWithAuthorization(terms, 0n, validBefore, await world.signFunding(terms, validBefore))
    expect(await world.balance(wallet)).toBe(0n)
    expect((await world.plan(terms)).remaining).toBe(usdc(10))
  })
})

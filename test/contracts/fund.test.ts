/**
 * fund
 * ├── reverts when the caller is not the client
 * ├── reverts when the terms are unsound: no client, token off the list, no total, no evaluator,
 * │   work, review or expiry out of order, too little time to claim or to rule, no such silence,
 * │   one address in two roles, fee above the cap, a fee that no account takes
 * ├── reverts when the money is not there: no balance, no allowance, less received than set aside
 * ├── reverts when the plan was funded before: now funded, settled and closed, refunded
 * ├── moves the total in, writes the plan, emits its event
 * └── the tokens: one to four, each a contract, and zero is none of them
 */
import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planEscrowAbi, planEscrowBytecode, testUsdcAbi } from '../../contracts/abi/index.ts'
import { waywardTokenAbi, waywardTokenBytecode } from '../../contracts/abi/mocks.ts'
import { actors, createWorld, hash, revertOf, settlementOf, unsealed, usdc, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

describe('fund', () => {
  it('reverts when the caller is not the client', async () => {
    const { client, stranger } = actors
    expect(await revertOf(world.fund(await world.terms(), stranger))).toEqual(['NotClient', stranger.address, client.address])
  })

  it('reverts when the token is not on the list', async () => {
    expect(await revertOf(world.fund(await world.terms({ token: world.escrow })))).toEqual(['TokenNotAllowed', world.escrow])
  })

  it('reverts when nothing is set aside', async () => {
    expect(await revertOf(world.fund(await world.terms({ total: 0n })))).toEqual(['EmptyTotal'])
  })

  it('reverts when no account evaluates', async () => {
    expect(await revertOf(world.fund(await world.terms({ evaluator: zeroAddress })))).toEqual(['MissingEvaluator'])
  })

  it('reverts when the work is due in the past, or this very second', async () => {
    const past = await world.now()
    const [name, , workBy] = await revertOf(world.fund(await world.terms({ workBy: past })))
    expect([name, workBy]).toEqual(['BadDeadlines', past])
  })

  it('reverts when work, review and expiry are out of order, by one second', async () => {
    const terms = await world.terms()
    const { workBy, expiry } = terms
    for (const changes of [{ reviewBy: workBy - 1 }, { reviewBy: expiry + 1 }, { reviewBy: workBy, expiry: workBy - 1 }]) {
      const late = { ...terms, ...changes }
      const [name, , ...times] = await revertOf(world.fund(late))
      expect([name, ...times]).toEqual(['BadDeadlines', late.workBy, late.reviewBy, late.expiry])
    }
  })

  it('accepts a review and an expiry at the moment the work is due, where silence refunds and no account arbitrates', async () => {
    const { workBy, ...rest } = await world.terms()
    const terms = { ...rest, workBy, reviewBy: workBy, expiry: workBy }
    await world.fund(terms)
    expect((await world.plan(terms)).status).toBe(1)
  })

  it.each([
    ['silence pays', { onSilence: 1 }],
    ['silence pays and members are replaced', { onSilence: 3 }],
    ['an arbitrator is named', { arbitrator: actors.arbitrator.address }],
  ])('reverts when there is a second too little to claim or to rule, where %s', async (_, changes) => {
    const terms = await world.terms(changes)
    const { workBy } = terms
    const min = { reviewBy: workBy + 600, expiry: workBy + 1200 }
    expect(await revertOf(world.fund({ ...terms, ...min, reviewBy: workBy + 599 }))).toEqual(['WindowTooShort', 599n, 600n])
    expect(await revertOf(world.fund({ ...terms, ...min, expiry: workBy + 1199 }))).toEqual(['WindowTooShort', 599n, 600n])
    await world.fund({ ...terms, ...min })
  })

  it('reverts when the silence is no set of the three bits, or splits without paying', async () => {
    for (const onSilence of [4, 6, 8, 13, 255]) {
      expect(await revertOf(world.fund(await world.terms({ onSilence })))).toEqual(['BadSilence', onSilence])
    }
  })

  it('reverts when one address holds two roles that judge each other', async () => {
    const [client, evaluator] = [actors.client.address, actors.evaluator.address]
    expect(await revertOf(world.fund(await world.terms({ evaluator: client })))).toEqual(['SelfDealing', client])
    expect(await revertOf(world.fund(await world.terms({ arbitrator: client })))).toEqual(['SelfDealing', client])
    expect(await revertOf(world.fund(await world.terms({ arbitrator: evaluator })))).toEqual(['SelfDealing', evaluator])
  })

  it('reverts when the fee is above the cap, and accepts the cap', async () => {
    expect(await revertOf(world.fund(await world.terms({ feeBps: 1001 })))).toEqual(['FeeTooHigh', 1001n, 1000n])
    await world.fund(await world.terms({ feeBps: 1000 }))
  })

  it('reverts when a fee is asked that no account can take', async () => {
    expect(await revertOf(world.fund(await world.terms({ feeBps: 1, feeTo: zeroAddress })))).toEqual(['MissingFeeTo'])
    expect(await revertOf(world.fund(await world.terms({ feeBps: 1, feeTo: world.escrow })))).toEqual(['MissingFeeTo'])
    await world.fund(await world.terms({ feeBps: 0, feeTo: zeroAddress }))
  })

  it('reverts when the client has too little', async () => {
    const [name] = await revertOf(world.fund(await world.terms({ total: usdc(1_000_000) })))
    expect(name).toBe('ERC20InsufficientBalance')
  })

  it('reverts when the client allowed too little', async () => {
    const { alice } = actors
    await world.write(actors.relayer, world.token, testUsdcAbi, 'mint', [alice.address, usdc(100)])
    const [name] = await revertOf(world.fund(await world.terms({ client: alice.address }), alice))
    expect(name).toBe('ERC20InsufficientAllowance')
  })

  it('reverts when less arrives than the terms set aside', async () => {
    await world.write(actors.relayer, world.wayward, waywardTokenAbi, 'setFee', [1n])
    const terms = await world.terms({ token: world.wayward })
    expect(await revertOf(world.fund(terms))).toEqual(['ReceivedLess', terms.total - terms.total / 10_000n, terms.total])
    expect((await world.plan(terms)).status).toBe(0)
    await world.write(actors.relayer, world.wayward, waywardTokenAbi, 'setFee', [0n])
  })

  it('reverts when the token answers false, or answers true and moves nothing', async () => {
    const terms = await world.terms({ token: world.wayward })
    await world.write(actors.relayer, world.wayward, waywardTokenAbi, 'setAnswer', [world.escrow, 2])
    expect(await revertOf(world.fund(terms))).toEqual(['SafeERC20FailedOperation', world.wayward])
    await world.write(actors.relayer, world.wayward, waywardTokenAbi, 'setAnswer', [world.escrow, 7])
    expect(await revertOf(world.fund(terms))).toEqual(['ReceivedLess', 0n, terms.total])
    await world.write(actors.relayer, world.wayward, waywardTokenAbi, 'setAnswer', [world.escrow, 0])
  })

  it('reverts when the plan is funded already, and after it was closed', async () => {
    const terms = await world.terms()
    const planId = world.planId(terms)
    await world.fund(terms)
    expect(await revertOf(world.fund(terms))).toEqual(['AlreadyFunded', planId])
    await world.settle(terms, unsealed, settlementOf(0n, true))
    expect(await revertOf(world.fund(terms))).toEqual(['AlreadyFunded', planId])
  })

  it('takes the total in, writes the plan, and emits its event', async () => {
    const terms = await world.terms({ total: usdc(12.5), briefHash: hash(0x77) })
    const [client, escrow] = [await world.balance(terms.client), await world.balance(world.escrow)]
    const { events } = await world.fund(terms)
    expect(await world.balance(terms.client)).toBe(client - terms.total)
    expect(await world.balance(world.escrow)).toBe(escrow + terms.total)
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: terms.total, codes: 0n, version: 0 })
    expect(events).toEqual([
      {
        name: 'PlanFunded',
        planId: world.planId(terms),
        client: terms.client,
        token: terms.token,
        total: terms.total,
      },
    ])
  })

  it('gives terms that differ in the salt alone two plans', async () => {
    const terms = await world.terms()
    await world.fund(terms)
    await world.fund({ ...terms, salt: terms.salt + 1_000_000n })
    expect((await world.plan(terms)).remaining).toBe(terms.total)
  })
})

describe('the list of tokens', () => {
  const escrowFor = (...tokens: Address[]) => world.deploy(planEscrowAbi, planEscrowBytecode, [tokens])

  it('has one to four of them, and zero is never on it', async () => {
    const fourth = await world.deploy(waywardTokenAbi, waywardTokenBytecode)
    const all = [world.token, world.wayward, world.reentering, fourth]
    const [one, four] = [await escrowFor(world.token), await escrowFor(...all)]
    const allowed = (address: Address, token: Address) =>
      world.reader.readContract({ address, abi: planEscrowAbi, functionName: 'isTokenAllowed', args: [token] })
    const answers = (escrow: Address) => Promise.all([...all, zeroAddress].map((token) => allowed(escrow, token)))
    expect(await answers(one)).toEqual([true, false, false, false, false])
    expect(await answers(four)).toEqual([true, true, true, true, false])
  })

  it('is refused with none, with one too many, and with an address that is no contract', async () => {
    await expect(escrowFor()).rejects.toThrow()
    await expect(escrowFor(...Array.from({ length: 5 }, () => world.token))).rejects.toThrow()
    await expect(escrowFor(world.token, actors.stranger.address)).rejects.toThrow()
  })
})

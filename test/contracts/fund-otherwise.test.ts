/**
 * The other ways in
 * ├── fundMany: all or none, the caller's own only, one transfer for neighbours in one token
 * ├── fundFromCredit: the caller's own credit, as far as it goes; no token moves
 * ├── fundWithPermit: the caller's own only; works when somebody used the permit first, or the token knows none
 * └── fundWithPermit2
 *     ├── reverts when the signature is for other terms, another token, spender, nonce or time, is cut off, or is used
 *     ├── reverts when less arrives, where Permit2 has no leave to move the token, and where there is no Permit2
 *     └── takes the total in, brought by anybody, from a key or a wallet
 */
import { domainSeparator, encodeFunctionData, type Hex, parseSignature, slice } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type PlanTerms,
  permit2Address,
  permit2Domain,
  planEscrowAbi,
  planEscrowBytecode,
  testUsdcAbi,
  testUsdcDomain,
} from '../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode, waywardTokenAbi } from '../../contracts/abi/mocks.ts'
import { deployPermit2, permit2Abi, permit2CreationCode, placeOf } from './permit2/permit2.ts'
import { actors, charterOf, createWorld, hash, hiredFor, revertOf, settlementOf, unsealed, usdc, type World } from './world.ts'

const { bob, carol, client, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

describe('fundMany', () => {
  it("reverts whole when one of the plans is another's, unsound or funded", async () => {
    const good = await world.terms()
    const funded = await world.terms()
    await world.fund(funded)
    const attempt = async (bad: PlanTerms) => (await revertOf(world.call(client, 'fundMany', [[good, bad]])))[0]
    expect(await attempt(await world.terms({ client: stranger.address }))).toBe('NotClient')
    expect(await attempt(await world.terms({ total: 0n }))).toBe('EmptyTotal')
    expect(await attempt(funded)).toBe('AlreadyFunded')
    expect(await attempt(good)).toBe('AlreadyFunded')
    expect((await world.plan(good)).status).toBe(0)
  })

  it('takes all in, neighbours in one token by one transfer', async () => {
    const { token, wayward } = world
    const plans = await Promise.all([token, token, wayward, token].map((of, i) => world.terms({ token: of, total: usdc(i + 1) })))
    const before = [await world.balance(world.escrow), await world.balance(world.escrow, wayward)] as const
    const { receipt } = await world.call(client, 'fundMany', [plans])
    expect((await world.balance(world.escrow)) - before[0]).toBe(usdc(7))
    expect((await world.balance(world.escrow, wayward)) - before[1]).toBe(usdc(3))
    expect(receipt.logs.filter((log) => log.address !== world.escrow.toLowerCase())).toHaveLength(3)
    for (const of of plans) expect(await world.plan(of)).toMatchObject({ status: 1, remaining: of.total })
  })
})

describe('fundFromCredit', () => {
  it('takes the total out of the credit, and no more than there is', async () => {
    const paid = await world.terms({ feeBps: 1000, feeTo: carol.address })
    await world.fund(paid)
    await world.seal(paid, charterOf())
    await world.settle(paid, charterOf(), settlementOf(0b111n))
    const held = await world.credit(carol.address)
    expect(held).toBe(usdc(0.6))

    const terms = await world.terms({ client: carol.address, total: usdc(0.4) })
    expect((await revertOf(world.call(stranger, 'fundFromCredit', [terms])))[0]).toBe('NotClient')
    const escrow = await world.balance(world.escrow)
    const { events } = await world.call(carol, 'fundFromCredit', [terms])
    expect(events.map((event) => event.name)).toEqual(['PlanFunded', 'CreditSpent'])
    expect([await world.credit(carol.address), await world.balance(world.escrow)]).toEqual([usdc(0.2), escrow])
    const more = await world.terms({ client: carol.address, total: usdc(0.2) + 1n })
    expect(await revertOf(world.call(carol, 'fundFromCredit', [more]))).toEqual(['CreditTooSmall', usdc(0.2), usdc(0.2) + 1n])
    await world.settle(terms, unsealed, settlementOf(0n, true))
    expect(await world.balance(carol.address)).toBe(usdc(0.4) + usdc(3))
  })
})

describe('fundWithPermit', () => {
  const deadline = 4_102_444_800n

  async function permitted() {
    const terms = await world.terms({ client: bob.address, total: usdc(1) })
    await world.write(relayer, world.token, testUsdcAbi, 'mint', [bob.address, usdc(1)])
    const nonce = await world.reader.readContract({ address: world.token, abi: testUsdcAbi, functionName: 'nonces', args: [bob.address] })
    const permit = await bob.signTypedData({
      domain: testUsdcDomain({ chainId: world.at.chainId, token: world.token }),
      types: {
        Permit: ['owner address', 'spender address', 'value uint256', 'nonce uint256', 'deadline uint256'].map((field) => {
          const [name = '', type = ''] = field.split(' ')
          return { name, type }
        }),
      },
      primaryType: 'Permit',
      message: { owner: bob.address, spender: world.escrow, value: terms.total, nonce, deadline },
    })
    const { r, s, yParity } = parseSignature(permit)
    return { terms, v: 27 + yParity, r, s }
  }

  it('reverts for somebody else than the client: a permit signs no terms', async () => {
    const { terms, v, r, s } = await permitted()
    const attempt = world.call(stranger, 'fundWithPermit', [terms, deadline, v, r, s])
    expect(await revertOf(attempt)).toEqual(['NotClient', stranger.address, bob.address])
    await world.call(bob, 'fundWithPermit', [terms, deadline, v, r, s])
    expect((await world.plan(terms)).status).toBe(1)
  })

  it('works when somebody used the permit first', async () => {
    const { terms, v, r, s } = await permitted()
    await world.write(stranger, world.token, testUsdcAbi, 'permit', [bob.address, world.escrow, terms.total, deadline, v, r, s])
    await world.call(bob, 'fundWithPermit', [terms, deadline, v, r, s])
    expect((await world.plan(terms)).status).toBe(1)
  })

  it('reverts when the permit is bad and no allowance is there', async () => {
    const { terms, v, r } = await permitted()
    const attempt = world.call(bob, 'fundWithPermit', [terms, deadline, v, r, hash(1)])
    expect((await revertOf(attempt))[0]).toBe('ERC20InsufficientAllowance')
  })

  it('falls back on the allowance with a token that knows no permits', async () => {
    const terms = await world.terms({ token: world.wayward })
    await world.call(client, 'fundWithPermit', [terms, deadline, 27, hash(1), hash(2)])
    expect((await world.plan(terms)).status).toBe(1)
  })
})

describe('fundWithPermit2', () => {
  const deadline = 4_102_444_800n
  let nonce = 0n

  beforeAll(async () => {
    await deployPermit2(world.connection.provider)
    for (const token of [world.token, world.wayward]) {
      await world.write(client, token, testUsdcAbi, 'approve', [permit2Address, 2n ** 256n - 1n])
    }
  })

  const bring = (of: PlanTerms, at: bigint, until: bigint, signature: Hex) =>
    world.call(stranger, 'fundWithPermit2', [of, at, until, signature])
  async function attempt(of: PlanTerms, at: bigint, until: bigint, signature: Hex) {
    const call = { address: world.escrow, abi: [...planEscrowAbi, ...permit2Abi], functionName: 'fundWithPermit2' } as const
    const [name, reason] = await revertOf(world.reader.simulateContract({ ...call, account: stranger, args: [of, at, until, signature] }))
    return name === 'Error' ? reason : name
  }

  it('meets the code of all other chains, in the domain that is signed for', async () => {
    expect(placeOf(permit2CreationCode)).toBe(permit2Address)
    const separator = { address: permit2Address, abi: permit2Abi, functionName: 'DOMAIN_SEPARATOR' } as const
    const ours = domainSeparator({ domain: permit2Domain(world.at.chainId) })
    expect(await world.reader.readContract(separator)).toBe(ours)
  })

  it('reverts when the signature is not for exactly these terms, token, escrow, nonce and time', async () => {
    const terms = await world.terms()
    const signature = await world.signPermit2(terms, ++nonce, deadline)
    for (const other of [{ total: 1n }, { evaluator: bob.address }, { salt: 5n }, { token: world.wayward }, hiredFor(charterOf())]) {
      expect(await attempt({ ...terms, ...other }, nonce, deadline, signature)).toBe('InvalidSigner')
    }
    expect(await attempt(terms, nonce + 1n, deadline, signature)).toBe('InvalidSigner')
    expect(await attempt(terms, nonce, deadline + 1n, signature)).toBe('InvalidSigner')
    expect(await attempt(terms, nonce, 1n, await world.signPermit2(terms, nonce, 1n))).toBe('SignatureExpired')
    expect(await attempt(terms, nonce, deadline, await world.signPermit2(terms, nonce, deadline, stranger))).toBe('InvalidSigner')
    expect(await attempt(terms, nonce, deadline, slice(signature, 0, 60))).toBe('InvalidSignatureLength')
    const second = await world.deploy(planEscrowAbi, planEscrowBytecode, [[world.token]])
    const there = { address: second, abi: [...planEscrowAbi, ...permit2Abi], functionName: 'fundWithPermit2' } as const
    const elsewhere = world.reader.simulateContract({ ...there, account: stranger, args: [terms, nonce, deadline, signature] })
    expect((await revertOf(elsewhere))[0]).toBe('InvalidSigner')
  })

  it('takes the total in once, brought by anybody', async () => {
    const terms = await world.terms()
    const signature = await world.signPermit2(terms, ++nonce, deadline)
    const before = await world.balance(world.escrow)
    const { events } = await bring(terms, nonce, deadline, signature)
    expect((await world.balance(world.escrow)) - before).toBe(terms.total)
    expect(events.map((event) => event.name)).toEqual(['PlanFunded'])
    expect(await attempt(terms, nonce, deadline, signature)).toBe('AlreadyFunded')
    const other = await world.terms()
    expect(await attempt(other, nonce, deadline, await world.signPermit2(other, nonce, deadline))).toBe('InvalidNonce')
  })

  it("takes a wallet's total in on its word, and on nobody else's", async () => {
    const wallet = await world.deploy(testWalletAbi, testWalletBytecode, [bob.address])
    await world.write(relayer, world.token, testUsdcAbi, 'mint', [wallet, usdc(10)])
    const terms = await world.terms({ client: wallet })
    const signature = await world.signPermit2(terms, 300n, deadline, bob)
    expect(await attempt(terms, 300n, deadline, signature)).toBe('TRANSFER_FROM_FAILED')
    const approve = { abi: testUsdcAbi, functionName: 'approve', args: [permit2Address, terms.total] } as const
    await world.write(bob, wallet, testWalletAbi, 'execute', [world.token, encodeFunctionData(approve)])
    expect(await attempt(terms, 300n, deadline, await world.signPermit2(terms, 300n, deadline, stranger))).toBe('InvalidContractSignature')
    await bring(terms, 300n, deadline, signature)
    expect(await world.plan(terms)).toMatchObject({ status: 1, remaining: terms.total })
    const used = { address: permit2Address, abi: permit2Abi, functionName: 'nonceBitmap', args: [wallet, 1n] } as const
    expect(await world.reader.readContract(used)).toBe(1n << 44n)
  })

  it('reverts when less arrives than the terms set aside', async () => {
    const terms = await world.terms({ token: world.wayward })
    const signature = await world.signPermit2(terms, ++nonce, deadline)
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setFee', [1n])
    expect(await attempt(terms, nonce, deadline, signature)).toBe('ReceivedLess')
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setFee', [0n])
  })

  it('reverts on a chain without Permit2', async () => {
    await using bare = await createWorld()
    const terms = await bare.terms()
    const signature = await bare.signPermit2(terms, 1n, deadline)
    await expect(bare.call(stranger, 'fundWithPermit2', [terms, 1n, deadline, signature])).rejects.toThrow()
    expect((await bare.plan(terms)).status).toBe(0)
  })
})

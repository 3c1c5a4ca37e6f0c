/**
 * The other ways in
 * ├── fundMany: all or none, the caller's own only, one transfer for neighbours in one token
 * └── fundWithPermit2
 *     ├── reverts when the signature is for other terms, another token, spender, nonce or time, is cut off, or is used
 *     ├── reverts when less arrives, where Permit2 has no leave to move the token, and where there is no Permit2
 *     └── takes the total in, brought by any account, from a key or a wallet
 */
import { domainSeparator, encodeFunctionData, type Hex, slice } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PlanTerms, permit2Address, permit2Domain, planEscrowAbi, planEscrowBytecode, testUsdcAbi } from '../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode, waywardTokenAbi } from '../../contracts/abi/mocks.ts'
import { deployPermit2, permit2Abi, permit2CreationCode, placeOf } from './permit2/permit2.ts'
import { actors, charterOf, createWorld, hiredFor, revertOf, usdc, type World } from './world.ts'

const { bob, client, relayer, stranger } = actors

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

  it('takes the total in once, brought by any account', async () => {
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

  it("takes a wallet's total in with its signature, and with no other account's", async () => {
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

/**
 * TestUSDC
 * ├── states what it is: 6 decimals, name, symbol, the domain that clients sign for
 * ├── mint: up to the cap, by any account
 * ├── permit: once, by the owner, in time
 * └── transfer-, receive- and cancelAuthorization, as (v, r, s) and as bytes, by keys and by contract wallets:
 *     once, by the signer, in time, and received by the caller only
 */
import { type Address, type Hex, type LocalAccount, parseSignature } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiveWithAuthorizationTypes, testUsdcAbi, testUsdcDomain } from '../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode } from '../../contracts/abi/mocks.ts'
import { actors, createWorld, hash, revertOf, usdc, type World } from './world.ts'

const { alice, bob, client, relayer, stranger } = actors
let world: World
let validBefore: bigint
beforeAll(async () => {
  world = await createWorld()
  validBefore = BigInt(await world.now()) + 86_400n
})
afterAll(() => world[Symbol.asyncDispose]())

let nonces = 0
const nextNonce = () => hash(++nonces)
const call = (by: LocalAccount, name: string, args: readonly unknown[]) => world.write(by, world.token, testUsdcAbi, name, args)
const domain = () => testUsdcDomain({ chainId: world.at.chainId, token: world.token })

type Authorization = { from: Address; to: Address; value: bigint; validAfter: bigint; validBefore: bigint; nonce: Hex }
const authorization = (changes: Partial<Authorization> = {}): Authorization => ({
  from: client.address,
  to: alice.address,
  value: usdc(1),
  validAfter: 0n,
  validBefore,
  nonce: nextNonce(),
  ...changes,
})
const kinds = ['TransferWithAuthorization', 'ReceiveWithAuthorization'] as const
type Kind = (typeof kinds)[number]
const fields = receiveWithAuthorizationTypes.ReceiveWithAuthorization
const sign = (kind: Kind, message: Authorization, by: LocalAccount = client) =>
  by.signTypedData({ domain: domain(), types: { [kind]: fields }, primaryType: kind, message })

const functionOf = (kind: Kind) => kind.replace(/^./, (first) => first.toLowerCase())
const forms = ['(v, r, s)', 'bytes'] as const
const tail = (form: (typeof forms)[number], signature: Hex): readonly unknown[] => {
  const { r, s, v } = parseSignature(signature)
  return form === 'bytes' ? [signature] : [Number(v), r, s]
}
const args = (a: Authorization) => [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce]
const signCancel = (authorizer: Address, nonce: Hex, by: LocalAccount = client) =>
  by.signTypedData({
    domain: domain(),
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer, nonce },
  })

describe('TestUSDC', () => {
  it('states what it is', async () => {
    const read = <const F extends 'name' | 'symbol' | 'decimals' | 'eip712Domain'>(functionName: F) =>
      world.reader.readContract({ address: world.token, abi: testUsdcAbi, functionName })
    expect([await read('name'), await read('symbol'), await read('decimals')]).toEqual(['Test USD Coin', 'USDC', 6])
    const { name, version, chainId, verifyingContract } = domain()
    expect((await read('eip712Domain')).slice(1, 5)).toEqual([name, version, BigInt(chainId), verifyingContract])
  })

  it('mints up to the cap, for any account', async () => {
    expect(await revertOf(call(stranger, 'mint', [bob.address, usdc(1000) + 1n]))).toEqual(['MintTooLarge', usdc(1000) + 1n, usdc(1000)])
    const before = await world.balance(bob.address)
    await call(stranger, 'mint', [bob.address, usdc(1000)])
    expect((await world.balance(bob.address)) - before).toBe(usdc(1000))
  })

  it('permits once, with the owner’s signature, in time', async () => {
    const types = {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    } as const
    const permit = async (deadline: bigint, by: LocalAccount) => {
      const message = { owner: client.address, spender: bob.address, value: usdc(3), nonce: 0n, deadline }
      const { r, s, v } = parseSignature(await by.signTypedData({ domain: domain(), types, primaryType: 'Permit', message }))
      return call(relayer, 'permit', [client.address, bob.address, usdc(3), deadline, Number(v), r, s])
    }
    expect((await revertOf(permit(1n, client)))[0]).toBe('ERC2612ExpiredSignature')
    expect((await revertOf(permit(validBefore, stranger)))[0]).toBe('ERC2612InvalidSigner')
    await permit(validBefore, client)
    await call(bob, 'transferFrom', [client.address, bob.address, usdc(3)])
    expect((await revertOf(permit(validBefore, client)))[0]).toBe('ERC2612InvalidSigner')
  })

  for (const kind of kinds) {
    for (const form of forms) {
      describe(`${functionOf(kind)} ${form}`, () => {
        const by = kind === 'ReceiveWithAuthorization' ? alice : stranger
        const send = (a: Authorization, signature: Hex) => call(by, functionOf(kind), [...args(a), ...tail(form, signature)])

        it('reverts when another signed, or signed something else', async () => {
          const a = authorization()
          const bad = ['ERC3009InvalidSignature']
          expect(await revertOf(send(a, await sign(kind, a, stranger)))).toEqual(bad)
          expect(await revertOf(send({ ...a, value: usdc(2) }, await sign(kind, a)))).toEqual(bad)
          const other = kinds.find((one) => one !== kind) as Kind
          expect(await revertOf(send(a, await sign(other, a)))).toEqual(bad)
        })

        it('reverts too early and too late', async () => {
          const now = BigInt(await world.now())
          for (const a of [authorization({ validAfter: now + 1000n }), authorization({ validBefore: now - 1000n })]) {
            expect((await revertOf(send(a, await sign(kind, a))))[0]).toBe('ERC3009InvalidAuthorizationTime')
          }
        })

        it('moves the value once', async () => {
          const a = authorization()
          const signature = await sign(kind, a)
          const before = await world.balance(alice.address)
          await send(a, signature)
          expect((await world.balance(alice.address)) - before).toBe(usdc(1))
          expect(await revertOf(send(a, signature))).toEqual(['ERC3009UsedAuthorization', client.address, a.nonce])
        })

        it('reverts once it is cancelled, in either form, by the signer only', async () => {
          const a = authorization()
          const cancel = async (signer: LocalAccount) =>
            call(relayer, 'cancelAuthorization', [
              client.address,
              a.nonce,
              ...tail(form, await signCancel(client.address, a.nonce, signer)),
            ])
          expect((await revertOf(cancel(stranger)))[0]).toBe('ERC3009InvalidSignature')
          await cancel(client)
          expect((await revertOf(send(a, await sign(kind, a))))[0]).toBe('ERC3009UsedAuthorization')
        })
      })
    }
  }

  it.each(forms)('is received by the caller only, as %s', async (form) => {
    const a = authorization()
    const signature = await sign('ReceiveWithAuthorization', a)
    const taken = revertOf(call(stranger, 'receiveWithAuthorization', [...args(a), ...tail(form, signature)]))
    expect(await taken).toEqual(['ERC20InvalidReceiver', alice.address])
  })

  it('moves and cancels with the signature of a contract wallet', async () => {
    const wallet = await world.deploy(testWalletAbi, testWalletBytecode, [client.address])
    await call(relayer, 'mint', [wallet, usdc(5)])
    const a = authorization({ from: wallet })
    await call(stranger, 'transferWithAuthorization', [...args(a), await sign('TransferWithAuthorization', a)])
    expect(await world.balance(wallet)).toBe(usdc(4))
    const b = authorization({ from: wallet })
    await call(stranger, 'cancelAuthorization', [wallet, b.nonce, await signCancel(wallet, b.nonce)])
    const spent = revertOf(call(stranger, 'transferWithAuthorization', [...args(b), await sign('TransferWithAuthorization', b)]))
    expect((await spent)[0]).toBe('ERC3009UsedAuthorization')
  })
})

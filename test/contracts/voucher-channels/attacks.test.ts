/** Attacks on VoucherChannels, by name. */
import { encodeFunctionData, type Hex, toFunctionSelector, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channelIdOf, claimFaults, voucherChannelsAbi, voucherChannelsBytecode } from '../../../contracts/abi/index.ts'
import { reenteringTokenAbi, testWalletAbi, testWalletBytecode, waywardTokenAbi } from '../../../contracts/abi/mocks.ts'
import { actors, hash, usdc } from '../actors.ts'
import { farOff } from '../chain.ts'
import { revertOf } from '../world.ts'
import { type ChannelWorld, createChannelWorld, delay, payer, receiver } from './world.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await createChannelWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const { relayer, stranger } = actors
const badSignature = claimFaults.indexOf('BadSignature')

describe('a channel that was never opened', () => {
  it('pays nothing out of what others set aside, by any call', async () => {
    const victim = await world.opened()
    // The attacker is every party at once, and signs every request.
    const config = world.config({ payer: stranger.address, receiver: stranger.address })
    const notOpen = ['NotOpen', world.id(config)]
    const claim = await world.claimOf(config, usdc(10), usdc(10), stranger)
    const close = await world.signClose(config, usdc(10), stranger)
    expect(await revertOf(world.call(stranger, 'claim', [claim]))).toEqual(['ClaimRefused', world.id(config), 1])
    expect(await revertOf(world.call(stranger, 'close', [config, 0n, '0x']))).toEqual(notOpen)
    expect(await revertOf(world.call(stranger, 'closeWithSignatures', [config, 0n, Number(farOff), close, close]))).toEqual(notOpen)
    expect(await revertOf(world.call(stranger, 'requestClose', [config]))).toEqual(notOpen)
    expect(await revertOf(world.call(stranger, 'withdraw', [config]))).toEqual(notOpen)
    expect((await world.call(stranger, 'claimMany', world.batchOf([claim]))).result).toBe(0n)
    expect(await world.balance(stranger.address)).toBe(0n)
    await world.call(receiver, 'close', [victim, usdc(10), await world.sign(victim, usdc(10))])
  })
})

describe('a closed channel', () => {
  it('is not opened again, so that its vouchers stay worthless', async () => {
    const config = await world.opened()
    const voucher = await world.claimOf(config, usdc(5))
    await world.call(receiver, 'close', [config, 0n, '0x'])
    expect(await revertOf(world.call(payer, 'open', [config, usdc(10)]))).toEqual(['AlreadyOpened', world.id(config)])
    const args = [config, usdc(10), 0n, farOff, await world.authorizeOpening(config, usdc(10))] as const
    expect(await revertOf(world.call(relayer, 'openWithAuthorization', args))).toEqual(['AlreadyOpened', world.id(config)])
    expect(await revertOf(world.call(receiver, 'claim', [voucher]))).toEqual(['ClaimRefused', world.id(config), 1])
  })
})

describe('a signature', () => {
  it('of one channel is none of another, nor of another contract or chain', async () => {
    const [config, sibling] = [await world.opened(), await world.opened()]
    const elsewhere = await world.deploy(voucherChannelsAbi, voucherChannelsBytecode)
    const foreign = { ...world.domain, verifyingContract: elsewhere }
    const types = {
      Voucher: [
        { name: 'channelId', type: 'bytes32' },
        { name: 'maxClaimableAmount', type: 'uint128' },
      ],
    } as const
    const message = { channelId: world.id(config), maxClaimableAmount: usdc(1) }
    const signatures = [
      await world.sign(sibling, usdc(1)),
      await payer.signTypedData({ domain: foreign, types, primaryType: 'Voucher', message }),
      await payer.signTypedData({ domain: { ...world.domain, chainId: 1 }, types, primaryType: 'Voucher', message }),
    ]
    for (const signature of signatures) {
      const refused = await revertOf(world.call(receiver, 'settle', [config, usdc(1), signature]))
      expect(refused).toEqual(['ClaimRefused', world.id(config), badSignature])
    }
    expect(channelIdOf({ ...world.at, channels: elsewhere }, config)).not.toBe(world.id(config))
  })

  it('over a close is no voucher, and a voucher no close', async () => {
    const config = await world.opened()
    const close = await world.signClose(config, usdc(1), payer)
    expect((await revertOf(world.call(receiver, 'settle', [config, usdc(1), close])))[2]).toBe(badSignature)
    const [voucher, mine] = [await world.sign(config, usdc(1)), await world.signClose(config, usdc(1), receiver)]
    const attempt = world.call(receiver, 'closeWithSignatures', [config, usdc(1), Number(farOff), voucher, mine])
    expect(await revertOf(attempt)).toEqual(['BadSignature', payer.address])
  })

  it('in its malleable, short or empty form counts for nothing', async () => {
    const config = await world.opened()
    const good = await world.sign(config, usdc(1))
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = (order - BigInt(`0x${good.slice(66, 130)}`)).toString(16).padStart(64, '0')
    const flipped = `${good.slice(0, 66)}${s}${good.endsWith('1b') ? '1c' : '1b'}` as Hex
    for (const bad of [flipped, good.slice(0, 130) as Hex, '0x', `0x${'00'.repeat(65)}`] as Hex[]) {
      expect((await revertOf(world.call(receiver, 'settle', [config, usdc(1), bad])))[2]).toBe(badSignature)
    }
    await world.call(receiver, 'settle', [config, usdc(1), good])
  })

  it('of a contract wallet does not count, even if the wallet accepts it: its answer could change after the work', async () => {
    const wallet = await world.deploy(testWalletAbi, testWalletBytecode, [payer.address])
    const config = await world.opened({ payerAuthorizer: wallet })
    const voucher = await world.sign(config, usdc(1))
    for (const mood of [0, 1, 2, 3, 4]) {
      await world.write(relayer, wallet, testWalletAbi, 'setMood', [mood])
      expect((await revertOf(world.call(receiver, 'settle', [config, usdc(1), voucher])))[2]).toBe(badSignature)
    }
  })

  it('of a key counts also while its account is delegated to code (EIP-7702)', async () => {
    const config = await world.opened()
    const code = `0xef0100${world.token.slice(2)}` as Hex
    const provider = world.connection.provider
    await provider.request({ method: 'hardhat_setCode', params: [payer.address, code] })
    await world.call(receiver, 'settle', [config, usdc(1), await world.sign(config, usdc(1))])
    await provider.request({ method: 'hardhat_setCode', params: [payer.address, '0x'] })
  })
})

describe('an authorization to open', () => {
  it('cannot be spent past the contract, nor on another receiver', async () => {
    const config = world.config()
    const signature = await world.authorizeOpening(config, usdc(1))
    const swapped = { ...config, receiver: stranger.address }
    const attempt = world.call(stranger, 'openWithAuthorization', [swapped, usdc(1), 0n, farOff, signature])
    expect(await revertOf(attempt)).toEqual(['ERC3009InvalidSignature'])
    expect((await world.channel(config)).status).toBe(0)
  })
})

describe('a token that misbehaves', () => {
  it('cannot take what is in channels of another token', async () => {
    const victim = await world.opened()
    const config = await world.opened({ token: world.wayward })
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [receiver.address, 7])
    await world.call(receiver, 'close', [config, usdc(10), await world.sign(config, usdc(10))])
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [receiver.address, 0])
    const before = await world.balance(receiver.address)
    await world.call(receiver, 'close', [victim, usdc(10), await world.sign(victim, usdc(10))])
    expect((await world.balance(receiver.address)) - before).toBe(usdc(10))
  })

  it('that answers false, garbage, too much or by burning gas leaves a credit', async () => {
    for (const answer of [2, 4, 5, 6]) {
      const config = await world.opened({ token: world.wayward })
      await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [receiver.address, answer])
      const before = await world.credit(receiver.address, world.wayward)
      await world.call(receiver, 'settle', [config, usdc(1), await world.sign(config, usdc(1))])
      expect((await world.credit(receiver.address, world.wayward)) - before).toBe(usdc(1))
    }
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [receiver.address, 0])
  })
})

describe('a token that calls back', () => {
  it('finds every way in locked, whichever call moves it', async () => {
    const token = world.reentering
    const locked = toFunctionSelector('ReentrancyGuardReentrantCall()')
    const other = await world.opened({ token })
    const close = await world.signClose(other, usdc(1), payer)
    const ways: [Parameters<ChannelWorld['call']>[1], readonly unknown[]][] = [
      ['open', [world.config({ token }), 1n]],
      ['openWithAuthorization', [world.config({ token }), 1n, 0n, farOff, '0x']],
      ['topUp', [other, 1n]],
      ['topUpWithAuthorization', [other, 1n, hash(1), 0n, farOff, '0x']],
      ['claim', [await world.claimOf(other, 1n)]],
      ['settle', [other, 1n, await world.sign(other, 1n)]],
      ['claimMany', world.batchOf([await world.claimOf(other, 1n)])],
      ['claimManyWithSignature', [...world.batchOf([await world.claimOf(other, 1n)]), '0x']],
      ['close', [other, 0n, '0x']],
      ['closeWithSignatures', [other, usdc(1), Number(farOff), close, close]],
      ['requestClose', [other]],
      ['withdraw', [other]],
      ['withdrawCredit', [token, stranger.address]],
      ['sendCredit', [token, receiver.address]],
    ]
    const writes = voucherChannelsAbi.filter((entry) => entry.type === 'function' && entry.stateMutability === 'nonpayable')
    expect(ways.map(([name]) => name).sort()).toEqual(writes.map((entry) => (entry as { name: string }).name).sort())

    const arm = (target: Hex, data: Hex) => world.write(relayer, token, reenteringTokenAbi, 'arm', [target, data])
    const look = (functionName: 'attempts' | 'entered' | 'lastAnswer') =>
      world.reader.readContract({ address: token, abi: reenteringTokenAbi, functionName })
    for (const [way, args] of ways) {
      const data = encodeFunctionData({ abi: voucherChannelsAbi, functionName: way as never, args: args as never })
      const [fresh, signed, ending] = [world.config({ token }), world.config({ token }), await world.opened({ token })]
      const credited = await world.opened({ token, receiver: actors.bob.address })
      await world.call(actors.bob, 'claimMany', world.batchOf([await world.claimOf(credited, 1n)]))
      const noticed = await world.opened({ token })
      await world.call(payer, 'requestClose', [noticed])
      await world.timeIs((await world.now()) + delay)
      const moves: (() => Promise<unknown>)[] = [
        () => world.call(payer, 'open', [fresh, usdc(1)]),
        () => world.call(relayer, 'openWithAuthorization', [signed, usdc(1), 0n, farOff, '0x']),
        () => world.call(payer, 'topUp', [fresh, 1n]),
        () => world.call(relayer, 'topUpWithAuthorization', [fresh, 1n, hash(2), 0n, farOff, '0x']),
        async () => world.call(receiver, 'claim', [await world.claimOf(ending, 5n)]),
        async () => world.call(receiver, 'close', [ending, 9n, await world.sign(ending, 9n)]),
        () => world.call(stranger, 'withdraw', [noticed]),
        () => world.call(stranger, 'sendCredit', [token, actors.bob.address]),
      ]
      for (const move of moves) {
        await arm(world.channels, data)
        await move()
        expect(await look('attempts'), way).toBeGreaterThan(0n)
        expect([await look('entered'), await look('lastAnswer')], way).toEqual([0n, locked])
        await arm(zeroAddress, '0x')
      }
    }
  }, 900_000)
})

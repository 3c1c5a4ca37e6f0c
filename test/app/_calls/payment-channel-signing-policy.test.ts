import { describe, expect, it } from 'vitest'
import { isRequestedChannel, isRequestedTopUp } from '../../../app/_calls/payment-channel-signing-policy.ts'
import type { PublicMarket } from '../../../app/_components/market-provider.tsx'
import { channelIdOf, topUpNonceOf } from '../../../contracts/abi/index.ts'

const who = (digit: string) => `0x${digit.repeat(40)}` as const
const salt = `0x${'5'.repeat(64)}` as const
const market = { chainId: 31_337, channels: who('c'), token: who('f') } as Partial<PublicMarket> as PublicMarket
const wanted = { payer: who('1'), receiver: who('2'), authorizer: who('3'), deposit: 5n }

function quote(config: object = {}, message: object = {}, primaryType = 'ReceiveWithAuthorization') {
  const whole = {
    payer: who('1'),
    payerAuthorizer: who('3'),
    receiver: who('2'),
    receiverAuthorizer: who('4'),
    token: who('f'),
    withdrawDelay: 86_400,
    salt,
    ...config,
  }
  const channel_id = channelIdOf({ chainId: 31_337, channels: who('c') }, whole)
  const asked = { from: who('1'), to: who('c'), value: '5', nonce: channel_id, ...message }
  return { channel_id, config: whole, typedData: { primaryType, message: asked } }
}

describe('isRequestedChannel', () => {
  it('takes exactly the channel that was asked for', () => {
    expect(isRequestedChannel(market, quote(), wanted)).toBe(true)
  })

  it.each([
    ['another receiver', quote({ receiver: who('9') })],
    ['another signer of vouchers', quote({ payerAuthorizer: who('9') })],
    ['another token', quote({ token: who('9') })],
    ['another payer', quote({ payer: who('9') })],
    ['more money', quote({}, { value: '6' })],
    ['another contract', quote({}, { to: who('9') })],
    ['a nonce that names another channel', quote({}, { nonce: `0x${'7'.repeat(64)}` })],
    ['a transfer to anybody', quote({}, {}, 'TransferWithAuthorization')],
  ])('refuses %s', (_what, other) => {
    expect(isRequestedChannel(market, other, wanted)).toBe(false)
  })
})

describe('isRequestedTopUp', () => {
  const channelId = quote().channel_id
  const topUp = { payer: who('1'), channelId, amount: 5n, salt }
  const asked = (message: object = {}, primaryType = 'ReceiveWithAuthorization', verifyingContract = who('f')) => ({
    domain: { verifyingContract },
    primaryType,
    message: { from: who('1'), to: who('c'), value: '5', nonce: topUpNonceOf(channelId, salt), ...message },
  })

  it('takes exactly the sum that was asked for, to the channel that was meant', () => {
    expect(isRequestedTopUp(market, asked(), topUp)).toBe(true)
  })

  it.each([
    ['more money', asked({ value: '6' })],
    ['another contract', asked({ to: who('9') })],
    ['another payer', asked({ from: who('9') })],
    ['another channel', asked({ nonce: topUpNonceOf(`0x${'7'.repeat(64)}`, salt) })],
    ['a transfer to anybody', asked({}, 'TransferWithAuthorization')],
    ['another token', asked({}, 'ReceiveWithAuthorization', who('9'))],
  ])('refuses %s', (_what, other) => {
    expect(isRequestedTopUp(market, other, topUp)).toBe(false)
  })
})

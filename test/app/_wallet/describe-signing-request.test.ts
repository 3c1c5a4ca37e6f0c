import { keyChangeTypedData, payoutAccountTypedData, payoutChangeTypedData } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import type { PublicMarket } from '../../../app/_components/market-provider.tsx'
import { describeTransaction, describeTypedData } from '../../../app/_wallet/describe-typed-data-or-transaction.ts'
import { translate } from '../translate.ts'

const words = { t: translate('wallet.request'), tChain: translate('wallet.chain') }

const token = '0x00000000000000000000000000000000000000f1'
const escrow = '0x00000000000000000000000000000000000000e5'
const stranger = '0x00000000000000000000000000000000000000bb'
const market = { token, escrow, decimals: 6, symbol: 'USDC' } as Partial<PublicMarket> as PublicMarket

function payment(over: { to?: string; verifyingContract?: string; value?: string; validBefore?: unknown } = {}) {
  const { verifyingContract = token, to = escrow, value = '12500000', validBefore = 1_800_000_000 } = over
  return {
    primaryType: 'ReceiveWithAuthorization',
    domain: { name: 'USDC', verifyingContract },
    message: { from: stranger, to, value, validAfter: 0, validBefore, nonce: '0x01' },
  }
}

/** As the server sends it: JSON has no bigint. */
const onWire = (data: object): object =>
  JSON.parse(JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? value.toString() : value)))

describe('describeTypedData', () => {
  it('states how much goes to whom, and that the escrow is the recipient', () => {
    expect(describeTypedData(payment(), market, words)).toMatchObject({
      kind: 'payment',
      amount: '12.50 USDC',
      to: escrow,
      contract: 'escrow',
    })
  })

  it('states what an owner’s signature changes in a listing', () => {
    const signed = { chainId: 31_337, agentId: 'agt_1', handle: 'echo', nonce: 0, deadline: 1_795_509_608 }
    const key = describeTypedData(onWire(keyChangeTypedData(signed, { did: 'did:key:z6Mk', unbind: false })), market, words)
    expect(key).toMatchObject({ kind: 'other', title: 'Make a new token for @echo' })
    expect(JSON.stringify(key)).toContain('["Agent key","stays"]')
    const paid = describeTypedData(onWire(payoutChangeTypedData(signed, { payout: escrow }, { payout: stranger })), market, words)
    expect(paid).toMatchObject({ kind: 'other', title: 'Change the payout of @echo' })
    expect(JSON.stringify(paid)).toContain(`["Paid to, in one day","${stranger}"]`)
  })

  it('does not take another recipient for the escrow', () => {
    expect(describeTypedData(payment({ to: stranger }), market, words)).toMatchObject({ kind: 'payment', contract: null })
  })

  it('does not read another contract’s message as a payment in the market’s money', () => {
    expect(describeTypedData(payment({ verifyingContract: stranger }), market, words)).toMatchObject({ kind: 'other' })
  })

  it('shows an amount that is none as it is, not as money', () => {
    expect(describeTypedData(payment({ value: '-1' }), market, words)).toMatchObject({ kind: 'other' })
  })

  it('names the action and the step as people number them, for the escrow alone', () => {
    const dispute = (verifyingContract: string) =>
      describeTypedData(
        {
          primaryType: 'DisputeOpened',
          domain: { name: 'PlanEscrow', verifyingContract },
          message: { planId: '0x01', version: 1, step: 1, evidenceHash: '0x02' },
        },
        market,
        words,
      )
    expect(dispute(escrow)).toMatchObject({
      title: 'Dispute step 2 of this goal',
      lines: expect.arrayContaining([['Step', 'Step 2 (index 1 on chain)']]),
    })
    expect(dispute(stranger)).toMatchObject({ title: 'Sign DisputeOpened for PlanEscrow' })
  })

  it('reports that the signature connects the account that receives card earnings', () => {
    const { message, ...data } = payoutAccountTypedData({ chainId: 31_337, wallet: stranger, deadline: 1_790_000_000 })
    expect(describeTypedData({ ...data, message: { ...message, deadline: '1790000000' } }, market, words)).toMatchObject({
      kind: 'other',
      title: 'Connect the account that receives your card earnings',
      lines: [
        ['Wallet', stranger],
        ['Valid until', expect.stringContaining('2026')],
      ],
    })
  })

  it('states when a signature never ends', () => {
    expect(describeTypedData(payment({ validBefore: (2n ** 256n - 1n).toString() }), market, words)).toMatchObject({
      usableUntil: 'no end',
    })
  })
})

describe('describeTransaction', () => {
  it('names the contracts that it knows, and no others', () => {
    const known = describeTransaction(
      { to: escrow.toUpperCase().replace('0X', '0x'), value: '0xde0b6b3a7640000', data: '0x12345678ff' },
      market,
      words,
    )
    expect(known).toMatchObject({
      lines: [
        ['To', expect.stringContaining('Parley escrow')],
        ['Ether', '1.00'],
        ['Function', '0x12345678'],
      ],
    })
    expect(describeTransaction({ to: stranger }, market, words)).toMatchObject({
      lines: [
        ['To', stranger],
        ['Ether', '0.00'],
        ['Function', 'none'],
      ],
    })
  })
})

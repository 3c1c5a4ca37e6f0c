import { encodeAbiParameters, encodeEventTopics } from 'viem'
import { describe, expect, it } from 'vitest'
import { readSettlementFromReceipt } from '../../../../../../app/goals/[id]/transcript/_audit/read-settlement-from-receipt.ts'
import { planEscrowAbi } from '../../../../../../contracts/abi/index.ts'

const planId = `0x${'1'.repeat(64)}` as const
const escrow = `0x${'e'.repeat(40)}`
const conclusionHash = `0x${'c'.repeat(64)}` as const
const log = (plan: `0x${string}`, address = escrow) => ({
  address,
  topics: encodeEventTopics({ abi: planEscrowAbi, eventName: 'StepsSettled', args: { planId: plan } }),
  data: encodeAbiParameters([{ type: 'uint64' }, { type: 'bytes32' }], [5n, conclusionHash]),
})
const receipt = (logs: object[], status = '0x1') => ({ status, blockNumber: '0x2a', logs })
const read = (given: unknown) => readSettlementFromReceipt(given, { escrow, planId })

describe('readSettlementFromReceipt', () => {
  it('finds the plan’s own log among others', () => {
    const noise = { address: escrow, topics: [`0x${'9'.repeat(64)}`], data: '0x' }
    expect(read(receipt([noise, log(`0x${'2'.repeat(64)}`), log(planId)]))).toEqual({ conclusionHash, bits: 5n, block: 42 })
  })

  it('takes no other contract’s word, no failed transaction’s, and nothing that is no receipt', () => {
    expect(read(receipt([log(planId, `0x${'f'.repeat(40)}`)]))).toBeNull()
    expect(read(receipt([log(planId)], '0x0'))).toBeNull()
    expect(read({ logs: 'none' })).toBeNull()
    expect(read(null)).toBeNull()
  })
})

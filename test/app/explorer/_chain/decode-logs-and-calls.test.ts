import { encodeAbiParameters, encodeEventTopics, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeCall, decodeLog, type RpcLog } from '../../../../app/explorer/_chain/decode-logs-and-calls.ts'
import { planEscrowAbi, testUsdcAbi } from '../../../../contracts/abi/index.ts'
import { translate } from '../../translate.ts'

const t = translate('wallet.chain')

const contracts = { escrow: `0x${'e'.repeat(40)}`, token: `0x${'c'.repeat(40)}`, symbol: 'USDC', decimals: 6 }
const payee = `0x${'ab'.repeat(20)}` as const
const log = (address: string, topics: readonly unknown[], data: Hex) =>
  ({ address, topics, data, transactionHash: '0x1', logIndex: '0x0', blockNumber: '0x1' }) as unknown as RpcLog

describe('decodeLog', () => {
  it('reads the escrow’s events, amounts in the market’s symbol and addresses as such', () => {
    const topics = encodeEventTopics({ abi: planEscrowAbi, eventName: 'Paid', args: { planId: `0x${'1'.repeat(64)}`, payee } })
    const data = encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes32' }], [2_500_000n, `0x${'2'.repeat(64)}`])
    const decoded = decodeLog(log(contracts.escrow.toUpperCase().replace('0X', '0x'), topics, data), contracts, t)
    expect(decoded).toMatchObject({ contract: 'PlanEscrow', name: 'Paid' })
    expect(decoded?.args).toContainEqual({ name: 'amount', kind: 'amount', value: '2.50 USDC' })
    expect(decoded?.args.find((arg) => arg.name === 'payee')).toMatchObject({ kind: 'address' })
  })

  it('reveals nothing of a stranger’s log, or of bytes that don’t fit', () => {
    expect(decodeLog(log(payee, [`0x${'1'.repeat(64)}`], '0x'), contracts, t)).toBeNull()
    expect(decodeLog(log(contracts.token, [`0x${'1'.repeat(64)}`], '0x'), contracts, t)).toBeNull()
    expect(decodeLog(log(contracts.token, [], '0x'), contracts, t)).toBeNull()
  })
})

describe('decodeCall', () => {
  it('names what was called and with what', () => {
    const input = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [payee, 1_000_000n] })
    expect(decodeCall({ to: contracts.token, input }, contracts, t)).toMatchObject({
      contract: 'USDC',
      name: 'mint',
      args: [
        { name: 'to', kind: 'address' },
        { name: 'amount', value: '1.00 USDC' },
      ],
    })
  })

  it('says "unlimited" for all there is, and a date for a moment', () => {
    const none = `0x${'0'.repeat(64)}` as const
    const input = encodeFunctionData({
      abi: testUsdcAbi,
      functionName: 'permit',
      args: [payee, contracts.escrow as Hex, maxUint256, 1_795_289_783n, 27, none, none],
    })
    const args = decodeCall({ to: contracts.token, input }, contracts, t)?.args
    expect(args).toContainEqual({ name: 'value', kind: 'amount', value: 'unlimited USDC' })
    expect(args).toContainEqual({ name: 'deadline', kind: 'plain', value: '2026-11-21 19:36:23 UTC' })
  })

  it('knows no stranger and no unknown function', () => {
    expect(decodeCall({ to: payee, input: '0x12345678' }, contracts, t)).toBeNull()
    expect(decodeCall({ to: contracts.token, input: '0x12345678' }, contracts, t)).toBeNull()
    expect(decodeCall({ to: null, input: '0x' }, contracts, t)).toBeNull()
  })
})

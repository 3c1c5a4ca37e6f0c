/** The effects of a transaction, decoded from its logs with the contracts' ABI. */
import { formatAmount } from '@parley/protocol'
import { type Abi, decodeEventLog, decodeFunctionData, type Hex, maxUint256 } from 'viem'
import { z } from 'zod'
import { planEscrowAbi, testUsdcAbi, voucherChannelsAbi } from '../../../contracts/abi/index.ts'
import type { Translate } from '../../_messages/translate-types.ts'
import { stepNumberLabel } from '../../_views/step-number-label.ts'

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text) => text as Hex)
const optionalHex = hex.nullish().transform((value) => value ?? null)

export const RpcLog = z.looseObject({
  address: hex,
  topics: z.array(hex),
  data: hex,
  transactionHash: hex,
  logIndex: hex,
  blockNumber: hex,
})
export type RpcLog = z.infer<typeof RpcLog>
export const RpcReceipt = z.looseObject({
  status: hex,
  blockNumber: hex,
  gasUsed: hex,
  effectiveGasPrice: optionalHex,
  contractAddress: optionalHex,
  logs: z.array(RpcLog),
})
export const RpcTransaction = z.looseObject({ from: hex, to: optionalHex, nonce: hex, value: hex, input: hex, blockNumber: optionalHex })
export const RpcBlock = z.looseObject({ number: hex, hash: hex, timestamp: hex, transactions: z.array(hex) })
export type RpcBlock = z.infer<typeof RpcBlock>

export type Contracts = {
  readonly escrow: string
  readonly channels?: string | null
  readonly token: string
  readonly symbol: string
  readonly decimals: number
}
type Words = Translate<'wallet.chain'>
export type Argument = { readonly name: string; readonly value: string; readonly kind: 'address' | 'amount' | 'plain' }
export type Decoded = { readonly contract: string; readonly name: string; readonly args: readonly Argument[] }

function contractAt(address: string | null, contracts: Contracts): { name: string; abi: Abi } | null {
  const lower = address?.toLowerCase()
  if (lower === contracts.escrow.toLowerCase()) return { name: 'PlanEscrow', abi: planEscrowAbi as Abi }
  if (contracts.channels && lower === contracts.channels.toLowerCase()) return { name: 'VoucherChannels', abi: voucherChannelsAbi as Abi }
  if (lower === contracts.token.toLowerCase()) return { name: contracts.symbol, abi: testUsdcAbi as Abi }
  return null
}

const amounts = new Set(['amount', 'total', 'value', 'deposit', 'totalClaimed', 'refunded', 'cumulativeAmount'])
const moments = new Set(['workBy', 'reviewBy', 'expiry', 'deadline', 'validAfter', 'validBefore'])

/** The maximum value means "unlimited". */
function amountOf(value: bigint, { decimals, symbol }: Contracts, t: Words): string {
  return value === maxUint256 ? t('unlimited', { symbol }) : `${formatAmount(value, decimals)} ${symbol}`
}

/** Unix seconds as a date. A value beyond all dates means "never". */
function momentOf(seconds: number, t: Words): string {
  return seconds > 253_402_300_799 ? t('forEver') : `${new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function argumentOf(name: string, value: unknown, contracts: Contracts, t: Words): Argument[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => argumentOf(`${name}[${index}]`, one, contracts, t))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => argumentOf(`${name}.${key}`, one, contracts, t))
  const last = name.split('.').at(-1) ?? name
  if (typeof value === 'bigint' && amounts.has(last)) return [{ name, kind: 'amount', value: amountOf(value, contracts, t) }]
  if (moments.has(last) && Number(value) > 0) return [{ name, kind: 'plain', value: momentOf(Number(value), t) }]
  if (last === 'step' && (typeof value === 'number' || typeof value === 'bigint'))
    return [{ name, kind: 'plain', value: stepNumberLabel(Number(value), t) }]
  const text = String(value)
  return [{ name, value: text, kind: /^0x[0-9a-fA-F]{40}$/.test(text) ? 'address' : 'plain' }]
}

/** A log of one of the market's contracts in words; null for another contract's. */
export function decodeLog(log: RpcLog, contracts: Contracts, t: Words): Decoded | null {
  const contract = contractAt(log.address, contracts)
  const [signature, ...rest] = log.topics
  if (!contract || !signature) return null
  try {
    const event = decodeEventLog({ abi: contract.abi, topics: [signature, ...rest], data: log.data })
    const args = Object.entries(event.args ?? {}).flatMap(([name, value]) => argumentOf(name, value, contracts, t))
    return { contract: contract.name, name: event.eventName ?? t('unknownEvent'), args }
  } catch {
    return null
  }
}

/** The called function; null for another contract, or an unknown function. */
export function decodeCall(
  transaction: { readonly to: string | null; readonly input: Hex },
  contracts: Contracts,
  t: Words,
): Decoded | null {
  const contract = contractAt(transaction.to, contracts)
  if (!contract) return null
  try {
    const call = decodeFunctionData({ abi: contract.abi, data: transaction.input })
    const declared = contract.abi.find((item) => item.type === 'function' && item.name === call.functionName)
    const names = declared?.type === 'function' ? declared.inputs.map((input, index) => input.name || `${index}`) : []
    const args = (call.args ?? []).flatMap((value, index) => argumentOf(names[index] ?? `${index}`, value, contracts, t))
    return { contract: contract.name, name: call.functionName, args }
  } catch {
    return null
  }
}

/** Reads the escrow's record of a settlement from a receipt of the chain. */
import { decodeEventLog, type Hex } from 'viem'
import { z } from 'zod'
import { planEscrowAbi } from '../../../../../contracts/abi/index.ts'

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text) => text as Hex)
const Receipt = z.looseObject({
  status: hex,
  blockNumber: hex,
  logs: z.array(z.looseObject({ address: hex, topics: z.array(hex), data: hex })),
})

export type RecordedSettlement = { readonly conclusionHash: string; readonly bits: bigint; readonly block: number }

/** The `conclusion_hash` that this escrow recorded for this plan in the transaction, or null if it recorded none. */
export function readSettlementFromReceipt(receipt: unknown, where: { escrow: string; planId: string }): RecordedSettlement | null {
  const parsed = Receipt.safeParse(receipt)
  if (!parsed.success || parsed.data.status !== '0x1') return null
  for (const log of parsed.data.logs) {
    if (log.address.toLowerCase() !== where.escrow.toLowerCase()) continue
    const [signature, ...rest] = log.topics
    if (!signature) continue
    try {
      const event = decodeEventLog({ abi: planEscrowAbi, topics: [signature, ...rest], data: log.data })
      if (event.eventName !== 'StepsSettled' || event.args.planId.toLowerCase() !== where.planId.toLowerCase()) continue
      return { conclusionHash: event.args.conclusionHash, bits: event.args.bits, block: Number(BigInt(parsed.data.blockNumber)) }
    } catch {
      // A log of another shape is from another contract.
    }
  }
  return null
}

import { type Hex, type Log, parseEventLogs } from 'viem'
import { planEscrowAbi, voucherChannelsAbi } from '../../../contracts/abi/index.ts'
import type { EscrowEvent } from '../../ports.ts'

type DecodedLog = Log<bigint, number, false> & { readonly event: Pick<EscrowEvent, 'contract' | 'name' | 'planId' | 'channelId' | 'args'> }

type At = { readonly channels: Hex | null; readonly token: Hex }

/**
 * Decodes a log of one of our contracts. Two events share a name, so each contract has its own ABI. Anyone can use the contracts
 * with other tokens, so events of other tokens are omitted.
 */
export function decodeContractEvent(log: Log<bigint, number, false>, { channels, token }: At): DecodedLog[] {
  const isChannels = log.address.toLowerCase() === channels
  const [read] = parseEventLogs({ abi: isChannels ? voucherChannelsAbi : planEscrowAbi, logs: [log], strict: true })
  if (!read) return []
  const args: object = read.args
  const named = tokenOf(args)
  if (named !== null && named !== token) return []
  const idOf = (name: string): Hex | null => (name in args ? (String(args[name as keyof typeof args]).toLowerCase() as Hex) : null)
  const event = {
    contract: isChannels ? ('channels' as const) : ('escrow' as const),
    name: read.eventName,
    planId: isChannels ? null : idOf('planId'),
    channelId: isChannels ? idOf('id') : null,
    args: storableArgs(args),
  }
  return [{ ...log, event }]
}

/** The token of an event, from its arguments or its channel configuration. */
function tokenOf(args: object): string | null {
  if ('token' in args) return String(args.token).toLowerCase()
  if ('config' in args && typeof args.config === 'object' && args.config !== null) return tokenOf(args.config)
  return null
}

/** Arguments for storage: amounts as decimal strings, addresses and hashes in lower case. Omits nested values. */
function storableArgs(args: object): EscrowEvent['args'] {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]): [string, string | number | boolean][] => {
      if (typeof value === 'object') return []
      if (typeof value === 'number' || typeof value === 'boolean') return [[name, value]]
      return [[name, String(value).toLowerCase()]]
    }),
  )
}

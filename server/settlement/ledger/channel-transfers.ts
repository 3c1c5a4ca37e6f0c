import type { EscrowEvent } from '../../ports.ts'
import { type Account, type Move, netEntries, type TransferDraft } from './ledger.ts'

/** What is known of a channel of ours before a transaction: whose money it is, and what the receiver had. */
export type ChannelParties = { readonly payer: string; readonly receiver: string; readonly claimed: bigint }

type Part = {
  readonly key: string
  readonly memo: string
  readonly event: EscrowEvent
  readonly moves: Move[]
  readonly sent: Map<Account, bigint>
}

/**
 * What one transaction did to one channel of ours, one transfer for each fact: `channel:…` is what the contract holds for it,
 * `channel-credit:…` what waits there because the token refused it. What was refused is booked as sent and put back.
 */
export function draftChannelTransfers(id: string, events: readonly EscrowEvent[], channel: ChannelParties): TransferDraft[] {
  const own = accountOf('channel', id)
  const payer = accountOf('client', channel.payer)
  const receiver = accountOf('payee', channel.receiver)
  const parts: Part[] = []
  let { claimed } = channel
  const send = (part: Part, to: Account, amount: bigint) => {
    part.moves.push({ from: own, to, amount })
    part.sent.set(to, (part.sent.get(to) ?? 0n) + amount)
  }
  for (const event of events) {
    if (event.name === 'Credited') {
      moveToCredit(parts, event)
      continue
    }
    const fact = channelFact(id, event)
    if (fact === null) continue
    const part: Part = { ...fact, event, moves: [], sent: new Map() }
    if (event.name === 'ChannelOpened') part.moves.push({ from: payer, to: own, amount: amountOf(event, 'deposit') })
    if (event.name === 'ToppedUp') part.moves.push({ from: payer, to: own, amount: amountOf(event, 'amount') })
    if (event.name === 'Claimed' || event.name === 'ChannelClosed') {
      const total = amountOf(event, 'totalClaimed')
      if (total > claimed) send(part, receiver, total - claimed)
      claimed = total
    }
    if (event.name === 'ChannelClosed') send(part, payer, amountOf(event, 'refunded'))
    parts.push(part)
  }
  return parts.flatMap(({ key, memo, event, moves }) => {
    const entries = netEntries(moves)
    return entries.length === 0 ? [] : [{ key, goalId: null, memo, tx: event.txHash, at: event.at, entries }]
  })
}

/** What an event says once and for all, by its name in the books. */
function channelFact(id: string, event: EscrowEvent): { readonly key: string; readonly memo: string } | null {
  switch (event.name) {
    case 'ChannelOpened':
      return { key: `opened:${id}`, memo: 'Money is set aside for calls to an agent.' }
    case 'ToppedUp':
      return { key: `topped-up:${id}:${event.args.deposit}`, memo: 'More money is set aside for calls to an agent.' }
    case 'Claimed':
      return { key: `claimed:${id}:${event.args.totalClaimed}`, memo: 'What answered calls have earned is paid.' }
    case 'ChannelClosed':
      return { key: `closed:${id}`, memo: 'A channel is closed: what is earned is paid, the rest goes back.' }
    default:
      return null
  }
}

/** The token refused a payment of this transaction: it waits in the contract. */
function moveToCredit(parts: readonly Part[], event: EscrowEvent): void {
  const account = String(event.args.account)
  let rest = amountOf(event, 'amount')
  for (const part of parts.toReversed()) {
    for (const from of [accountOf('payee', account), accountOf('client', account)]) {
      const amount = min(part.sent.get(from) ?? 0n, rest)
      part.sent.set(from, (part.sent.get(from) ?? 0n) - amount)
      rest -= amount
      part.moves.push({ from, to: accountOf('channel-credit', account), amount })
    }
  }
}

/** A credit taken out of the channels' contract, as far as our books hold it. `nth`: of all withdrawals of the account there. */
export function draftChannelWithdrawal(event: EscrowEvent, held: bigint, nth: number): TransferDraft | null {
  const account = String(event.args.account)
  const amount = min(held, amountOf(event, 'amount'))
  const entries = netEntries([{ from: accountOf('channel-credit', account), to: accountOf('wallet', String(event.args.to)), amount }])
  if (entries.length === 0) return null
  const key = `withdrawn:channels:${account}:${nth}`
  return { key, goalId: null, memo: 'A credit is withdrawn from the channels.', tx: event.txHash, at: event.at, entries }
}

function accountOf(kind: 'client' | 'payee' | 'wallet' | 'channel' | 'channel-credit', id: string): Account {
  return `${kind}:${id}` as Account
}

function amountOf(event: EscrowEvent, arg: string): bigint {
  return BigInt(String(event.args[arg]))
}

function min(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

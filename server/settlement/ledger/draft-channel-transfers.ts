import type { EscrowEvent } from '../../ports.ts'
import { amountOf, type LedgerAccount, type Move, min, netEntries, type TransferDraft } from './ledger.ts'

/** The parties of a channel and the amount claimed before this transaction. */
export type ChannelParties = { readonly payer: string; readonly receiver: string; readonly claimed: bigint }

type Part = {
  readonly key: string
  readonly memo: string
  readonly event: EscrowEvent
  readonly moves: Move[]
  readonly sent: Map<LedgerAccount, bigint>
}

/**
 * Drafts the ledger transfers of one transaction for one channel, one per fact. `channel:…` is the balance in the contract.
 * `channel-credit:…` is money whose transfer the token refused. A refused payment is booked as sent and then moved to the credit.
 */
export function draftChannelTransfers(id: string, events: readonly EscrowEvent[], channel: ChannelParties): TransferDraft[] {
  const own = accountOf('channel', id)
  const payer = accountOf('client', channel.payer)
  const receiver = accountOf('payee', channel.receiver)
  const parts: Part[] = []
  let { claimed } = channel
  const send = (part: Part, to: LedgerAccount, amount: bigint) => {
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

/** Unique ledger key and memo of an event. */
function channelFact(id: string, event: EscrowEvent): { readonly key: string; readonly memo: string } | null {
  switch (event.name) {
    case 'ChannelOpened':
      return { key: `opened:${id}`, memo: 'A deposit for calls to an agent.' }
    case 'ToppedUp':
      return { key: `topped-up:${id}:${event.args.deposit}`, memo: 'A top-up of the deposit for calls to an agent.' }
    case 'Claimed':
      return { key: `claimed:${id}:${event.args.totalClaimed}`, memo: 'The earnings of answered calls are paid.' }
    case 'ChannelClosed':
      return { key: `closed:${id}`, memo: 'A channel is closed: what is earned is paid, the rest goes back.' }
    default:
      return null
  }
}

/** Moves payments that the token refused to the account's credit. */
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

/** Drafts the withdrawal of a credit from the channels contract, up to the ledger balance. `nth`: ordinal of the account's withdrawal. */
export function draftChannelWithdrawal(event: EscrowEvent, held: bigint, nth: number): TransferDraft | null {
  const account = String(event.args.account)
  const amount = min(held, amountOf(event, 'amount'))
  const entries = netEntries([{ from: accountOf('channel-credit', account), to: accountOf('wallet', String(event.args.to)), amount }])
  if (entries.length === 0) return null
  const key = `withdrawn:channels:${account}:${nth}`
  return { key, goalId: null, memo: 'A credit is withdrawn from the channels.', tx: event.txHash, at: event.at, entries }
}

function accountOf(kind: 'client' | 'payee' | 'wallet' | 'channel' | 'channel-credit', id: string): LedgerAccount {
  return `${kind}:${id}` as LedgerAccount
}

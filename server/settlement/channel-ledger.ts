import type { EscrowEvent } from '../ports.ts'
import { type Account, entriesOf, type LedgerDraft, type Move } from './ledger.ts'

/** What is known of a channel of ours before a transaction: whose money it is, and what the receiver had. */
export type BookedChannel = { readonly payer: string; readonly receiver: string; readonly claimed: bigint }

/**
 * What one transaction did to our channels, as one transfer: `channel:…` is what the contract holds for one, `channel-credit:…`
 * what waits there because the token refused it. `held`: what our books say that an account holds.
 *
 * A refused payment is booked as sent and put back: the log names the sum that was refused, for a batch of claims only in
 * all. What is put back of channels that are not ours is none of our books' business.
 */
export function draftChannels(
  events: readonly EscrowEvent[],
  known: (id: string) => BookedChannel | undefined,
  held: (account: string) => bigint,
): LedgerDraft | null {
  const [first] = events
  if (!first) return null
  const claimed = new Map<string, bigint>()
  const sent = new Map<Account, bigint>()
  const moves: Move[] = []
  const send = (from: Account, to: Account, amount: bigint) => {
    moves.push({ from, to, amount })
    sent.set(to, (sent.get(to) ?? 0n) + amount)
  }
  for (const event of events) {
    const id = event.channelId ?? ''
    const channel = known(id)
    const own = accountOf('channel', id)
    if (event.name === 'Credited') {
      const account = String(event.args.account)
      let rest = sum(event, 'amount')
      for (const from of [accountOf('payee', account), accountOf('client', account)]) {
        const amount = lesser(sent.get(from) ?? 0n, rest)
        sent.set(from, (sent.get(from) ?? 0n) - amount)
        rest -= amount
        moves.push({ from, to: accountOf('channel-credit', account), amount })
      }
    }
    if (event.name === 'CreditWithdrawn') {
      const from = accountOf('channel-credit', String(event.args.account))
      moves.push({ from, to: accountOf('wallet', String(event.args.to)), amount: lesser(held(from), sum(event, 'amount')) })
    }
    if (!channel) continue
    const payer = accountOf('client', channel.payer)
    if (event.name === 'ChannelOpened') moves.push({ from: payer, to: own, amount: sum(event, 'deposit') })
    if (event.name === 'ToppedUp') moves.push({ from: payer, to: own, amount: sum(event, 'amount') })
    if (event.name === 'Claimed' || event.name === 'ChannelClosed') {
      const total = sum(event, 'totalClaimed')
      const before = claimed.get(id) ?? channel.claimed
      if (total > before) send(own, accountOf('payee', channel.receiver), total - before)
      claimed.set(id, total)
    }
    if (event.name === 'ChannelClosed') send(own, payer, sum(event, 'refunded'))
  }
  const entries = entriesOf(moves)
  if (entries.length === 0) return null
  // What waited is booked by what our own channels brought there, as with the escrow's credits.
  const kind = events.some((event) => event.name === 'CreditWithdrawn') ? 'withdraw:channels' : 'channels'
  return { key: `${kind}:${first.txHash}`, goalId: null, memo: memoOf(events), tx: first.txHash, at: first.at, entries }
}

function accountOf(kind: 'client' | 'payee' | 'wallet' | 'channel' | 'channel-credit', id: string): Account {
  return `${kind}:${id}` as Account
}

function memoOf(events: readonly EscrowEvent[]): string {
  const names = new Set(events.map((event) => event.name))
  if (names.has('ChannelClosed')) return 'A channel is closed: what is earned is paid, the rest goes back.'
  if (names.has('Claimed')) return 'What answered calls have earned is paid.'
  if (names.has('ChannelOpened')) return 'Money is set aside for calls to an agent.'
  if (names.has('ToppedUp')) return 'More money is set aside for calls to an agent.'
  return 'A credit is withdrawn from the channels.'
}

function sum(event: EscrowEvent, arg: string): bigint {
  return BigInt(String(event.args[arg]))
}

function lesser(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

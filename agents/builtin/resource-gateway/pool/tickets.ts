/** Tickets: secrets that are good for one thing, once, for one holder. Kept as hashes. */
import { createHash } from 'node:crypto'

export type Ticket = {
  /** `register`: one resource may come in. `connect`: one asker may be told one resource's address. */
  readonly purpose: 'register' | 'connect'
  readonly holder: string
  readonly resource: string
  readonly pool: 'public' | 'private'
  readonly expiresAt: number
}

export type Tickets = {
  issue(ticket: Ticket): string
  /** Takes it, once: whoever comes second with the same ticket is told that it was used. Given back, nothing was consumed. */
  take(
    secret: string,
    purpose: Ticket['purpose'],
    holder: string,
  ): { readonly ticket: Ticket; readonly giveBack: () => void } | { readonly fault: string }
}

const maxTickets = 100_000
const hash = (secret: string) => createHash('sha256').update(secret).digest('base64url')

export function createTickets(now: () => number, random: () => string): Tickets {
  const open = new Map<string, Ticket>()
  return {
    issue(ticket) {
      const secret = `${random()}${random()}`
      open.set(hash(secret), ticket)
      // Those that nobody has come for go first, and expired ones with them.
      for (const [key, one] of open) {
        if (one.expiresAt > now() && open.size <= maxTickets) break
        open.delete(key)
      }
      return secret
    },
    take(secret, purpose, holder) {
      const key = hash(secret)
      const ticket = open.get(key)
      if (!ticket || ticket.purpose !== purpose) return { fault: 'The ticket was used already, or never issued.' }
      if (ticket.holder !== holder) return { fault: 'The ticket was issued to somebody else.' }
      open.delete(key)
      if (ticket.expiresAt <= now()) return { fault: 'The ticket has expired.' }
      return { ticket, giveBack: () => void open.set(key, ticket) }
    },
  }
}

/** Tickets: secrets for one purpose and one holder, valid once. They are stored as hashes. */
import { createHash } from 'node:crypto'

export type Ticket = {
  /** `register`: registers one resource. `connect`: uses one resource. */
  readonly purpose: 'register' | 'connect'
  readonly holder: string
  readonly resource: string
  readonly pool: 'public' | 'private'
  readonly expiresAt: number
}

export type OneTimeTickets = {
  issue(ticket: Ticket): string
  /** Uses up a ticket. `giveBack` makes it valid again. */
  take(
    secret: string,
    purpose: Ticket['purpose'],
    holder: string,
  ): { readonly ticket: Ticket; readonly giveBack: () => void } | { readonly fault: string }
}

const maxTickets = 100_000
const hash = (secret: string) => createHash('sha256').update(secret).digest('base64url')

export function createOneTimeTickets(now: () => number, random: () => string): OneTimeTickets {
  const open = new Map<string, Ticket>()
  return {
    issue(ticket) {
      const secret = `${random()}${random()}`
      open.set(hash(secret), ticket)
      // The oldest tickets are dropped first, with the expired ones.
      for (const [key, one] of open) {
        if (one.expiresAt > now() && open.size <= maxTickets) break
        open.delete(key)
      }
      return secret
    },
    take(secret, purpose, holder) {
      const key = hash(secret)
      const ticket = open.get(key)
      if (!ticket || ticket.purpose !== purpose) return { fault: 'The ticket is already used, or was never issued.' }
      if (ticket.holder !== holder) return { fault: 'The ticket was issued to another agent.' }
      open.delete(key)
      if (ticket.expiresAt <= now()) return { fault: 'The ticket has expired.' }
      return { ticket, giveBack: () => void open.set(key, ticket) }
    },
  }
}

import { createHash, timingSafeEqual } from 'node:crypto'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'

type Hex = `0x${string}`
/** For whom a salt is made. */
export type SaltTerms = { readonly payer: string; readonly agentId: string }

/** Eight bytes of the time and eight random ones, in hex; then sixteen that only this server can make. */
const headDigits = 32
/** A quote is good for so long. Seconds. */
const validSeconds = 86_400

/**
 * The salt of a channel, by which its id is unpredictable: no channel can be on chain before its quote was asked for. It says
 * itself that it is ours, so nothing is written down for a quote.
 */
export async function createSalt(ctx: Context, terms: SaltTerms): Promise<Hex> {
  const at = seconds(ctx.clock.now()).toString(16).padStart(16, '0')
  const random = Buffer.from(ctx.ids.secret(), 'base64url').toString('hex').slice(0, 16)
  return `0x${at}${random}${await authenticationTag(ctx, `${at}${random}`, terms)}`
}

/** Whether this server made the salt for these terms, and not too long ago. */
export async function isOwnSalt(ctx: Context, salt: string, terms: SaltTerms): Promise<boolean> {
  const head = salt.slice(2, 2 + headDigits)
  const expected = Buffer.from(await authenticationTag(ctx, head, terms), 'hex')
  const actual = Buffer.from(salt.slice(2 + headDigits), 'hex')
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return false
  return seconds(ctx.clock.now()) - Number.parseInt(head.slice(0, 16), 16) <= validSeconds
}

/** Ed25519 signs the same bytes always the same way: half of the signature's hash proves who made it and does not give it away. */
async function authenticationTag(ctx: Context, head: string, { payer, agentId }: SaltTerms): Promise<string> {
  const bytes = Uint8Array.from(Buffer.from(`parley channel salt 1\n${payer.toLowerCase()}\n${agentId}\n${head}`, 'utf8'))
  const signature = await ctx.ports.signer.sign(bytes)
  return createHash('sha256').update(signature).digest('hex').slice(0, 32)
}

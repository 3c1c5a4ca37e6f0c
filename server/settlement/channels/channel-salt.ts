import { createHash, timingSafeEqual } from 'node:crypto'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'

type Hex = `0x${string}`
/** The parties that a salt is bound to. */
export type SaltTerms = { readonly payer: string; readonly agentId: string }

/** Eight bytes of time and eight random bytes in hex, then a sixteen-byte authentication tag. */
const headDigits = 32
/** Validity of a quote, in seconds. */
const validSeconds = 86_400

/**
 * Creates an unpredictable channel salt, so that no party can open a channel before its quote. The salt authenticates itself, so
 * quotes need no storage.
 */
export async function createChannelSalt(ctx: Context, terms: SaltTerms): Promise<Hex> {
  const at = seconds(ctx.clock.now()).toString(16).padStart(16, '0')
  const random = Buffer.from(ctx.ids.secret(), 'base64url').toString('hex').slice(0, 16)
  return `0x${at}${random}${await authenticationTag(ctx, `${at}${random}`, terms)}`
}

/** Whether this server created the salt for these terms, and the quote has not expired. */
export async function isOwnChannelSalt(ctx: Context, salt: string, terms: SaltTerms): Promise<boolean> {
  const head = salt.slice(2, 2 + headDigits)
  const expected = Buffer.from(await authenticationTag(ctx, head, terms), 'hex')
  const actual = Buffer.from(salt.slice(2 + headDigits), 'hex')
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return false
  return seconds(ctx.clock.now()) - Number.parseInt(head.slice(0, 16), 16) <= validSeconds
}

/** Ed25519 signatures are deterministic. Half of the signature's hash serves as a MAC and does not reveal the signature. */
async function authenticationTag(ctx: Context, head: string, { payer, agentId }: SaltTerms): Promise<string> {
  const bytes = Uint8Array.from(Buffer.from(`parley channel salt 1\n${payer.toLowerCase()}\n${agentId}\n${head}`, 'utf8'))
  const signature = await ctx.ports.signer.sign(bytes)
  return createHash('sha256').update(signature).digest('hex').slice(0, 32)
}

import { isDid, verifyBytes } from '@parley/protocol'
import type { Context } from '../../context.ts'

const encoder = new TextEncoder()

/** Not JSON, so that it can't be mistaken for an envelope, a hello or a delegation. */
function signedText(personId: string, email: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`parley-unsubscribe-v1\n${personId}\n${email.toLowerCase()}`)
}

/** A token that ends the mails to this address of this person, and allows nothing else. It does not expire. */
export async function createUnsubscribeToken({ ports }: Context, personId: string, email: string): Promise<string> {
  const signature = await ports.signer.sign(signedText(personId, email))
  return `${Buffer.from(personId).toString('base64url')}.${signature}`
}

/** The person that an unsubscribe token names. Its signature is not verified here. */
export function personOfToken(token: string): string | null {
  const personId = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8')
  return isDid(personId) ? personId : null
}

/** Whether the server signed the token for this address of this person. */
export async function isUnsubscribeToken({ ports }: Context, token: string, of: { personId: string; email: string }): Promise<boolean> {
  return verifyBytes(ports.signer.did, signedText(of.personId, of.email), token.split('.')[1] ?? '')
}

import { createHmac } from 'node:crypto'

/** The header `Parley-Signature` for a body. HMAC-SHA256 over the time and the body, so that a receiver can refuse old requests. */
export function signWebhook(secret: string, { body, at }: { readonly body: string; readonly at: Date }): string {
  const seconds = Math.floor(at.getTime() / 1_000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

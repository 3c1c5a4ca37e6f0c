import { canonicalBytes, type Json } from './canonical.ts'

/** The bytes that the sender signs: all fields except the server's and the signature. */
export function signedBytes(envelope: { [key: string]: unknown }): Uint8Array<ArrayBuffer> {
  const { seq: _seq, received_at: _receivedAt, sig: _sig, ...signed } = envelope
  return canonicalBytes(signed as Json)
}

import { canonicalBytes, type Json } from './canonical.ts'

/** What an agent signs to prove its key on connect. `audience` is the server's DID, so the proof is invalid at other servers. */
export function helloBytes(input: { audience: string; nonce: string; did: string }): Uint8Array<ArrayBuffer> {
  return canonicalBytes({ purpose: 'parley-hello-v1', ...input } satisfies Json)
}

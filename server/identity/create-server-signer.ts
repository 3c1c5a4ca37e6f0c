import { createPrivateKey, sign } from 'node:crypto'
import { type Signer, signerFromSeed } from '@parley/protocol'

// RFC 8410: the fixed head of a PKCS#8 document around a 32-byte Ed25519 seed.
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The server's own key. As `signerFromSeed`, but signs synchronously, without a switch to another thread. */
export async function createServerSigner(seedHex: string): Promise<Signer> {
  const { did } = await signerFromSeed(seedHex)
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, Buffer.from(seedHex, 'hex')]), format: 'der', type: 'pkcs8' })
  return { did, sign: async (bytes) => sign(null, bytes, key).toString('base64url') }
}

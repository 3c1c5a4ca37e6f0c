import { type Envelope, signedBytes, verifyBytes } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import vector from '../../../protocol/vectors/signatures/envelope.json' with { type: 'json' }
import { verifyDidKeySignature } from '../../../server/identity/index.ts'
import { verifyDidKeySignatureOnce } from '../../../server/identity/verify-did-key-signature.ts'

const cases = (vector.cases as unknown as { name: string; envelope: Envelope }[]).flatMap(({ name, envelope }) =>
  envelope.sig ? [{ name, bytes: signedBytes(envelope), sig: envelope.sig }] : [],
)

describe('verifyDidKeySignature', () => {
  it('answers as the protocol does, on every vector', async () => {
    const answers = await Promise.all(
      cases.map(async ({ name, bytes, sig }) => ({
        name,
        here: await verifyDidKeySignature(sig.kid, bytes, sig.value),
        once: await verifyDidKeySignatureOnce(sig.kid, bytes, sig.value),
        protocol: await verifyBytes(sig.kid, bytes, sig.value),
      })),
    )
    for (const { name, here, once, protocol } of answers) expect([here, once], name).toEqual([protocol, protocol])
    expect(new Set(answers.map((one) => one.here))).toEqual(new Set([true, false]))
  })

  it('takes nothing for a signature that is none, and no one without a key', async () => {
    const [one] = cases
    if (!one) throw new Error('there is no vector')
    for (const value of ['', 'A', `${one.sig.value}A`, `${one.sig.value}==`, 'ä'.repeat(86)])
      expect(await verifyDidKeySignature(one.sig.kid, one.bytes, value), value).toBe(false)
    for (const did of ['', 'did:web:example.org', 'did:key:z6Mk', `${one.sig.kid}1`])
      expect(await verifyDidKeySignature(did, one.bytes, one.sig.value), did).toBe(false)
  })
})

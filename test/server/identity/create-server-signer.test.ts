import { randomSeed, signerFromSeed, verifyBytes } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { createServerSigner } from '../../../server/identity/index.ts'

describe('createServerSigner', () => {
  it('signs what the portable signer of the same seed signs', async () => {
    const seed = randomSeed()
    const bytes = new TextEncoder().encode('any words')
    const [own, portable] = [await createServerSigner(seed), await signerFromSeed(seed)]
    expect(own.did).toBe(portable.did)
    expect(await own.sign(bytes)).toBe(await portable.sign(bytes))
    expect(await verifyBytes(own.did, bytes, await own.sign(bytes))).toBe(true)
    expect(await verifyBytes(own.did, new TextEncoder().encode('other words'), await own.sign(bytes))).toBe(false)
  })
})

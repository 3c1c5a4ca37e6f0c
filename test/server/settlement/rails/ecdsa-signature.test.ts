import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { Eip712TypedData } from '../../../../server/ports.ts'
import { canonicalEcdsaSignature, isSignedByKey } from '../../../../server/settlement/rails/ecdsa-signature.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const owner = privateKeyToAccount(generatePrivateKey())
const { address } = owner
const typedData = {
  domain: { name: 'Test', version: '1', chainId: 31_337 },
  types: { Note: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Note',
  message: { amount: 5n },
} as const satisfies Eip712TypedData

describe('isSignedByKey', () => {
  it('takes only the canonical signature of the key itself', async () => {
    const signature = await owner.signTypedData(typedData)
    expect(await isSignedByKey({ address, typedData, signature })).toBe(true)
    const other = privateKeyToAccount(generatePrivateKey())
    expect(await isSignedByKey({ address: other.address, typedData, signature })).toBe(false)
    expect(await isSignedByKey({ address, typedData, signature: `${signature}00` })).toBe(false)
    expect(await isSignedByKey({ address, typedData, signature: '0x' })).toBe(false)
  })

  it('refuses the forms that the contracts refuse, and takes them once they are canonical', async () => {
    const signature = await owner.signTypedData(typedData)
    const parity = Number.parseInt(signature.slice(130), 16) - 27
    const zeroBased = `${signature.slice(0, 130)}0${parity}` as `0x${string}`
    const s = order - BigInt(`0x${signature.slice(66, 130)}`)
    const upper = `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${(28 - parity).toString(16)}` as `0x${string}`
    for (const form of [zeroBased, upper]) {
      expect(await isSignedByKey({ address, typedData, signature: form })).toBe(false)
      expect(canonicalEcdsaSignature(form)).toBe(signature)
    }
    expect(canonicalEcdsaSignature(signature)).toBe(signature)
    expect(canonicalEcdsaSignature('0x1234')).toBe('0x1234')
  })
})

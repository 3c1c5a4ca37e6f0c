import type { Eip712TypedData } from '@/server/ports.ts'

/** A task for the wallet panel: sign the person in, or sign EIP-712 data with the wallet of the signed-in person. */
export type WalletTask =
  | { readonly kind: 'sign-in' }
  | {
      readonly kind: 'typed-data'
      readonly typedData: Eip712TypedData
      readonly resolve: (signature: `0x${string}`) => void
      readonly reject: (error: Error) => void
    }

import type { Eip712TypedData } from '@/server/ports.ts'

/** What the wallet is asked for: sign the person in, or sign EIP-712 data with the wallet of the signed-in person. */
export type WalletAction =
  | { readonly kind: 'sign-in'; readonly onSignedIn: (() => void) | undefined }
  | {
      readonly kind: 'typed-data'
      readonly typedData: Eip712TypedData
      readonly resolve: (signature: `0x${string}`) => void
      readonly reject: (error: Error) => void
    }

/** Addresses of wallets and contracts. */
import { z } from 'zod'

/** 20 bytes, 0x-prefixed. Input in either case; stored in lower case. */
export const Address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase() as `0x${string}`)
/** An EVM address on the wire: 20 bytes, 0x-prefixed, lower case. */
export const WireAddress = z.string().regex(/^0x[0-9a-f]{40}$/)

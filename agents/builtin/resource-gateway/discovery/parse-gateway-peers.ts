/** Parsers for environment variables. */
import { KeyDid } from '@parley/protocol'
import type { GatewayPeer } from '../pool/referrals.ts'

export const splitList = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean)

/** Parses `did@address` pairs, separated by blanks or commas. @throws if one is invalid */
export function parseGatewayPeers(text: string | undefined): GatewayPeer[] {
  return splitList(text).map((one) => {
    const [did = '', ...rest] = one.split('@')
    return { did: KeyDid.parse(did), at: new URL(rest.join('@')).origin }
  })
}

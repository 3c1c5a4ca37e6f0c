/** Gateways as whoever runs a process names them. */
import { KeyDid } from '@parley/protocol'
import type { GatewayPeer } from '../pool/referrals.ts'

export const splitList = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean)

/** `did@address`, as many as there are, apart by blanks or commas. @throws where one is no such pair */
export function parsePeers(text: string | undefined): GatewayPeer[] {
  return splitList(text).map((one) => {
    const [did = '', ...rest] = one.split('@')
    return { did: KeyDid.parse(did), at: new URL(rest.join('@')).origin }
  })
}

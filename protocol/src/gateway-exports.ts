/** The public exports for gateway agents: resources, their pools and proxy listings. */

export { PoolEntry, type PoolState, poolStates, ReportPool } from './gateway-pool-commands.ts'
export {
  Admission,
  type AdmissionDraft,
  type CardDraft,
  controlBytes,
  controlPath,
  Endpoint,
  gatewayRequestBytes,
  maxAdmissionLifeMs,
  maxCardBytes,
  nameOfSkill,
  type Read,
  Referral,
  type ReferralDraft,
  ResourceCard,
  type ResourceProtocol,
  ResourceQuery,
  readAdmission,
  readCard,
  readReferral,
  resourceProtocols,
  signAdmission,
  signCard,
  signReferral,
} from './gateway-resource.ts'
export { ListingProxy, OpenProxy, proxyFault } from './proxy-listing.ts'

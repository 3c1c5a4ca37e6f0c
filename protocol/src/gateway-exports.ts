/** The public exports for gateway agents: resources, their pools and proxy listings. */

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
export { PoolEntry, type PoolState, poolStates, ReportPool } from './pool-commands.ts'
export { ListingProxy, OpenProxy, proxyFault } from './proxy-listing.ts'

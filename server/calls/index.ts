/**
 * Owns calls: direct questions to an agent, their answers, and the lease of each; and the free test tasks of publishers.
 * Never moves money, and never stores a voucher: it reports when one is earned.
 * Reads tasks, settlement, registry, conversations, delivery, policy, audit.
 */
export { answerCall } from './answer-call.ts'
export type { CallView } from './call-store.ts'
export { declineCall } from './decline-call.ts'
export { expireCall } from './expire-call.ts'
export { getCall } from './get-call.ts'
export { isCallFile } from './is-call-file.ts'
export { listCalls } from './list-calls.ts'
export { requestCall } from './request-call.ts'
export { findSchemaMismatches } from './skill-tests/find-schema-mismatches.ts'
export { listSkillTests, type SkillTestView } from './skill-tests/list-skill-tests.ts'
export { listTestedSkills, type TestedSkill } from './skill-tests/list-tested-skills.ts'
export { type TestStarted, testSkill } from './skill-tests/test-skill.ts'

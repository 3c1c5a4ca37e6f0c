import { type Rule, type RuleSubject, randomSeed, signerFromSeed } from '@parley/protocol'
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type PoolChange,
} from '../../../../agents/builtin/resource-gateway/pool/gateway-pool.ts'
import type { TestEnvironment } from '../../../../agents/builtin/resource-gateway/testing/run-resource-tests.ts'

export type Trial = {
  readonly gateway: Gateway
  readonly changes: PoolChange[]
  readonly sprung: Set<string>
  readonly rules: Rule[]
  readonly clock: { at: number }
  readonly range: TestEnvironment
}

export const start = Date.parse('2026-03-01T12:00:00.000Z')
let salts = 0

/** A gateway in this process that may ask the origins named, with a clock that is stopped. */
export async function openGateway(
  origins: readonly string[],
  change: Partial<GatewayOptions> & { trap?: string; clock?: { at: number } } = {},
): Promise<Trial> {
  const changes: PoolChange[] = []
  const sprung = new Set<string>()
  const rules: Rule[] = []
  const clock = change.clock ?? { at: start }
  const range: TestEnvironment = {
    policy: { allowed: new Set(origins) },
    bounds: { ms: 1_000, bytes: 65_536 },
    totalMs: 20_000,
    maxRequests: 60,
    now: () => clock.at,
    random: () => `s${(salts++).toString(36)}${Math.random().toString(36).slice(2, 12)}padding`.slice(0, 16),
    trap: { address: (salt) => `${change.trap ?? 'http://127.0.0.1:9'}/trap/${salt}`, sprung: (salt) => sprung.has(salt) },
  }
  const gateway = createGateway({
    ...{ signer: await signerFromSeed(randomSeed()), scope: { topics: [] }, isOpen: true, insiders: new Set() },
    ...{ range, rules: () => rules, onChange: (one: PoolChange) => void changes.push(one) },
    ...change,
  })
  return { gateway, changes, sprung, rules, clock, range }
}

let made = 0
export function rule(effect: Rule['effect'], points: Rule['points'], subject: RuleSubject = {}): Rule {
  return { rule_id: `rul_${(made++).toString(16).padStart(32, '0')}`, effect, points, subject, reason: 'It is on trial.' }
}

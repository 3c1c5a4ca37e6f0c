import { evaluateRules, hasContentTagRule, isInForce, type PolicyRequest, type Rule, RuleDraft, type RuleSubject } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const agent = `agt_${'a'.repeat(32)}`
const now = Date.parse('2026-03-01T12:00:00.000Z')
let made = 0
const rule = (effect: Rule['effect'], subject: RuleSubject = {}, more: Partial<Rule> = {}): Rule => ({
  ...{ rule_id: `rul_${(made++).toString(16).padStart(32, '0')}`, effect, points: ['execute'], subject, reason: 'Because.' },
  ...more,
})
const request: PolicyRequest = {
  point: 'execute',
  agent_ids: [agent],
  kind: 'tool',
  host: 'api.tools.example',
  region: 'eu-west',
  skill_ids: ['a.b'],
}
const effect = (rules: Rule[], about: PolicyRequest = request) => evaluateRules(rules, about, now).effect

describe('evaluateRules', () => {
  it('allows where no rule fits, and reports that none did', () => {
    expect(evaluateRules([], request, now)).toEqual({ effect: 'allow', rule: null })
    expect(effect([rule('deny', {}, { points: ['admit'] })])).toBe('allow')
  })

  it('lets a deny go before all, and an allow answer an ask', () => {
    expect(effect([rule('allow'), rule('deny'), rule('ask')])).toBe('deny')
    expect(effect([rule('ask')])).toBe('ask')
    expect(effect([rule('ask'), rule('allow', { agent_id: agent })])).toBe('allow')
  })

  it.each<[RuleSubject, boolean]>([
    [{}, true],
    [{ agent_id: agent }, true],
    [{ agent_id: `agt_${'b'.repeat(32)}` }, false],
    [{ kind: 'tool', host: 'tools.example' }, true],
    [{ kind: 'model', host: 'tools.example' }, false],
    [{ host: 'ools.example' }, false],
    [{ skill_id: 'a.b' }, true],
    [{ outside_region: 'eu' }, false],
    [{ outside_region: 'us' }, true],
    [{ outside_region: 'eu-w' }, true],
    [{ tag: 'pii.email' }, false],
  ])('%j fits: %s', (subject, fits) => expect(effect([rule('deny', subject)])).toBe(fits ? 'deny' : 'allow'))

  it('takes a resource that states no region for one outside, and asks no one who need not state any', () => {
    expect(effect([rule('deny', { outside_region: 'eu' })], { point: 'execute', kind: 'tool', region: null })).toBe('deny')
    expect(effect([rule('deny', { outside_region: 'eu' })], { point: 'execute', agent_ids: [agent] })).toBe('allow')
  })

  it('forgets what has expired', () => {
    const passing = rule('deny', {}, { expires_at: '2026-03-01T12:00:00.000Z' })
    expect([effect([passing]), evaluateRules([passing], request, now - 1).effect, isInForce(passing, now)]).toEqual([
      'allow',
      'deny',
      false,
    ])
  })

  it('is not changed by the order of the rules', () => {
    const rules = [
      rule('allow', { kind: 'tool' }),
      rule('ask', { host: 'tools.example' }),
      rule('deny', { outside_region: 'us' }),
      rule('deny', { kind: 'model' }),
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(rules), (some) => {
        const wanted = some.includes(rules[2] as Rule)
          ? 'deny'
          : some.includes(rules[1] as Rule) && !some.includes(rules[0] as Rule)
            ? 'ask'
            : 'allow'
        return effect(some) === wanted
      }),
    )
  })
})

describe('RuleDraft', () => {
  const draft = { effect: 'deny', points: ['act'], subject: {}, reason: 'Because.' }
  it('takes nothing that would be read as everything by mistake', () => {
    expect(RuleDraft.safeParse(draft).success).toBe(true)
    expect(RuleDraft.safeParse({ ...draft, subject: { agent: agent } }).success).toBe(false)
    expect(RuleDraft.safeParse({ ...draft, points: [] }).success).toBe(false)
    expect(RuleDraft.safeParse({ ...draft, points: ['act', 'act'] }).success).toBe(false)
  })
})

describe('hasContentTagRule', () => {
  it('is true only where a rule at that point names a tag', () => {
    expect(hasContentTagRule([rule('deny')], 'execute')).toBe(false)
    expect(hasContentTagRule([rule('deny', { tag: 'pii.card' })], 'post')).toBe(false)
    expect(hasContentTagRule([rule('deny', { tag: 'pii.card' }, { points: ['post'] })], 'post')).toBe(true)
  })
})

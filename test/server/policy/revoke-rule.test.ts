import { describe, expect, it } from 'vitest'
import { activeRules, createRule, listRules, revokeRule } from '../../../server/policy/index.ts'
import { anonymous, codeOf, openRoomWorld, system } from '../database-only-world.ts'

const world = openRoomWorld()
const operator = () => world.as({ ...world.person().actor, isOperator: true })
const lift = (rule_id: string, ctx = operator()) => revokeRule(ctx, { type: 'rule.revoke', rule_id: rule_id as 'rul_' })

describe('revokeRule', () => {
  it('refuses everyone but operators, finds none where there is none, and lifts once', async () => {
    const rule = { effect: 'deny', points: ['act'], subject: {}, reason: 'All of it stops.' } as const
    const { rule_id } = await createRule(operator(), { type: 'rule.create', rule: { ...rule, points: [...rule.points] } })
    expect(await codeOf(lift(rule_id, world.as(anonymous)))).toBe('auth.required')
    expect(await codeOf(lift(rule_id, world.person().ctx))).toBe('permission.denied')
    expect(await codeOf(lift(rule_id, world.agent(world.ctx.ids.next('agt'))))).toBe('permission.denied')
    expect(await codeOf(lift(`rul_${'0'.repeat(32)}`))).toBe('rule.not_found')
    expect(await activeRules(world.ctx)).toHaveLength(1)
    expect([await lift(rule_id), await lift(rule_id)]).toEqual([{ rule_id }, { rule_id }])
    expect(await activeRules(world.ctx)).toEqual([])
    expect((await listRules(world.as(system))).rules).toEqual([])
    expect(await world.audit('rules')).toEqual(['rule.create', 'rule.revoke'])
  })
})

import { createHash } from 'node:crypto'
import { type CreateRule, canonicalize, type Json, type PolicyRequest } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { denialAuditIntervalMs } from '../../../server/policy/enforce-rules.ts'
import { activeRules, createRule, enforceRules, isAllowed, listRules, revokeRule } from '../../../server/policy/index.ts'
import { ruleCacheMs } from '../../../server/policy/rule-cache.ts'
import { anonymous, codeOf, openRoomWorld } from '../database-only-world.ts'

const world = openRoomWorld()
const operator = () => world.as({ ...world.person().actor, isOperator: true })
const agent = `agt_${'a'.repeat(32)}`
const draft: CreateRule['rule'] = { effect: 'deny', points: ['act'], subject: { agent_id: agent }, reason: 'It is on trial.' }
const set = (ctx = operator(), change: Partial<CreateRule['rule']> = {}) =>
  createRule(ctx, { type: 'rule.create', rule: { ...draft, ...change } })
const request: PolicyRequest = { point: 'act', agent_ids: [agent] }

describe('createRule', () => {
  it('refuses everyone but operators', async () => {
    expect(await codeOf(set(world.as(anonymous)))).toBe('auth.required')
    expect(await codeOf(set(world.person().ctx))).toBe('permission.denied')
    expect(await codeOf(set(world.agent(agent)))).toBe('permission.denied')
    expect(await codeOf(listRules(world.person().ctx))).toBe('permission.denied')
    expect(await codeOf(listRules(world.agent(agent)))).toBe('permission.denied')
    expect(await world.db.rule.count()).toBe(0)
  })

  it('audits once, holds here at once and elsewhere within a second, and not after it expires', async () => {
    const elsewhere = { ...world.ctx, ports: { ...world.ctx.ports } }
    expect(await activeRules(elsewhere)).toEqual([])
    expect(await activeRules(world.ctx)).toEqual([])
    const expires_at = new Date(world.clock.now().getTime() + 60_000).toISOString()
    const { rule_id } = await set(operator(), { expires_at })
    expect(await world.audit('rules')).toEqual(['rule.create'])
    expect(await activeRules(world.ctx)).toEqual([{ ...draft, expires_at, rule_id }])
    expect(await activeRules(elsewhere)).toEqual([])
    world.clock.advance(ruleCacheMs)
    expect(await activeRules(elsewhere)).toHaveLength(1)
    expect(isAllowed(world.ctx, await activeRules(world.ctx), request)).toBe(false)
    world.clock.advance(60_000)
    expect(await activeRules(elsewhere)).toEqual([])
  })
})

describe('requireAllowed', () => {
  it('writes down whom it stops, with one audit row an hour and a count, before it says so', async () => {
    const { rule_id } = await set()
    const before = (await world.audit('rules')).length
    const stop = async () => codeOf(enforceRules(world.agent(agent), await activeRules(world.ctx), request))
    expect([await stop(), await stop()]).toEqual(['rule.denied', 'rule.denied'])
    expect((await world.audit('rules')).slice(before)).toEqual(['rule.denied'])
    world.clock.advance(denialAuditIntervalMs)
    await stop()
    expect((await world.audit('rules')).slice(before)).toEqual(['rule.denied', 'rule.denied'])
    const { stops } = await listRules(operator())
    expect(stops.find((one) => one.ruleId === rule_id)).toMatchObject({ point: 'act', subject: agent, count: 3, isHeld: false })
    await revokeRule(operator(), { type: 'rule.revoke', rule_id })
  })

  it('holds what has to be asked, until an operator has allowed it', async () => {
    const ask = await set(operator(), { effect: 'ask', points: ['execute'], subject: {} })
    const work: PolicyRequest = { point: 'execute', agent_ids: [agent] }
    const go = async () => codeOf(enforceRules(world.person().ctx, await activeRules(world.ctx), work))
    expect(await go()).toBe('rule.approval_required')
    expect((await listRules(operator())).stops.find((one) => one.ruleId === ask.rule_id)).toMatchObject({ isHeld: true, subject: agent })
    await set(operator(), { effect: 'allow', points: ['execute'], subject: { agent_id: agent } })
    expect(await go()).toBeUndefined()
  })

  it('leaves a chain of audit rows that holds from its anchor, and shows where a row was changed', async () => {
    const rows = await world.db.auditEntry.findMany({ where: { chain: 'rules' }, orderBy: { n: 'asc' } })
    expect(rows.length).toBeGreaterThan(5)
    expect(brokenAt(rows)).toBeNull()
    expect(brokenAt(rows.with(3, { ...(rows[3] as Row), after: { reason: 'Another one.' } }))).toBe(4)
    expect(brokenAt(rows.toSpliced(2, 1))).toBe(4)
    // The anchor: who wrote down the last hash notices that the end was cut off and rewritten.
    expect(rows.at(-2)?.hash).not.toBe(rows.at(-1)?.hash)
    await expect(world.db.auditEntry.update({ where: { id: rows[0]?.id ?? '' }, data: { action: 'rule.revoke' } })).rejects.toThrow()
  })
})

type Row = Awaited<ReturnType<typeof world.db.auditEntry.findMany>>[number]

/** The number of the first row that does not follow from those before it; null where all do. */
function brokenAt(rows: readonly Row[]): number | null {
  let previous = '0'.repeat(64)
  for (const [index, row] of rows.entries()) {
    const { chain, n, actor, action, before, after, hash } = row
    const body = { chain, n, at: row.at.toISOString(), actor, action, before, after, previous } as unknown as Json
    if (n !== index + 1 || createHash('sha256').update(canonicalize(body)).digest('hex') !== hash) return n
    previous = hash
  }
  return null
}

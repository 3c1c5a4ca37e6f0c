import { randomBytes } from 'node:crypto'
import { Skill } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { suggestGoalsForSkill } from '../../../../server/goals/index.ts'
import { markOnline } from '../../../../server/registry/index.ts'
import { createCaller } from '../../../../server/trpc/app-router.ts'
import { publishTestAgent } from '../../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let owner: TestPerson

const skill = (price: string): Skill =>
  Skill.parse({
    id: 'text.shout',
    name: 'Shout',
    description: 'Writes a text in capitals.',
    inputs: [{ name: 'text', type: 'query.text' }],
    outputs: [{ name: 'shout', type: 'text.shout' }],
    price,
  })

beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  owner = await world.person({ usdc: 0n })
})
afterAll(() => world?.[Symbol.asyncDispose]())

async function connect(handle: string, skillId: string, output: string): Promise<string> {
  const { agentId } = await publishTestAgent(world, owner, handle, skillId, [output], { inputs: ['query.text'], price: 100_000n })
  await markOnline(world.system, agentId, 'test')
  return agentId
}

const examplesOf = (price: string, agentId: string | null = null) =>
  suggestGoalsForSkill(owner.ctx, { agentId, skills: [skill(price)], skillId: 'text.shout' })

const callerOf = (ctx: Context) =>
  createCaller({
    ctx,
    services: world.world,
    token: null,
    userAgent: '',
    source: randomBytes(4).join('.'),
    reply: null,
    id: 'test',
  })

describe('suggestGoalsForSkill', () => {
  it('reports that no planner is online', async () => {
    expect(await examplesOf('1000')).toEqual({ goals: [], obstacle: { kind: 'no_planner' } })
  })

  it('gives goals that the planner online would give to a listing that does not exist yet', async () => {
    await connect('lead', 'goal.plan', 'plan')
    const { goals, obstacle } = await examplesOf('1000')
    expect(obstacle).toBeNull()
    expect(goals[0]).toMatchObject({ text: expect.stringContaining('Shout: “'), files: [], steps: 1 })
  })

  it('compares with the agents online, and leaves out the listing that the draft changes', async () => {
    const agentId = await connect('shouter', 'text.shout', 'text.shout')
    expect((await examplesOf('9000000')).obstacle).toMatchObject({ kind: 'cheaper_rival', handle: 'shouter' })
    expect((await examplesOf('9000000', agentId)).obstacle).toBeNull()
  })
})

describe('goals.findExamples', () => {
  const asked = { skills: [skill('1000')], skill_id: 'text.shout' }

  it('answers a signed-in person, and no one else', async () => {
    expect((await callerOf(owner.ctx).goals.findExamples(asked)).goals.length).toBeGreaterThan(0)
    await expect(callerOf(world.world.contextFor({ kind: 'anonymous' })).goals.findExamples(asked)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
  })

  it('refuses skills that are larger than a listing', async () => {
    const large = { ...skill('1000'), samples: [{ title: 'Large', input: 'x'.repeat(70_000), output: '' }] }
    await expect(callerOf(owner.ctx).goals.findExamples({ ...asked, skills: [large] })).rejects.toThrow('larger than a listing')
  })
})

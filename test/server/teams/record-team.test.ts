import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages } from '../../../server/conversations/index.ts'
import { getTeam, recordTeam } from '../../../server/teams/index.ts'
import { type Stage, sealStage, setStage } from '../../support/stage.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let stage: Stage
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
  await sealStage(stage)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('recordTeam', () => {
  it('tells the room once, however often the chain is read, and takes no version but the sealed one', async () => {
    const { recordedAt } = await getTeam(world.system, stage.goal.id)
    await recordTeam(world.system, { goalId: stage.goal.id, version: 1, planId: '0x', tx: '0x', agreed: true })
    await recordTeam(world.system, { goalId: stage.goal.id, version: 9, planId: '0x', tx: '0x', agreed: true })
    expect((await getTeam(world.system, stage.goal.id)).recordedAt).toEqual(recordedAt)
    expect((await getTeam(world.system, stage.goal.id)).agreed).toBe(false)
    const messages = await readMessages(world.system, { groupId: stage.goal.groupId, after: 0, limit: 100 })
    const notices = messages.filter((message) => message.parts.some((part) => part.data?.kind === 'charter.recorded'))
    expect(notices).toHaveLength(1)
    expect(notices[0]?.parts[0]?.text).toContain('sealed by the evaluator')
    expect(notices[0]).toMatchObject({ sender_id: world.world.market.serverDid, payment: { kind: 'charter.recorded' } })
  })
})

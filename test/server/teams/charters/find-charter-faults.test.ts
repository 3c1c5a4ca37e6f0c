import type { Charter } from '@parley/protocol'
import { ListingDraft } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../../server/db.ts'
import { writeVersion } from '../../../../server/registry/index.ts'
import { listSteps } from '../../../../server/teams/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { agreeTeam, createFundedGoal, doStep, type GoalFixture } from '../../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  await passOn(1_500)
})
afterAll(() => world[Symbol.asyncDispose]())

/** The first worker's listing passes so much of its pay on to the second's. */
async function passOn(bps: number): Promise<void> {
  const { agentId } = fixture.first
  const { body } = await world.system.db.listingRevision.findFirstOrThrow({ where: { agentId }, orderBy: { version: 'desc' } })
  const listing = ListingDraft.parse({ ...(body as object), royalties: [{ agent_id: fixture.second.agentId, bps }] })
  await inTransaction(world.system, (tx) => writeVersion(tx, agentId, listing))
}

function charterWith(royalties: object[], changes: Partial<Charter> = {}): Charter {
  const [first, ...rest] = fixture.charter().steps
  if (!first) throw new Error('the stage has steps')
  return fixture.charter({ steps: [{ ...first, royalties: royalties as never }, ...rest], ...changes })
}
const share = (bps: number) => ({ agent_id: fixture.second.agentId, to: fixture.second.payee, bps })
const propose = (charter: Charter) => fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter })

describe('the royalties of a charter', () => {
  it('are those of the listing: no other share, no one else, no one left out, no one added', async () => {
    const stranger = `0x${'7'.repeat(40)}`
    for (const bad of [[], [share(1_499)], [{ ...share(1_500), to: stranger }], [share(1_500), { ...share(1), to: stranger }]])
      await expectProblem(propose(charterWith(bad)), 'team.charter_invalid')
  })

  it('go to the seal by the place of their step, and stay with what is done, regardless of later listing changes', async () => {
    await agreeTeam({ ...fixture, charter: () => charterWith([share(1_500)]) })
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    const sealed = await world.system.db.holdCharter.findFirstOrThrow({ where: { goalId: fixture.goal.id } })
    expect(sealed.steps).toMatchObject([
      { step: 1, royalties: [{ to: fixture.second.payee, bps: 1_500 }] },
      { step: 2, royalties: [] },
    ])
    expect((await listSteps(world.system, fixture.goal.id))[0]?.royalties).toEqual([share(1_500)])
    await world.until('the record', async () => (await world.system.db.team.findFirst({ where: { goalId: fixture.goal.id } }))?.recordedAt)
    await doStep(fixture, 1, fixture.first)
    await passOn(2_000)
    await expectProblem(propose(charterWith([share(2_000)], { version: 2 })), 'team.charter_invalid')
    await propose(charterWith([share(1_500)], { version: 2 }))
  })
})

describe('the size of a charter', () => {
  it('is what one transaction can settle: a larger one is refused, and states what to do', async () => {
    const refusalOf = async (royalties: number) => {
      const [first] = fixture.charter().steps
      const steps = Array.from({ length: 60 }, (_, index) => {
        const shares = index < royalties ? [share(1)] : []
        return { ...first, step: index + 1, depends_on: [], inputs: [], royalties: shares }
      })
      return (await expectProblem(propose(fixture.charter({ steps: steps as never })), 'team.charter_invalid')).message
    }
    expect(await refusalOf(35)).toContain('one transaction settles at most 94 together. Give it fewer steps')
    expect(await refusalOf(34)).not.toContain('one transaction settles')
  })
})

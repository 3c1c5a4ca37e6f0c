import type { Charter } from '@parley/protocol'
import { ListingDraft } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../../server/db.ts'
import { writeVersion } from '../../../../server/registry/index.ts'
import { listSteps } from '../../../../server/teams/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { agreeTeam, doStep, type Stage, setStage } from '../../../support/stage.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let stage: Stage
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
  await passOn(1_500)
})
afterAll(() => world[Symbol.asyncDispose]())

/** The first worker's listing passes so much of its pay on to the second's. */
async function passOn(bps: number): Promise<void> {
  const { agentId } = stage.first
  const { body } = await world.system.db.listingRevision.findFirstOrThrow({ where: { agentId }, orderBy: { version: 'desc' } })
  const listing = ListingDraft.parse({ ...(body as object), royalties: [{ agent_id: stage.second.agentId, bps }] })
  await inTransaction(world.system, (tx) => writeVersion(tx, agentId, listing))
}

function charterWith(royalties: object[], changes: Partial<Charter> = {}): Charter {
  const [first, ...rest] = stage.charter().steps
  if (!first) throw new Error('the stage has steps')
  return stage.charter({ steps: [{ ...first, royalties: royalties as never }, ...rest], ...changes })
}
const share = (bps: number) => ({ agent_id: stage.second.agentId, to: stage.second.payee, bps })
const propose = (charter: Charter) => stage.lead.send({ type: 'team.propose', goal_id: stage.goal.id, charter })

describe('the royalties of a charter', () => {
  it('are those of the listing: no other share, nobody else, nobody left out, nobody added', async () => {
    const stranger = `0x${'7'.repeat(40)}`
    for (const bad of [[], [share(1_499)], [{ ...share(1_500), to: stranger }], [share(1_500), { ...share(1), to: stranger }]])
      await expectProblem(propose(charterWith(bad)), 'team.charter_invalid')
  })

  it('go to the seal by the place of their step, and stay with what is done, whatever the listing says by then', async () => {
    await agreeTeam({ ...stage, charter: () => charterWith([share(1_500)]) })
    await stage.lead.send({ type: 'team.seal', goal_id: stage.goal.id })
    const sealed = await world.system.db.holdCharter.findFirstOrThrow({ where: { goalId: stage.goal.id } })
    expect(sealed.steps).toMatchObject([
      { step: 1, royalties: [{ to: stage.second.payee, bps: 1_500 }] },
      { step: 2, royalties: [] },
    ])
    expect((await listSteps(world.system, stage.goal.id))[0]?.royalties).toEqual([share(1_500)])
    await world.until('the record', async () => (await world.system.db.team.findFirst({ where: { goalId: stage.goal.id } }))?.recordedAt)
    await doStep(stage, 1, stage.first)
    await passOn(2_000)
    await expectProblem(propose(charterWith([share(2_000)], { version: 2 })), 'team.charter_invalid')
    await propose(charterWith([share(1_500)], { version: 2 }))
  })
})

describe('the size of a charter', () => {
  it('is what one transaction can settle: a larger one is refused, and says what to do', async () => {
    const refusalOf = async (royalties: number) => {
      const [first] = stage.charter().steps
      const steps = Array.from({ length: 60 }, (_, index) => {
        const shares = index < royalties ? [share(1)] : []
        return { ...first, step: index + 1, depends_on: [], inputs: [], royalties: shares }
      })
      return (await expectProblem(propose(stage.charter({ steps: steps as never })), 'team.charter_invalid')).message
    }
    expect(await refusalOf(35)).toContain('one transaction settles at most 94 together. Give it fewer steps')
    expect(await refusalOf(34)).not.toContain('one transaction settles')
  })
})

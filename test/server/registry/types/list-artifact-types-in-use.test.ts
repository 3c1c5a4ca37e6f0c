import { expect, it } from 'vitest'
import { listArtifactTypesInUse, publishListing, withdrawListing } from '../../../../server/registry/index.ts'
import { draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const port = (name: string, type: string, description = '') => ({ name, type, description, optional: false })
type Ports = ReturnType<typeof port>[]

async function publish(inputs: Ports, outputs: Ports, samples: { title: string; input: unknown; output: string }[] = []) {
  const draft = draftOf()
  const skills = draft.skills.map((skill) => ({ ...skill, inputs, outputs, samples }))
  const { ctx } = world.person()
  const { agent_id } = await publishListing(ctx, { type: 'listing.publish', listing: { ...draft, skills } as never })
  return { ctx, agent_id }
}

it('lists the types of all listed skills with their agents, their description and an example', async () => {
  await publish(
    [port('text', 'query.text', 'A text.')],
    [port('shout', 'text.loud', 'Capitals.')],
    [{ title: 'One', input: { text: 'hello' }, output: 'HELLO' }],
  )
  await publish([port('text', 'query.text', 'A text.')], [port('a', 'text.loud'), port('b', 'text.quiet')])
  await publish(
    [port('text', 'query.text', 'Words.'), port('loud', 'text.loud')],
    [port('b', 'text.quiet')],
    [{ title: 'Two', input: 'not of one port', output: 'psst' }],
  )
  const gone = await publish([], [port('x', 'text.gone')])
  await withdrawListing(gone.ctx, { type: 'listing.withdraw', agent_id: gone.agent_id as never })
  const broken = await publish([], [port('x', 'text.broken')])
  await world.ctx.db.listingSkill.updateMany({ where: { agentId: broken.agent_id }, data: { outputs: { no: 'list' } } })

  const expected = [
    { type: 'query.text', made: 0, taken: 3, description: 'A text.', example: '{"text": "hello"}' },
    { type: 'text.loud', made: 2, taken: 1, description: 'Capitals.', example: 'HELLO' },
    { type: 'text.quiet', made: 2, taken: 0, description: '', example: 'psst' },
  ]
  expect(await listArtifactTypesInUse(world.ctx)).toEqual(expected)
  // Kept for half a minute: another listing is not read before that.
  await publish([], [port('y', 'text.later')])
  expect(await listArtifactTypesInUse(world.ctx)).toEqual(expected)
  world.clock.advance(30_000)
  expect((await listArtifactTypesInUse(world.ctx)).map(({ type }) => type)).toContain('text.later')
})

import { uuidv7 } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../server/db.ts'
import { claimIdempotencyKey } from '../../../server/delivery/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let client: TestPerson
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  client = await world.person()
})
afterAll(() => world[Symbol.asyncDispose]())

const newId = () => uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
function post(budget: string, id: string, more: object = {}) {
  const deadline = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const goal = { text: 'Summarise the annual report.', criteria: [{ text: 'One page.' }], budget, deadline: `${deadline}T23:00:00Z` }
  return { type: 'goal.post', id, goal, attachments: [], ...more } as const
}

describe('requireSameRequest', () => {
  const ask = (key: string, body: object) =>
    inTransaction(client.ctx, (tx) => claimIdempotencyKey(tx, key, { type: 'goal.post', ...body } as never))

  it('accepts a repeat with its fields in any order, and nothing else', async () => {
    await ask('a', { x: 1, y: [1, { z: 2 }] })
    await ask('a', { y: [1, { z: 2 }], x: 1 })
    await expectProblem(ask('a', { x: 2, y: [1, { z: 2 }] }), 'request.id_reused')
    await ask('b', { x: 2 })
  })

  it('counts what an envelope says, and not under which id it was signed', async () => {
    const bodyOf = (id: string, text: string) => ({ x: 1, envelope: { id, parts: [{ text }] } })
    await ask('said', bodyOf('first', 'Done.'))
    await ask('said', bodyOf('signed again', 'Done.'))
    await expectProblem(ask('said', bodyOf('first', 'Not done.')), 'request.id_reused')
  })

  it('keeps apart who asks', async () => {
    const other = await world.person({ usdc: 0n })
    await ask('shared', { x: 1 })
    await inTransaction(other.ctx, (tx) => claimIdempotencyKey(tx, 'shared', { type: 'goal.post', x: 2 } as never))
  })

  it('forgets what was rolled back', async () => {
    const broken = inTransaction(client.ctx, async (tx) => {
      await claimIdempotencyKey(tx, 'c', { type: 'goal.post', x: 1 } as never)
      throw new TypeError('later')
    })
    await expect(broken).rejects.toThrow('later')
    await ask('c', { x: 2 })
  })

  it('lets one of two at once pass', async () => {
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((x) => ask('d', { x })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('an id that is used again', () => {
  it('repeats the answer to the same post, and refuses another', async () => {
    const id = newId()
    const posted = await client.send(post('5000000', id))
    expect(await client.send(post('5000000', id))).toEqual(posted)
    await expectProblem(client.send(post('6000000', id)), 'request.id_reused')
    const attachments = [{ name: 'a.txt', media_type: 'text/plain', artifact_type: 'file.any', content: 'YQ==' }]
    await expectProblem(client.send(post('5000000', id, { attachments })), 'request.id_reused')
    expect(await world.system.db.goal.count({ where: { clientId: client.did, postId: id } })).toBe(1)
  })

  it('gives one goal where two differ and come at once', async () => {
    const id = newId()
    const outcomes = await Promise.allSettled([client.send(post('5000000', id)), client.send(post('7000000', id))])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await world.system.db.goal.count({ where: { clientId: client.did, postId: id } })).toBe(1)
  })
})

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { postSystemMessage } from '../../../../../server/conversations/index.ts'
import { inTransaction } from '../../../../../server/db.ts'
import { DomainError } from '../../../../../server/errors.ts'
import { createConcurrencyLimiter } from '../../../../../server/http/concurrency-limiter.ts'
import { followGoal } from '../../../../../server/hub/protocols/goals/follow-goal.ts'
import { handleMcpOrA2aRequest } from '../../../../../server/hub/protocols/handle-mcp-or-a2a-request.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../../support/world.ts'

let world: TestWorld
let client: TestPerson
let goal: { readonly id: string; readonly roomId: string }
beforeAll(async () => {
  world = await createWorld()
  client = await world.person()
  goal = await world.postFundedGoal(client, { text: 'Write two short texts.' })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await world?.[Symbol.asyncDispose]()
})

const listener = { on: () => () => {} } as never

describe('a followed goal', () => {
  it('ends within a backlog where its login has ended', async () => {
    for (let n = 0; n < 60; n++)
      await inTransaction(world.system, (tx) => postSystemMessage(tx, { roomId: goal.roomId, kind: 'note', text: `Note ${n}.` } as never))
    const reauthenticate = async () => {
      throw new DomainError('auth.required', 'The login has ended.')
    }
    const { signal } = new AbortController()
    const updates = followGoal(client.ctx, { goalId: goal.id, after: 0, listener, reauthenticate, signal })
    expect((await updates.next()).value).toMatchObject({ isCaughtUp: false })
    const later = Date.now() + 16_000
    vi.spyOn(Date, 'now').mockReturnValue(later)
    await expect(updates.next()).rejects.toThrow('The login has ended.')
    vi.restoreAllMocks()
  })

  it.each(['application/json', 'application/json, text/event-stream'])('takes a slot of its address, accepting %s', async (accept) => {
    const params = { name: 'follow_goal', arguments: { goal_id: goal.id, seconds: 1 } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params })
    const streams = createConcurrencyLimiter({ maxPerCaller: 1 })
    const visit = { protocol: 'mcp' as const, text: async () => body, source: '192.0.2.7', accept }
    const rest = { authorization: undefined, origin: undefined, version: undefined, lastEventId: undefined }
    const { signal } = new AbortController()
    const ask = () =>
      handleMcpOrA2aRequest(world.world.contextFor({ kind: 'anonymous' }), { ...visit, ...rest }, { listener, signal, streams })
    const giveBack = streams.take('from 192.0.2.7')
    expect(JSON.stringify(await ask())).toContain('maximum number of open streams')
    giveBack()
    expect(JSON.stringify(await ask())).not.toContain('maximum number of open streams')
  })
})

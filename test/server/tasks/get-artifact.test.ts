import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem } from '../../support/expect-problem.ts'
import { textUpload } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('getArtifact', () => {
  it('refuses strangers, and gives members the very bytes', async () => {
    const client = await world.person()
    const stranger = await world.person({ usdc: 0n })
    const goal = await world.postFundedGoal(client, {
      text: 'Read this file, please.',
      visibility: 'private',
      attachments: [textUpload('for members')],
    })
    const command = {
      type: 'artifact.get' as const,
      room_id: goal.roomId,
      sha256: createHash('sha256').update('for members').digest('hex'),
    }
    await expectProblem(stranger.send(command), 'room.not_found')
    const { content } = await client.send<{ content: string }>(command)
    expect(Buffer.from(content, 'base64').toString()).toBe('for members')
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArtifact, readFileUnchecked } from '../../../server/tasks/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { textUpload } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('readArtifact', () => {
  it('gives a private goal’s files to its members and to no one else', async () => {
    const client = await world.person()
    const stranger = await world.person({ usdc: 0n })
    const goal = await world.postFundedGoal(client, {
      text: 'Keep this file to yourselves.',
      visibility: 'private',
      attachments: [textUpload('secret')],
    })
    const row = await world.system.db.artifact.findFirstOrThrow({ where: { goalId: goal.id } })
    const wanted = { roomId: goal.roomId, sha256: row.sha256 }
    expect(Buffer.from((await readArtifact(client.ctx, wanted)).bytes).toString()).toBe('secret')
    await expectProblem(readArtifact(stranger.ctx, wanted), 'room.not_member')
    await expectProblem(readArtifact(world.world.contextFor({ kind: 'anonymous' }), wanted), 'room.not_member')
    await expectProblem(readArtifact(client.ctx, { roomId: goal.roomId, sha256: 'f'.repeat(64) }), 'artifact.not_found')
  })
  it('gives out no bytes that are not those of the hash', async () => {
    const client = await world.person()
    const goal = await world.postFundedGoal(client, { text: 'Keep this file as it is.', attachments: [textUpload('as it is')] })
    const { sha256 } = await world.system.db.artifact.findFirstOrThrow({ where: { goalId: goal.id } })
    const blob = { where: { sha256 }, data: { bytes: Buffer.from('as it was') } }
    await world.system.db.artifactBlob.update(blob)
    await expectProblem(readArtifact(client.ctx, { roomId: goal.roomId, sha256 }), 'server.unavailable')
    await expectProblem(readFileUnchecked(client.ctx, sha256), 'server.unavailable')
    await world.system.db.artifactBlob.update({ ...blob, data: { bytes: Buffer.from('as it is') } })
    expect(Buffer.from(await readFileUnchecked(client.ctx, sha256)).toString()).toBe('as it is')
  })
  it('refuses an empty file and one that is not what it says', async () => {
    const client = await world.person()
    const post = (attachment: object) => world.postFundedGoal(client, { text: 'A goal with a bad file, alas.', attachments: [attachment] })
    await expectProblem(post({ ...textUpload(''), content: '' }), 'task.artifact_invalid')
    await expectProblem(
      post({
        ...textUpload('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
        name: 'x.svg',
        media_type: 'image/svg+xml',
      }),
      'task.artifact_invalid',
    )
    await expectProblem(post({ ...textUpload('<html></html>'), name: 'x.html', media_type: 'text/html' }), 'task.artifact_invalid')
  })
})

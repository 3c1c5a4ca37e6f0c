import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'
import { listAgent } from '../bare-agent.ts'

let world: TestWorld
let owner: TestPerson
beforeAll(async () => {
  world = await createWorld({ jobs: false })
  owner = await world.person({ usdc: 0n })
})
afterAll(() => world?.[Symbol.asyncDispose]())

describe('a body', () => {
  const bytes = async (path: string, body: Buffer, bearer?: string) => {
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
    const response = await fetch(`${world.hubUrl}${path}`, { method: 'POST', body: new Uint8Array(body), headers })
    return { status: response.status, answer: (await response.json()) as { code?: string } }
  }

  it('that is not UTF-8 is refused at every door', async () => {
    const agent = await listAgent(world, owner, 'garbler')
    const command = Buffer.from(JSON.stringify({ type: 'message.post', room_id: agent.inboxId, parts: [{ text: '?' }] }))
    command[command.indexOf('?')] = 0xff
    expect(await bytes('/v1/commands', command, agent.token)).toMatchObject({ status: 400, answer: { code: 'request.malformed' } })
    for (const path of ['/v1/mcp', '/v1/a2a', '/v1/agents'])
      expect(await bytes(path, command), path).toMatchObject({ status: 400, answer: { code: 'request.malformed' } })
  })

  it('of a stranger is read up to 16 kB, also where it does not declare its length', async () => {
    const long = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: 'x'.repeat(20_000) }))
    for (const path of ['/v1/mcp', '/v1/a2a'])
      expect(await bytes(path, long), path).toMatchObject({ status: 413, answer: { code: 'request.too_large' } })
    const drip = new ReadableStream({
      start(stream) {
        for (let from = 0; from < long.length; from += 1_000) stream.enqueue(new Uint8Array(long.subarray(from, from + 1_000)))
        stream.close()
      },
    })
    const response = await fetch(`${world.hubUrl}/v1/mcp`, { method: 'POST', body: drip, duplex: 'half' } as RequestInit)
    expect(response.status).toBe(413)
    expect(await bytes('/v1/agents', Buffer.alloc(140_000, 'x'))).toMatchObject({ status: 413 })
  })
})

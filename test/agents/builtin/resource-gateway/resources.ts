import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type CardDraft,
  controlBytes,
  controlPath,
  type Json,
  type ResourceCard,
  randomSeed,
  type Signer,
  signCard,
  signerFromSeed,
} from '@parley/protocol'

/** What a resource does with an input: text, a refusal, or something that it shouldn't. `reach`: it may ask any address. */
export type Behaviour = (
  input: Json,
  tool: string,
) => string | { refuse: string } | { raw: (response: ServerResponse) => void } | Promise<string>

export type Made = { readonly card: ResourceCard; readonly signer: Signer; readonly endpoint: string }
export type GatewayFixture = {
  readonly origin: string
  /** Puts a resource behind an address of the stage. `tools` are what it says it has, where that is not what its card says. */
  make(behaviour: Behaviour, change?: Partial<CardDraft>, tools?: () => { name: string; description: string }[]): Promise<Made>
  /** From now on the resource's key is not at its address any more. */
  disown(made: Made): void
  readonly asked: string[]
  close(): Promise<void>
}

const port = (name: string, type: string) => ({ name, type, description: '', optional: false })
export const shoutSkill: CardDraft['skills'][number] = {
  id: 'text.shout',
  name: 'Shout',
  description: 'Says a text in capitals.',
  inputs: [port('text', 'query.text')],
  outputs: [port('loud', 'text.plain')],
  price: '0',
  tags: ['capitals'],
  samples: [{ title: 'A word', input: { text: 'hello' }, output: 'HELLO' }],
}
export const shout: Behaviour = (input) => {
  const text = typeof input === 'object' && input !== null && !Array.isArray(input) ? input.text : undefined
  return typeof text === 'string' ? text.toUpperCase() : { refuse: 'Give a text.' }
}

/** Resources of many makes behind one address of this machine, each under its own path: MCP, or a single POST. */
export async function openGatewayFixture(): Promise<GatewayFixture> {
  const made = new Map<string, { signer: Signer; behaviour: Behaviour; tools: () => { name: string; description: string }[] }>()
  const asked: string[] = []
  let paths = 0
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://stage')
    asked.push(`${request.method} ${url.pathname}`)
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === controlPath) {
      const [resource, gateway, nonce] = ['resource', 'gateway', 'nonce'].map((name) => url.searchParams.get(name) ?? '') as [
        string,
        string,
        string,
      ]
      const owner = [...made.values()].find(({ signer }) => signer.did === resource)
      return owner ? answer(200, { sig: await owner.signer.sign(controlBytes({ gateway, resource, nonce })) }) : answer(404, {})
    }
    const one = made.get(url.pathname)
    if (!one) return answer(404, {})
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.method === 'GET')
      return answer(200, { version: '1', skills: one.tools().map(({ name, description }) => ({ id: name, description })) })
    const body = JSON.parse(text)
    if (body.method === 'initialize') return answer(200, { id: body.id, result: { serverInfo: { name: 'x', version: '1' } } })
    if (body.method === 'tools/list') return answer(200, { id: body.id, result: { tools: one.tools() } })
    const isMcp = body.method === 'tools/call'
    const done = await one.behaviour(isMcp ? body.params.arguments : body.input, isMcp ? body.params.name : body.skill)
    if (typeof done === 'object' && 'raw' in done) return done.raw(response)
    if (typeof done === 'string')
      return isMcp ? answer(200, { id: body.id, result: { content: [{ type: 'text', text: done }] } }) : answer(200, { output: done })
    return isMcp ? answer(200, { id: body.id, error: { code: -32_602, message: done.refuse } }) : answer(422, { error: done.refuse })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    async make(behaviour, change = {}, tools) {
      const signer = await signerFromSeed(randomSeed())
      const path = `/r${++paths}`
      const endpoint = `${origin}${path}`
      const skills = change.skills ?? [shoutSkill]
      made.set(path, { signer, behaviour, tools: tools ?? (() => skills.map(({ id, description }) => ({ name: id, description }))) })
      const card = await signCard(signer, {
        ...{ v: 1, kind: 'tool', name: 'Loud', summary: 'Says it louder.', version: '1', operator: signer.did, skills, topics: ['text'] },
        ...{ region: 'eu-west', endpoint, protocol: 'mcp', issued_at: '2026-03-01T12:00:00.000Z' },
        ...change,
      })
      return { card, signer, endpoint }
    },
    disown({ endpoint }) {
      made.delete(new URL(endpoint).pathname)
    },
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}

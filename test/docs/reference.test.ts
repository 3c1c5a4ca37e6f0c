import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { commandTypes, eventTypes, problems } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { hubRoutes } from '../../server/embedded/docs/reference/api-documents.ts'
import { generateReference } from '../../server/embedded/docs/reference/generate-reference.ts'

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

let generated: Map<string, string>
beforeAll(async () => {
  generated = await generateReference(root)
  if (process.env.UPDATE_REFERENCE === '1') for (const [file, text] of generated) writeFileSync(path.join(root, file), text)
})

describe('the reference', () => {
  it('is that of the source (UPDATE_REFERENCE=1 writes it)', () => {
    expect(generated.size).toBe(8)
    for (const [file, text] of generated) expect(read(file) === text, `${file} is that of the source`).toBe(true)
  })

  it('has a section for each command with its sender, and a row for each event', () => {
    const sections = read('docs/reference/commands.md').split('\n## ').slice(1)
    expect(sections.map((section) => section.split('\n')[0])).toEqual(commandTypes)
    expect(sections.filter((section) => !section.includes('**Who:**')).map((section) => section.split('\n')[0])).toEqual([])
    const rows = [...read('docs/reference/events.md').matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
    expect(rows).toEqual(eventTypes)
  })

  it('explains each problem code', () => {
    const sections = read('docs/reference/problems.md').split('\n## ').slice(1)
    expect(sections.map((section) => section.split('\n')[0])).toEqual(Object.keys(problems))
    expect(sections.filter((section) => section.trim().split('\n\n').length < 4)).toEqual([])
  })

  it('has every request that the hub answers, and no other', () => {
    const routes = read('server/hub/http/route-http-request.ts').matchAll(/case '((?:GET|POST|DELETE) [^']+)'/g)
    const ofClients = read('server/hub/http/wallet-client-routes.ts').matchAll(/^ {2}'((?:GET|POST|DELETE) [^']+)':/gm)
    const answered = [...routes, ...ofClients].map(([, route]) => route).sort()
    expect(answered.length).toBeGreaterThan(15)
    expect(hubRoutes.map(({ route }) => route).sort()).toEqual(answered)
  })
})

describe('the API documents', () => {
  const documentIn = (file: string) => JSON.parse(generated.get(file) ?? '{}') as Tree

  it('refer only to what they or the protocol contain', () => {
    const [openApi, asyncApi] = [documentIn('docs/reference/openapi.json'), documentIn('docs/reference/asyncapi.json')]
    for (const document of [openApi, asyncApi]) {
      const refs = refsIn(document)
      expect(refs.length).toBeGreaterThan(5)
      expect(refs.filter((ref) => !isFound(document, ref))).toEqual([])
    }
    expect(isFound(asyncApi, '#/channels/hub/messages/agent.nothing')).toBe(false)
  })

  it('have an operation id of its own for each request', () => {
    const operations = Object.values(documentIn('docs/reference/openapi.json').paths as Tree).flatMap((methods) =>
      Object.values(methods as Tree),
    )
    const ids = operations.map((operation) => (operation as { operationId: string }).operationId)
    expect(new Set(ids).size).toBe(hubRoutes.length)
  })
})

type Tree = { readonly [key: string]: unknown }

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner)))
}

function isFound(document: Tree, ref: string): boolean {
  if (ref.startsWith('/protocol/')) return read(ref.slice(1)).length > 0
  return (
    ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Tree | undefined)?.[key], document) !== undefined
  )
}

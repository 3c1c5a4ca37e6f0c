/** Every page and route below app/, with the names that it reads from its address. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../../server/embedded/processes/run-script.ts'
import type { Scene } from '../ground/scene.ts'
import { isTree, type Tree, type Value, writeJson } from '../inputs/json-text.ts'
import { queryOf } from './hub-and-webhook-operations.ts'
import { inUrl, type Operation, type Place, webRequest, webRoles } from './operations.ts'

type Found = { readonly route: string; readonly isPage: boolean; readonly source: string }

function findPages(folder: string, route = ''): Found[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory()) return entry.name.startsWith('_') ? [] : findPages(at, `${route}/${entry.name}`)
    if (!/^(page\.tsx|route\.ts)$/.test(entry.name)) return []
    return [{ route: route || '/', isPage: entry.name === 'page.tsx', source: readFileSync(at, 'utf8') }]
  })
}

/** Names in the type of `searchParams` or in a function that reads it, and those that every list knows. */
const queryNamesOf = (source: string) => {
  const typed = /searchParams: Promise<\{([^}]*)\}>/.exec(source)?.[1] ?? ''
  const own = [...typed.matchAll(/(?<!\[)\b(\w+)\??:/g)].map(([, name = '']) => name)
  const read = [...readersOf(source).matchAll(/\bone\('(\w+)'|searchParams\.(?:get|has)\('(\w+)'\)/g)].map(([, a, b]) => a ?? b ?? '')
  return [...new Set([...own, ...read, 'text', 'after', 'page', 'show', 'state'])]
}

/** The source with the modules of the site that it imports, where it reads names of an address. */
function readersOf(source: string): string {
  if (!/searchParams/.test(source)) return source
  const imported = [...source.matchAll(/from '(?:@\/app|\.\.?)\/([^']+\.tsx?)'/g)].map(([, name = '']) => path.basename(name))
  const all = readdirSync(path.join(root, 'app'), { recursive: true, encoding: 'utf8' })
  const files = all.filter((name) => imported.includes(path.basename(name)))
  return [source, ...files.map((name) => readFileSync(path.join(root, 'app', name), 'utf8'))].join('\n')
}

export const paramsOf = (route: string) => [...route.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name)

/** A living thing for a place of an address. */
function paramFor(route: string, name: string, scene: Scene): string {
  const { goals, agents, known } = scene
  if (name === 'room') return goals.work.roomId
  if (name === 'handle') return agents.helper.handle
  if (name === 'sha256') return scene.sha256
  if (name === 'goalId' || route.startsWith('/goals/')) return goals.review.id
  if (name === 'code') return 'goal.not_found'
  const byName = known.byName[name]
  return typeof byName === 'string' ? byName : 'unknown'
}

export function pageOperations(product = root): Operation[] {
  return findPages(path.join(product, 'app'))
    .filter(({ route }) => !route.startsWith('/api/trpc') && route !== '/api/stripe')
    .flatMap(({ route, isPage, source }) => {
      const methods = isPage
        ? ['GET']
        : [...source.matchAll(/export (?:async )?function (GET|POST|PUT|DELETE)/g)].map(([, one = '']) => one)
      return (methods.length === 0 ? ['GET'] : methods).map((method) => pageOperation(route, method, source))
    })
}

function pageOperation(route: string, method: string, source: string): Operation {
  const params = paramsOf(route)
  const names = queryNamesOf(source)
  const isRpc = method === 'POST'
  return {
    name: `page:${method === 'GET' ? '' : `${method} `}${route}`,
    isReading: true,
    isStream: false,
    roles: webRoles,
    schema: isRpc ? {} : { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
    base: ({ scene }) => {
      if (isRpc) return { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [scene.people.client.address, 'latest'] }
      const inPath = params.map((name) => [name, paramFor(route, name, scene)] as const)
      const inQuery = names.map((name) => [`?${name}`, name === 'page' ? '1' : name === 'after' ? '' : 'word'] as const)
      return Object.fromEntries([...inPath, ...inQuery])
    },
    request(place, role, input) {
      if (isRpc) return webRequest(place, role, 'POST', route, writeJson(input))
      return webRequest(place, role, 'GET', addressOf(route, isTree(input) ? input : {}))
    },
  }
}

const asText = (value: Value | undefined) => (typeof value === 'string' ? value : value === undefined ? '' : writeJson(value))

function addressOf(route: string, input: Tree): string {
  const at = route.replace(/\[(\w+)\]/g, (_, name: string) => inUrl(asText(input[name])).slice(0, 8_000))
  const query = Object.entries(input).flatMap(([name, value]) => (name.startsWith('?') ? [[name.slice(1), value] as const] : []))
  return `${at}${queryOf(Object.fromEntries(query))}`
}

/** Pages with living things in their addresses, as everybody visits them. */
export function plainVisits(product: string | undefined, { scene }: Place): { name: string; path: string }[] {
  return findPages(path.join(product ?? root, 'app'))
    .filter(({ route, isPage }) => isPage || /\.(csv|jsonl|json|md)$/.test(route))
    .map(({ route }) => ({
      name: route,
      path: route.replace(/\[(\w+)\]/g, (_, name: string) => encodeURIComponent(paramFor(route, name, scene))),
    }))
}

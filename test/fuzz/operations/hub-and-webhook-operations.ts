/** The hub's other doors: plain HTTP, MCP, A2A; and what Stripe tells the web. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ListingDraft, RequestApiToken, RequestQuote } from '@parley/protocol'
import Stripe from 'stripe'
import { root } from '../../../server/embedded/processes/run-script.ts'
import { draftFor, newId, type Role } from '../ground/cast.ts'
import { ask } from '../ground/http.ts'
import { type Installation, webhookSecret } from '../ground/installation.ts'
import { isTree, type Tree, type Value, writeJson } from '../inputs/json-text.ts'
import { type Schema, sample, schemaOf } from '../inputs/schema.ts'
import { hubRequest, hubRoles, inUrl, type Operation, type Place, visitorRoles, webRequest } from './operations.ts'
import { newHandle, recipes } from './recipes.ts'

/** Routes as the hub's own source names them. */
export function hubRoutes(product = root): { method: string; path: string }[] {
  const folder = path.join(product, 'server/hub/http')
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  const named = sources.flatMap((name) => {
    const source = readFileSync(path.join(folder, name), 'utf8')
    return [...source.matchAll(/^\s*(?:case )?'(GET|POST|DELETE|PUT) (\/[^']*)':/gm)].map(([, method = '', at = '']) => `${method} ${at}`)
  })
  return [...new Set(named)].map((route) => {
    const [method = '', at = ''] = route.split(' ')
    return { method, path: at }
  })
}

const rpcPaths = ['/v1/mcp', '/v1/a2a', '/v1/commands']
/** What the hub reads from an address. */
const queryNames = ['after', 'ack', 'wait']

type Body = { readonly schema: Schema; base(place: Place, role: Role): Promise<Value> }
/** Routes that read a body. */
const bodies: { readonly [route: string]: Body } = {
  'POST /v1/agents': {
    schema: schemaOf(ListingDraft),
    base: async ({ scene }) => draftFor(newHandle(), 'text.fuzz', scene.people.publisher.address) as unknown as Value,
  },
  'POST /v1/tokens': {
    schema: schemaOf(RequestApiToken),
    base: async (place, role) => ({ ...((await recipes['identity.signIn']?.(place, role)) as Tree), expires_in: 60, name: 'A program' }),
  },
  'POST /v1/quotes': {
    schema: schemaOf(RequestQuote),
    base: async () => ({
      text: 'Write one short text about the sea.',
      criteria: ['It is about the sea.'],
      budget: '10000000',
      files: [{ name: 'notes.txt', media_type: 'text/plain', artifact_type: 'text.plain', head: 'Some notes.', is_whole: true }],
    }),
  },
}
/** They change nothing that another request reads. */
const readingRoutes = new Set(['POST /v1/nonces', 'POST /v1/quotes'])

export function hubOperations(product?: string): Operation[] {
  return hubRoutes(product)
    .filter(({ path: at }) => !rpcPaths.includes(at))
    .map(({ method, path: at }) => {
      const route = `${method} ${at}`
      const body = bodies[route]
      return {
        name: `hub:${route}`,
        isReading: method === 'GET' || readingRoutes.has(route),
        isStream: false,
        roles: hubRoles,
        schema: body?.schema ?? textsSchema(queryNames),
        base: (place, role) => body?.base(place, role) ?? { after: '0', wait: '0' },
        request: (place, role, input) =>
          body
            ? hubRequest(place, role, method, at, writeJson(input))
            : hubRequest(place, role, method, `${at}${isTree(input) ? queryOf(input) : ''}`),
      }
    })
}

const textsSchema = (names: readonly string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  additionalProperties: { type: 'string' },
})

/** `after=1&text=a&text=b`: lists are named again for each item. */
export function queryOf(tree: Tree): string {
  const pairs = Object.entries(tree).flatMap(([name, value]) => {
    const all: readonly Value[] = Array.isArray(value) ? value.slice(0, 200) : [value]
    return all.map((one) => `${inUrl(name)}=${inUrl(typeof one === 'string' ? one : writeJson(one)).slice(0, 7_000)}`)
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&').slice(0, 14_000)}`
}

const rpc = (method: string, params: Tree): Value => ({ jsonrpc: '2.0', id: 'a', method, params })
const rpcSchema = (params: Schema): Schema => ({
  type: 'object',
  properties: { jsonrpc: { const: '2.0' }, id: { type: 'string', maxLength: 200 }, method: { type: 'string' }, params },
})

/** Tools as the server lists them. */
export async function mcpOperations({ hub }: Installation): Promise<Operation[]> {
  const body = Buffer.from(writeJson(rpc('tools/list', {})))
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const listed = await ask({ method: 'POST', url: `${hub.url}/v1/mcp`, headers, body })
  type Tool = { readonly name: string; readonly inputSchema: Schema; readonly annotations?: { readonly readOnlyHint?: boolean } }
  const { tools } = (JSON.parse(listed.text) as { result: { tools: Tool[] } }).result
  return tools.map(({ name, inputSchema, annotations }) => ({
    name: `mcp:${name}`,
    isReading: annotations?.readOnlyHint === true,
    isStream: name === 'follow_goal',
    roles: visitorRoles,
    schema: rpcSchema({
      type: 'object',
      properties: { name: { const: name }, arguments: inputSchema, _meta: { type: 'object', additionalProperties: {} } },
      additionalProperties: {},
    }),
    base: async (place) => rpc('tools/call', { name, arguments: await toolInput(place, name, inputSchema), _meta: { progressToken: 'p' } }),
    request: (place, role, input) => visitorRequest(place, role, '/v1/mcp', input),
  }))
}

async function toolInput(place: Place, name: string, schema: Schema): Promise<Value> {
  const made = sample(schema, {
    ...place.scene.known,
    byName: { ...place.scene.known.byName, handle: place.scene.agents.helper.handle },
  }) as Tree
  if (name !== 'post_goal') return made
  const posted = (await recipes['goal.post']?.(place, 'client')) as { goal: Tree }
  const { message_limits: _, follows: __, criteria: ___, ...goal } = posted.goal
  return { ...goal, criteria: ['It is about the sea.'], id: newId() }
}

function visitorRequest(place: Place, role: Parameters<typeof hubRequest>[1], at: string, input: Value) {
  const request = hubRequest(place, role, 'POST', at, writeJson(input))
  return { ...request, headers: { ...request.headers, accept: 'application/json, text/event-stream' } }
}

export function a2aOperations(): Operation[] {
  const part: Schema = { type: 'object', properties: { text: { type: 'string' }, data: { type: 'object', additionalProperties: {} } } }
  const message: Schema = {
    type: 'object',
    properties: {
      messageId: { type: 'string', minLength: 1, maxLength: 200 },
      role: { type: 'string' },
      taskId: { type: 'string', maxLength: 100 },
      parts: { type: 'array', minItems: 1, maxItems: 64, items: part },
    },
    additionalProperties: {},
  }
  const send = (version: string) => (parts: readonly Tree[]) => (place: Place) => {
    const all = parts.map((one) =>
      'text' in one && version === '0.3' ? { kind: 'text', ...one } : version === '0.3' ? { kind: 'data', ...one } : one,
    )
    const taskId = parts.length === 1 && 'text' in (parts[0] ?? {}) && version === '1.0' ? { taskId: place.scene.goals.work.id } : {}
    return { message: { messageId: newId(), role: version === '1.0' ? 'ROLE_USER' : 'user', parts: all, ...taskId } }
  }
  const about = (place: Place) => ({ id: place.scene.goals.work.id, historyLength: 5 })
  const goal = async (place: Place) => {
    const { id, criteria, text: _, ...rest } = (await toolInput(place, 'post_goal', {})) as Tree
    return { id, criteria, ...rest } as Tree
  }
  const post = async (place: Place) =>
    send('1.0')([{ text: 'Write one short text about the sea.' }, { data: { goal: await goal(place) } }])(place)
  const asking: Schema = {
    type: 'object',
    properties: { id: { type: 'string', maxLength: 100 }, historyLength: { type: 'integer', minimum: 0, maximum: 50 } },
  }
  const list: [name: string, method: string, isReading: boolean, isStream: boolean, params: (place: Place) => unknown, schema: Schema][] = [
    ['SendMessage', 'SendMessage', false, false, send('1.0')([{ text: 'A word about it.' }]), message],
    ['SendMessage quote', 'SendMessage', true, false, send('1.0')([{ text: 'Write one short text.' }, { data: { quote: {} } }]), message],
    ['SendMessage goal', 'SendMessage', false, false, post, message],
    ['message/send', 'message/send', true, false, send('0.3')([{ text: 'somebody who writes' }]), message],
    ['message/send query', 'message/send', true, false, send('0.3')([{ data: { query: { text: 'write', limit: 3 } } }]), message],
    ['message/stream', 'message/stream', true, true, send('0.3')([{ text: 'somebody who writes' }]), message],
    ['tasks/get', 'tasks/get', true, false, about, asking],
    ['GetTask', 'GetTask', true, false, about, asking],
    ['tasks/cancel', 'tasks/cancel', false, false, (place) => ({ id: place.scene.goals.draft.id }), asking],
    ['SubscribeToTask', 'SubscribeToTask', true, true, about, asking],
  ]
  return list.map(([name, method, isReading, isStream, params, inner]) => {
    const schema = inner === message ? { type: 'object', properties: { message } } : inner
    return {
      ...{ name: `a2a:${name}`, isReading, isStream, roles: visitorRoles, schema: rpcSchema(schema) },
      base: async (place) => rpc(method, (await params(place)) as Tree),
      request: (place, role, input) => visitorRequest(place, role, '/v1/a2a', input),
    }
  })
}

/** Calls of a wallet that the web passes on to a local chain. */
export function chainOperations(): Operation[] {
  const call = ({ scene }: Place): Tree => ({
    from: scene.people.client.address,
    to: scene.people.publisher.address,
    gas: '0x5208',
    value: '0x0',
  })
  const methods: readonly [method: string, params: (place: Place) => Tree[string]][] = [
    ['eth_call', (place) => [{ ...call(place), data: '0x' }, 'latest']],
    ['eth_estimateGas', (place) => [call(place), 'latest']],
    ['eth_getBalance', ({ scene }) => [scene.people.client.address, 'latest']],
    ['eth_getLogs', ({ scene }) => [{ address: scene.people.client.address, fromBlock: '0x0', toBlock: 'latest', topics: [] }]],
    ['eth_getBlockByNumber', () => ['latest', false]],
    ['eth_getTransactionReceipt', () => [`0x${'0'.repeat(64)}`]],
    ['eth_feeHistory', () => ['0x4', 'latest', [25]]],
    ['eth_sendRawTransaction', () => ['0x00']],
  ]
  return methods.map(([method, params]) => ({
    name: `chain:${method}`,
    isReading: true,
    isStream: false,
    roles: ['anonymous', 'client'],
    schema: rpcSchema({ type: 'array', items: {} }),
    base: (place) => ({ jsonrpc: '2.0', id: 1, method, params: params(place) }),
    request: (place, role, input) => webRequest(place, role, 'POST', '/api/chain', writeJson(input)),
  }))
}

const stripe = new Stripe('sk_test_fuzz')

/** `at`: Unix seconds that the signature says; now unless told otherwise. */
export function signedWebhook(place: Place, payload: string, at = Math.floor(Date.now() / 1_000)) {
  const header = stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret, timestamp: at })
  const request = webRequest(place, 'anonymous', 'POST', '/api/stripe', payload)
  return { ...request, headers: { ...request.headers, 'stripe-signature': header } }
}

export function webhookOperations(): Operation[] {
  const types = [
    'checkout.session.completed',
    'payment_intent.succeeded',
    'charge.dispute.created',
    'charge.refunded',
    'account.updated',
    'transfer.created',
  ]
  const object = ({ scene }: Place): Tree => ({
    id: 'cs_test_fuzz',
    object: 'checkout.session',
    payment_status: 'paid',
    amount_total: 1_000,
    currency: 'usd',
    payment_intent: 'pi_fuzz',
    client_reference_id: scene.goals.card.id,
    metadata: { goal_id: scene.goals.card.id },
  })
  const snapshot = types.map(
    (type): Operation => webhook(type, (place) => ({ object: 'event', type, livemode: false, data: { object: object(place) } })),
  )
  const thin = webhook('v2.core.account.updated', () => ({
    ...{ object: 'v2.core.event', type: 'v2.core.account.updated', livemode: false, created: new Date().toISOString() },
    related_object: { id: 'acct_fuzz', type: 'v2.core.account', url: '/v2/core/accounts/acct_fuzz' },
  }))
  return [...snapshot, thin]
}

function webhook(type: string, body: (place: Place) => Tree): Operation {
  return {
    name: `stripe:${type}`,
    isReading: false,
    isStream: false,
    roles: ['anonymous'],
    schema: { type: 'object', additionalProperties: {} },
    base: (place) => ({ id: `evt_${newId().replaceAll('-', '')}`, created: Math.floor(Date.now() / 1_000), ...body(place) }),
    request: (place, _role, input) => signedWebhook(place, writeJson(input)),
  }
}

import { AgentFrame, Problem, ServerFrame } from '@parley/protocol'
import { z } from 'zod'

/** One request of the hub. `auth`: who sends a token. `spec`: the section of the specification. */
type HubRoute = {
  readonly route: string
  readonly summary: string
  readonly auth: 'none' | 'agent' | 'person' | 'any' | 'optional'
  readonly status: number
  readonly answer: string
  readonly body?: string
  readonly query?: Readonly<Record<string, string>>
  readonly spec: string
}

/** Every request of the hub's HTTP interface. `test/docs/reference.test.ts` compares it with the routes in the source. */
export const hubRoutes: readonly HubRoute[] = [
  {
    route: 'GET /v1/server',
    summary: 'The facts of the market: DID, chain, asset, escrow, fee.',
    auth: 'none',
    status: 200,
    answer: 'The facts.',
    spec: 'http',
  },
  {
    route: 'GET /v1/registry',
    summary: 'Signed statements about the agents of this installation, for peers.',
    auth: 'none',
    status: 200,
    answer: 'A page of statements. 304 if there are none.',
    query: { after: 'The last known revision.' },
    spec: 'federation',
  },
  {
    route: 'POST /v1/agents',
    summary: 'Lists an agent without a login. On a local chain only.',
    auth: 'none',
    status: 201,
    answer: 'The id of the agent, and its token once.',
    body: 'listing-draft',
    spec: 'http',
  },
  {
    route: 'GET /v1/messages',
    summary: 'Waits for messages that the agent has not acknowledged.',
    auth: 'agent',
    status: 200,
    answer: 'At most 100 messages, and the text that acknowledges them.',
    query: { wait: 'Seconds to wait for the first message, 0 to 30.', ack: 'The text of the last answer.' },
    spec: 'http',
  },
  {
    route: 'POST /v1/commands',
    summary: 'Carries out one command.',
    auth: 'any',
    status: 200,
    answer: 'The result of the command.',
    body: 'command',
    spec: 'commands',
  },
  {
    route: 'POST /v1/nonces',
    summary: 'What a sign-in message must contain.',
    auth: 'none',
    status: 201,
    answer: 'A nonce for one login.',
    spec: 'clients',
  },
  {
    route: 'POST /v1/tokens',
    summary: 'Signs a wallet in with a signed EIP-4361 message.',
    auth: 'none',
    status: 201,
    answer: 'A token with its scopes and its end.',
    spec: 'clients',
  },
  {
    route: 'DELETE /v1/tokens/current',
    summary: 'Ends the login of the token.',
    auth: 'person',
    status: 204,
    answer: 'Nothing.',
    spec: 'clients',
  },
  {
    route: 'POST /v1/quotes',
    summary: 'States what a goal would cost, and who would do it.',
    auth: 'optional',
    status: 201,
    answer: 'A signed quote.',
    spec: 'quotes',
  },
  {
    route: 'POST /v1/mcp',
    summary: 'The market as an MCP server.',
    auth: 'optional',
    status: 200,
    answer: 'JSON-RPC.',
    spec: 'other-protocols',
  },
  {
    route: 'GET /v1/mcp',
    summary: 'Resumes an MCP stream after `Last-Event-ID`.',
    auth: 'optional',
    status: 200,
    answer: 'Server-sent events.',
    spec: 'other-protocols',
  },
  {
    route: 'DELETE /v1/mcp',
    summary: 'There are no MCP sessions to end.',
    auth: 'none',
    status: 405,
    answer: 'Nothing.',
    spec: 'other-protocols',
  },
  {
    route: 'POST /v1/a2a',
    summary: 'The market as an A2A agent.',
    auth: 'optional',
    status: 200,
    answer: 'JSON-RPC.',
    spec: 'other-protocols',
  },
  {
    route: 'GET /v1/agent-card.json',
    summary: 'The A2A card of the market.',
    auth: 'none',
    status: 200,
    answer: 'The card.',
    spec: 'other-protocols',
  },
  {
    route: 'GET /.well-known/agent-card.json',
    summary: 'The A2A card of the market.',
    auth: 'none',
    status: 200,
    answer: 'The card.',
    spec: 'other-protocols',
  },
  { route: 'GET /health', summary: 'Whether the process answers.', auth: 'none', status: 200, answer: 'It answers.', spec: 'http' },
  { route: 'GET /healthz', summary: 'The same as `/health`.', auth: 'none', status: 200, answer: 'It answers.', spec: 'http' },
  {
    route: 'GET /readyz',
    summary: 'Whether the hub can serve agents.',
    auth: 'none',
    status: 200,
    answer: 'It can. 503 with the reason if it cannot.',
    spec: 'http',
  },
  { route: 'GET /metrics', summary: 'Metrics for Prometheus.', auth: 'none', status: 200, answer: 'Text.', spec: 'http' },
]

const version = '1'
const title = 'Parley'
/** The schema without definitions of its own, because a reference would start at the root of the document. Only "any JSON value" is recursive. */
function schemaOf(type: z.ZodType): object {
  const { $schema, $defs, ...schema } = z.toJSONSchema(type, { target: 'draft-2020-12', io: 'input', reused: 'inline' })
  const text = JSON.stringify(schema, (_, value: unknown) => (isRecursive(value) ? {} : value))
  return JSON.parse(text) as object
}

const isRecursive = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '$ref' in value && String(value.$ref).startsWith('#/$defs/')

/** The HTTP interface of the hub as an OpenAPI 3.1 document. */
export function openApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const one of hubRoutes) {
    const [method = '', path = ''] = one.route.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(one) }
  }
  return {
    openapi: '3.1.0',
    info: { title, version, summary: 'The HTTP interface of the hub.', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: 'http://localhost:4000', description: 'The hub of a local installation.' }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'The token of an agent, or of a login.' } },
      schemas: { Problem: schemaOf(Problem) },
    },
  }
}

function operationOf({ route, summary, auth, status, answer, body, query = {} }: HubRoute): object {
  const security = auth === 'none' ? [] : auth === 'optional' ? [{}, { token: [] }] : [{ token: [] }]
  const parameters = Object.entries(query).map(([name, description]) => ({ name, in: 'query', description, schema: { type: 'string' } }))
  const content = { 'application/json': { schema: body === undefined ? { type: 'object' } : { $ref: `/protocol/schemas/${body}.json` } } }
  return {
    operationId: route.replace(/[^A-Za-z0-9]+/g, '_'),
    summary,
    security,
    ...(parameters.length > 0 && { parameters }),
    ...(route.startsWith('POST ') && { requestBody: { content } }),
    responses: {
      [status]: { description: answer },
      default: {
        description: 'A problem.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

/** The WebSocket of the hub as an AsyncAPI 3.0 document. */
export function asyncApiDocument(): object {
  const [agent, server] = [framesOf(AgentFrame), framesOf(ServerFrame)]
  const refs = (names: readonly string[], side: string) => names.map((name) => ({ $ref: `#/channels/hub/messages/${side}.${name}` }))
  return {
    asyncapi: '3.0.0',
    info: { title, version, description: 'The WebSocket between an agent and a hub. Each message is one JSON object.' },
    servers: { local: { host: 'localhost:4000', protocol: 'ws', pathname: '/v1/ws' } },
    channels: {
      hub: {
        address: '/v1/ws',
        messages: { ...messagesOf(agent, 'agent'), ...messagesOf(server, 'server') },
      },
    },
    operations: {
      receiveFromAgent: { action: 'receive', channel: { $ref: '#/channels/hub' }, messages: refs([...agent.keys()], 'agent') },
      sendToAgent: { action: 'send', channel: { $ref: '#/channels/hub' }, messages: refs([...server.keys()], 'server') },
    },
  }
}

type FrameUnion = typeof AgentFrame | typeof ServerFrame

/** The schemas of the frames, by their `type`. */
export const framesOf = ({ options }: FrameUnion): Map<string, object> =>
  new Map(options.map((option) => [option.shape.type.value, schemaOf(option)]))

const messagesOf = (frames: ReadonlyMap<string, object>, side: string) =>
  Object.fromEntries([...frames].map(([name, payload]) => [`${side}.${name}`, { name, contentType: 'application/json', payload }]))

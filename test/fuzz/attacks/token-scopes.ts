import { ApiScope, apiScopePrefix } from '@parley/protocol'
import { deliver } from '../edge/deliver.ts'
import { answerFaults, type Fault } from '../edge/oracles.ts'
import { agentIn, type PersonRole, type ScenePerson } from '../ground/cast.ts'
import { type Answer, ask, type Request } from '../ground/http.ts'
import { type Value, writeJson } from '../inputs/json-text.ts'
import { sample } from '../inputs/schema.ts'
import { plainOperations } from '../operations/all.ts'
import { addressOf, hubRequest, type Operation, type Place } from '../operations/operations.ts'
import { commandOf, operatorReads } from './entitled-roles.ts'
import type { Attack } from './index.ts'
import { loginOf } from './logins.ts'
import { fault, isTaken, mutate, pause } from './request-helpers.ts'

/** protocol/SPEC.md, Clients: the commands of each scope. All others are refused to its token. */
const commandsOf: Readonly<Record<ApiScope, RegExp>> = {
  goals:
    /^(demand\.|goal\.(?!claim|conclude)|hold\.|charter\.(?!submit)|settlement_offer\.|message\.)|^(team\.authorize|team\.veto|task\.accept|task\.return|revision\.request|deadline\.extend|dispute\.open|entry\.choose|entry\.erase|artifact\.erase|memory\.erase|feedback\.give)$/,
  calls: /^(channel\.open|channel\.top_up|channel\.close|call\.request)$/,
  listings:
    /^(listing\.|listing_key\.rotate$|payout\.change$|payout_change\.cancel$|payout_account\.open$|credit\.withdraw$|voucher\.claim$|skill\.test$)/,
}
/** Changes of the web without a command. Every other one needs a login in a browser. */
const changes: { readonly [procedure: string]: ApiScope } = {
  'trpc:market.faucet': 'goals',
  'trpc:settlement.refreshPayoutAccount': 'listings',
}
/** They give or end the login itself, or carry a token of their own. */
const isLogin = /identity\.(signIn|signOut)|notifications\.unsubscribe|^hub:/
/** SECURITY.md: an API token can neither list nor end other logins, nor read notifications. */
const browserReads = /^trpc:(identity\.listSessions|notifications\.(?!unsubscribe))/

/** `allowed`: the commands that it may send. `codes`: what the others are answered. */
type Token = {
  readonly name: string
  readonly token: string
  readonly wallet: PersonRole
  readonly scopes: readonly ApiScope[]
  readonly codes: RegExp
}

const denied = /^permission\.denied$/
const ended = /^auth\.required$/
const wallets: readonly PersonRole[] = ['client', 'publisher', 'operator']

/** Each set of scopes of which a fault could be: none, one, all but one, all. Wallets of other roles have the ends of it. */
function scopeSets(wallet: PersonRole): (readonly ApiScope[])[] {
  const all = ApiScope.options
  const sets = [[], ...all.map((one) => [one]), ...all.map((one) => all.filter((other) => other !== one)), all]
  return wallet === 'client' ? sets : [[], all]
}

async function issue(place: Place, wallet: ScenePerson, scopes: readonly ApiScope[]): Promise<string | null> {
  const message = scopes.length === 0 ? {} : { resources: scopes.map((scope) => `${apiScopePrefix}${scope}`) }
  const body = writeJson(await loginOf(place, wallet, { message }))
  const answer = await ask({ ...hubRequest(place, 'anonymous', 'POST', '/v1/tokens', body), from: addressOf('anonymous') })
  return /"token":"([^"]+)"/.exec(answer.text)?.[1] ?? null
}

async function tokensOf(place: Place): Promise<Token[]> {
  const tokens: Token[] = []
  const { people } = place.scene
  for (const wallet of wallets)
    for (const scopes of scopeSets(wallet)) {
      const token = await issue(place, people[wallet], scopes)
      if (token) tokens.push({ name: `${wallet} with ${scopes.join(', ') || 'no scope'}`, token, wallet, scopes, codes: denied })
    }
  return tokens
}

/** Tokens that were good, by each way to end them. */
async function endedTokens(place: Place): Promise<Token[]> {
  const { db } = place.installation.world.system
  const { client } = place.scene.people
  const make = async (name: string, end: (token: string) => Promise<unknown>): Promise<Token[]> => {
    const token = await issue(place, client, ApiScope.options)
    if (!token) return []
    await end(token)
    return [{ name, token, wallet: 'client', scopes: [], codes: ended }]
  }
  const newest = async () =>
    db.session.findFirstOrThrow({ where: { personId: client.did, isApiToken: true }, orderBy: { createdAt: 'desc' } })
  return [
    ...(await make('an expired token', async () =>
      db.session.update({ where: { id: (await newest()).id }, data: { expiresAt: new Date(Date.now() - 1_000) } }),
    )),
    ...(await make('a token that was ended', (token) =>
      ask({ ...hubRequest(place, 'anonymous', 'DELETE', '/v1/tokens/current'), headers: { authorization: `Bearer ${token}` } }),
    )),
    ...(await make('a token that the account page ended', async () =>
      mutate(place, 'client', 'identity.revokeSession', { id: (await newest()).id }),
    )),
  ]
}

/** Whether the token may send it. */
function isWithin({ name }: Operation, { scopes, codes }: Token): boolean {
  if (codes === ended) return false
  const command = commandOf(name)
  if (command !== null) return scopes.some((scope) => commandsOf[scope].test(command))
  // All tools and methods that change something send commands about goals.
  if (/^(mcp|a2a):/.test(name)) return scopes.includes('goals')
  return scopes.some((scope) => changes[name] === scope)
}

const codeOf = ({ text }: Answer) => /"code\\?":\\?"([a-z_]+\.[a-z_.]+)/.exec(text)?.[1] ?? ''

/** The same request with this token instead of the role's own login; each from another address, so that none is limited. */
function withToken(request: Request, token: string): Request {
  const { cookie: _, ...headers } = request.headers
  return { ...request, headers: { ...headers, authorization: `Bearer ${token}` }, from: addressOf('anonymous') }
}

/** As a fast sample of its schema first. If that is malformed, with valid content. */
async function send(place: Place, operation: Operation, token: Token): Promise<Answer | null> {
  const valid = () => operation.base(place, token.wallet)
  const made: readonly (() => Value | Promise<Value>)[] = /^(mcp|a2a):/.test(operation.name)
    ? [valid]
    : [() => sample(operation.schema, place.scene.known), valid]
  let last: Answer | null = null
  for (const make of made) {
    const input = await Promise.resolve()
      .then(make)
      .catch((): Value => null)
    const request = operation.request(place, token.wallet, input)
    if ('frame' in request) return null
    last = await ask(withToken(request, token.token))
    if (token.codes.test(codeOf(last))) return last
  }
  return last
}

const hiddenAtWeb = /^trpc:\S+ (goal|task|room|dispute|settlement_offer)\.not_found$/
const atOnce = 6

/** Each token at each command, mutation, tool and method outside its scopes: refused for its scope, before anything else is looked at. */
async function exceed(place: Place): Promise<Fault[]> {
  const operations = (await plainOperations(place.installation)).filter(
    ({ name, isStream }) => /^(trpc|command|mcp|a2a):/.test(name) && !isStream,
  )
  const writes = operations.filter(({ isReading, name }) => !isReading && !isLogin.test(name))
  const tokens = [...(await tokensOf(place)), ...(await endedTokens(place))]
  if (tokens.length < wallets.flatMap(scopeSets).length)
    return [fault('a token has its scopes', 'POST /v1/tokens', `only ${tokens.length} tokens were issued`)]
  const faults = new Map<string, Fault>()
  let proven = 0
  const cases = tokens.flatMap((token) => writes.filter((one) => !isWithin(one, token)).map((operation) => ({ token, operation })))
  const work = async () => {
    for (let one = cases.shift(); one; one = cases.shift()) {
      const { token, operation } = one
      const answer = await send(place, operation, token)
      if (answer === null) continue
      for (const found of answerFaults(operation.name, answer)) faults.set(`${found.oracle} ${found.subject}`, found)
      const code = codeOf(answer)
      if (token.codes.test(code)) proven++
      // A page looks first whether the goal of an id is visible: an operator's token sees no more than its wallet.
      else if (hiddenAtWeb.test(`${operation.name} ${code}`)) continue
      else if (code !== 'request.malformed' && answer.status !== 429)
        faults.set(operation.name, fault('a token has its scopes', operation.name, `${token.name} was answered ${answer.status} ${code}`))
    }
  }
  const total = cases.length
  await Promise.all(Array.from({ length: atOnce }, work))
  if (proven < total * 0.9)
    faults.set('', fault('a token has its scopes', 'the attack', `only ${proven} of ${total} requests were refused for it`))
  return [...faults.values(), ...(await readBeyond(place, operations, tokens)), ...(await actAgainstRule(place, operations))]
}

/** What only a login in a browser reads, and what only operators read, with an operator's token of all scopes. */
async function readBeyond(place: Place, operations: readonly Operation[], tokens: readonly Token[]): Promise<Fault[]> {
  const faults: Fault[] = []
  const token = tokens.find(({ wallet, scopes }) => wallet === 'operator' && scopes.length === ApiScope.options.length)
  if (!token) return []
  for (const operation of operations.filter(({ name }) => operatorReads.includes(name) || browserReads.test(name))) {
    const input = await Promise.resolve(operation.base(place, 'operator')).catch((): Value => null)
    const request = operation.request(place, 'operator', input)
    if ('frame' in request) continue
    const answer = await ask(withToken(request, token.token))
    const isEmpty = /"json":(null|\[\])/.test(answer.text)
    if (isTaken(answer) && !isEmpty)
      faults.push(fault('a token has its scopes', operation.name, `it was read by ${token.name}: ${answer.text.slice(0, 120)}`))
  }
  return faults
}

/** A rule that denies an agent every act, at each entry point. */
async function actAgainstRule(place: Place, operations: readonly Operation[]): Promise<Fault[]> {
  const { installation, scene } = place
  const { world } = installation
  const blocked = await agentIn(world, scene.people.stranger, `bl${Date.now().toString(36)}`, ['goal.plan', 'text.first'])
  const rule = { effect: 'deny', points: ['act'], subject: { agent_id: blocked.agentId }, reason: 'It is blocked.' }
  await scene.people.operator.send({ type: 'rule.create', rule: rule as never })
  const other: Place = { ...place, scene: { ...scene, agents: { ...scene.agents, outsider: blocked } } }
  const commands = operations.filter(({ name, isReading, isClosed }) => /^(command|mcp|a2a):/.test(name) && !isReading && !isClosed)
  // Processes learn a rule within seconds.
  const probe = commands.find(({ name }) => name === 'command:memory.write')
  for (let tries = 0; probe && tries < 40; tries++) {
    const answer = await deliver(other, probe, probe.request(other, 'outsider', await probe.base(other, 'outsider')))
    if (codeOf(answer) === 'rule.denied') break
    await pause(500)
  }
  const faults: Fault[] = []
  for (const operation of commands) {
    const input = await Promise.resolve(operation.base(other, 'outsider')).catch((): Value => null)
    const answer = await deliver(other, operation, operation.request(other, 'outsider', input))
    const code = codeOf(answer)
    if (code !== 'rule.denied' && code !== 'request.malformed' && answer.status !== 429)
      faults.push(
        fault('a rule holds at each entry point', operation.name, `an agent that may not act was answered ${answer.status} ${code}`),
      )
  }
  return faults
}

export const tokenScopes: Attack = { name: 'scopes of tokens', run: exceed }

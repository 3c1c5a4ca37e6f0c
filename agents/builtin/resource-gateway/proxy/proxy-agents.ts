/**
 * Proxies: the gateway's own agents for resources of its public pool. Their listings are those of the admission. They are hired like any
 * agent, and the resource's operator is paid. Their inputs go to the resource, under the gateway's rules.
 */
import { type AgentSession, acceptListedPrice, agent, type SkillHandler } from '@parley/agents'
import { type Skill, sha256 } from '@parley/protocol'
import type { Gateway, GatewayRefusal } from '../pool/gateway-pool.ts'
import type { ResourceCaller } from './resource-caller.ts'
import { toArtifacts, toResourceInput } from './resource-input-and-artifacts.ts'

export type ProxyAgentsOptions = {
  readonly gateway: Pick<Gateway, 'grant' | 'list'>
  readonly use: ResourceCaller['callAsProxy']
  /** The gateway's seed. Each proxy has a key derived from it, which is the same after a restart. */
  readonly seed: string
  readonly hubUrl: string
  /** Sends `proxy.open` to the market. Rejects if it is refused. */
  readonly openAtMarket: (resource: string) => Promise<{ readonly agent_id: string; readonly token: string }>
  readonly now: () => number
  /** Receives the ids of all resources with a proxy, whenever they change. Pass them to `restore` after a restart. */
  readonly onWanted?: (resources: readonly string[]) => void
  readonly warn: (error: unknown) => void
}

export type OpenedListing = { readonly agent_id: string; readonly did: string }

export type ProxyAgents = {
  /** Lists the resource and connects its proxy. Idempotent. */
  open(resource: string): Promise<OpenedListing | GatewayRefusal>
  /** Sets the resources that had a proxy before a restart. `sweep` connects them again. */
  restore(resources: readonly string[]): void
  /** Disconnects proxies of unavailable resources, and reconnects those that are available again, with back-off after failures. */
  sweep(): void
  readonly size: number
  close(): void
}

/** Proxies connected at the same time. */
export const maxOpenProxies = 100
/** Proxies reconnected at the same time, so that a restarted market is not overloaded. */
const maxReconnecting = 5
const [minRetryMs, maxRetryMs] = [1_000, 300_000]

export const deriveProxySeed = (seed: string, resource: string): Promise<string> =>
  sha256(new TextEncoder().encode(`parley-proxy-seed-v1:${seed}:${resource}`))

type State = {
  readonly options: ProxyAgentsOptions
  /** Connected and connecting proxies, by resource id. */
  readonly open: Map<string, Promise<AgentSession>>
  /** Resources that should have a proxy, with their back-off. */
  readonly wanted: Map<string, { readonly failures: number; readonly notBefore: number }>
  readonly reconnecting: Set<string>
  isClosed: boolean
}

export function createProxyAgents(options: ProxyAgentsOptions): ProxyAgents {
  const state: State = { options, open: new Map(), wanted: new Map(), reconnecting: new Set(), isClosed: false }
  return {
    async open(resource) {
      const granted = options.gateway.grant(resource, '')
      if ('fault' in granted) return granted
      if (!state.open.has(resource) && state.open.size >= maxOpenProxies)
        return { fault: `This gateway has ${maxOpenProxies} proxies, which is the maximum.` }
      const opened = await connectProxy(state, resource)
      addWanted(state, resource)
      return opened
    },
    restore(resources) {
      for (const resource of resources) state.wanted.set(resource, { failures: 0, notBefore: 0 })
    },
    sweep() {
      disconnectUnavailable(state)
      reconnectAvailable(state)
    },
    get size() {
      return state.open.size
    },
    close: () => closeAll(state),
  }
}

function addWanted({ wanted, options }: State, resource: string): void {
  const isNew = !wanted.has(resource)
  wanted.set(resource, { failures: 0, notBefore: 0 })
  if (isNew) options.onWanted?.([...wanted.keys()])
}

function removeWanted({ wanted, options }: State, resource: string): void {
  if (wanted.delete(resource)) options.onWanted?.([...wanted.keys()])
}

function disconnectUnavailable({ open, options }: State): void {
  for (const [resource, connecting] of open) {
    if (!('fault' in options.gateway.grant(resource, ''))) continue
    open.delete(resource)
    connecting.then((session) => session.close(), options.warn)
  }
}

function reconnectAvailable(state: State): void {
  const { open, wanted, reconnecting, options } = state
  const evicted = new Set(options.gateway.list().flatMap(({ id, state: status }) => (status === 'evicted' ? [id] : [])))
  for (const [resource, { notBefore }] of wanted) {
    if (evicted.has(resource)) removeWanted(state, resource)
    if (evicted.has(resource) || open.has(resource) || reconnecting.has(resource) || notBefore > options.now()) continue
    if ('fault' in options.gateway.grant(resource, '')) continue
    if (reconnecting.size >= maxReconnecting || open.size >= maxOpenProxies) return
    void reconnect(state, resource)
  }
}

async function reconnect(state: State, resource: string): Promise<void> {
  const { wanted, reconnecting, options } = state
  const failures = wanted.get(resource)?.failures ?? 0
  reconnecting.add(resource)
  try {
    await connectProxy(state, resource)
    addWanted(state, resource)
  } catch (error) {
    const wait = Math.min(minRetryMs * 2 ** failures, maxRetryMs)
    if (wanted.has(resource)) wanted.set(resource, { failures: failures + 1, notBefore: options.now() + wait })
    options.warn(error)
  } finally {
    reconnecting.delete(resource)
  }
}

async function connectProxy(state: State, resource: string): Promise<OpenedListing> {
  const { agent_id, token } = await state.options.openAtMarket(resource)
  if (state.isClosed) throw new RangeError('This gateway is closed.')
  const connecting = state.open.get(resource) ?? connect(state, resource, token)
  state.open.set(resource, connecting)
  connecting.catch(() => state.open.delete(resource))
  return { agent_id, did: (await connecting).did }
}

async function connect(state: State, resource: string, token: string): Promise<AgentSession> {
  const { gateway, hubUrl, seed, warn } = state.options
  const granted = gateway.grant(resource, '')
  const skills = 'card' in granted ? granted.card.skills : []
  return agent({
    url: hubUrl,
    token,
    seed: await deriveProxySeed(seed, resource),
    skills: Object.fromEntries(skills.map((skill) => [skill.id, toHandler(state, resource, skill)])),
    invitationPolicy: (invitation, own) => {
      const stillGranted = gateway.grant(resource, invitation.charter.principal_id)
      return 'fault' in stillGranted ? stillGranted.fault : acceptListedPrice(invitation, own)
    },
    on: {
      error: warn,
      end: () => void state.open.delete(resource),
      // Another process uses this key. Reconnecting would fence it, and it would fence this proxy in turn.
      fenced: () => removeWanted(state, resource),
    },
  })
}

function toHandler({ options }: State, resource: string, skill: Skill): SkillHandler {
  return async ({ inputs, session }) => {
    const input = Object.fromEntries(Object.values(inputs).map((one) => [one.port, toResourceInput(one)]))
    const used = await options.use(resource, session.did, skill.id, input)
    // The fault is the reason that the room sees.
    if ('fault' in used) throw new RangeError(used.fault)
    const made = toArtifacts(skill, used.answer)
    if ('fault' in made) throw new RangeError(made.fault)
    return { ...made, text: `Done by the resource ${resource}, as its gateway has tested it.` }
  }
}

function closeAll(state: State): void {
  state.isClosed = true
  for (const connecting of state.open.values())
    connecting.then(
      (session) => session.close(),
      () => undefined,
    )
  state.open.clear()
}

/**
 * A gateway's own agents in front of resources of its public pool: listed on the market as what their admission says, hired like
 * any agent, paid to the resource's operator. What they are given goes to the resource, under the gateway's rules.
 */
import { type AgentSession, acceptListedPrice, agent, type SkillHandler } from '@parley/agents'
import { type Skill, sha256 } from '@parley/protocol'
import type { Gateway, Refusal } from '../pool/gateway.ts'
import type { ResourceCaller } from './call-resource.ts'
import { toArtifacts, toResourceInput } from './proxy-output.ts'

export type ProxyAgentsOptions = {
  readonly gateway: Pick<Gateway, 'grant' | 'list'>
  readonly use: ResourceCaller['callAsProxy']
  /** The gateway's own seed: each front has a key derived from it, the same after a restart. */
  readonly seed: string
  readonly hubUrl: string
  /** `front.open` at the market, by the gateway's own agent. Rejects where it is refused. */
  readonly openAtMarket: (resource: string) => Promise<{ readonly agent_id: string; readonly token: string }>
  readonly now: () => number
  /** Resources that have a front, whenever there are others: whoever keeps them gives them to `restore` after a restart. */
  readonly onWanted?: (resources: readonly string[]) => void
  readonly warn: (error: unknown) => void
}

export type OpenedListing = { readonly agent_id: string; readonly did: string }

export type ProxyAgents = {
  /** Puts the resource on offer and keeps an agent there for it. The same again gives the same. */
  open(resource: string): Promise<OpenedListing | Refusal>
  /** Fronts from before a restart: `sweep` brings them back. */
  restore(resources: readonly string[]): void
  /** Takes off whatever is not handed out now, and brings back what is again, or has fallen out; what fails waits longer each time. */
  sweep(): void
  readonly size: number
  close(): void
}

/** Fronts that are connected at the same time. */
export const maxProxies = 100
/** Brought back at the same time, so that a market that comes back is not flooded. */
const maxReturning = 5
const [shortestWaitMs, longestWaitMs] = [1_000, 300_000]

export const deriveProxySeed = (seed: string, resource: string): Promise<string> =>
  sha256(new TextEncoder().encode(`parley-front-seed-v1:${seed}:${resource}`))

export function createProxyAgents({ gateway, use, seed, hubUrl, openAtMarket, now, onWanted, warn }: ProxyAgentsOptions): ProxyAgents {
  const open = new Map<string, Promise<AgentSession>>()
  /** What should stand on the market, and when it is tried next. */
  const wanted = new Map<string, { readonly failures: number; readonly notBefore: number }>()
  const returning = new Set<string>()
  let isClosed = false

  function want(resource: string): void {
    const isNew = !wanted.has(resource)
    wanted.set(resource, { failures: 0, notBefore: 0 })
    if (isNew) onWanted?.([...wanted.keys()])
  }

  function forget(resource: string): void {
    if (wanted.delete(resource)) onWanted?.([...wanted.keys()])
  }

  function bringBack(): void {
    const evicted = new Set(gateway.list().flatMap(({ id, state }) => (state === 'evicted' ? [id] : [])))
    for (const [resource, { failures, notBefore }] of wanted) {
      if (evicted.has(resource)) forget(resource)
      if (evicted.has(resource) || open.has(resource) || returning.has(resource) || notBefore > now()) continue
      if ('fault' in gateway.grant(resource, '')) continue
      if (returning.size >= maxReturning || open.size >= maxProxies) return
      returning.add(resource)
      putOnOffer(resource)
        .then(
          () => want(resource),
          (error: unknown) => {
            const wait = Math.min(shortestWaitMs * 2 ** failures, longestWaitMs)
            if (wanted.has(resource)) wanted.set(resource, { failures: failures + 1, notBefore: now() + wait })
            warn(error)
          },
        )
        .finally(() => returning.delete(resource))
    }
  }

  async function putOnOffer(resource: string): Promise<OpenedListing> {
    const { agent_id, token } = await openAtMarket(resource)
    if (isClosed) throw new RangeError('This gateway has ended.')
    const connecting = open.get(resource) ?? connect(resource, token)
    open.set(resource, connecting)
    connecting.catch(() => open.delete(resource))
    return { agent_id, did: (await connecting).did }
  }

  async function connect(resource: string, token: string): Promise<AgentSession> {
    const granted = gateway.grant(resource, '')
    const skills = 'card' in granted ? granted.card.skills : []
    const session = await agent({
      url: hubUrl,
      token,
      seed: await deriveProxySeed(seed, resource),
      skills: Object.fromEntries(skills.map((skill) => [skill.id, handlerOf(resource, skill)])),
      invitationPolicy: (invite, own) => {
        const stands = gateway.grant(resource, invite.charter.principal_id)
        return 'fault' in stands ? stands.fault : acceptListedPrice(invite, own)
      },
      on: {
        error: warn,
        end: () => void open.delete(resource),
        // Somebody else speaks with this key now: to come back would throw that one out, and so on for ever.
        fenced: () => forget(resource),
      },
    })
    return session
  }

  function handlerOf(resource: string, skill: Skill): SkillHandler {
    return async ({ inputs, session }) => {
      const input = Object.fromEntries(Object.values(inputs).map((one) => [one.port, toResourceInput(one)]))
      const used = await use(resource, session.did, skill.id, input)
      // Its words go into the room as the reason.
      if ('fault' in used) throw new RangeError(used.fault)
      const made = toArtifacts(skill, used.answer)
      if ('fault' in made) throw new RangeError(made.fault)
      return { ...made, text: `Done by the resource ${resource}, as its gateway has tested it.` }
    }
  }

  return {
    async open(resource) {
      const granted = gateway.grant(resource, '')
      if ('fault' in granted) return granted
      if (!open.has(resource) && open.size >= maxProxies) return { fault: `This gateway stands for ${maxProxies} resources already.` }
      const opened = await putOnOffer(resource)
      want(resource)
      return opened
    },
    restore(resources) {
      for (const resource of resources) wanted.set(resource, { failures: 0, notBefore: 0 })
    },
    sweep() {
      for (const [resource, connecting] of open) {
        if (!('fault' in gateway.grant(resource, ''))) continue
        open.delete(resource)
        connecting.then((session) => session.close(), warn)
      }
      bringBack()
    },
    get size() {
      return open.size
    },
    close() {
      isClosed = true
      for (const connecting of open.values())
        connecting.then(
          (session) => session.close(),
          () => undefined,
        )
      open.clear()
    },
  }
}

/**
 * A gateway's own agents in front of resources of its public pool: listed on the market as what their admission says, hired like
 * any agent, paid to the resource's operator. What they are given goes to the resource, under the gateway's rules.
 */
import { agent, payAtLeastListed, type Session, type SkillHandler, type SkillInput } from '@parley/agents'
import { type Json, type Skill, sha256 } from '@parley/protocol'
import type { Gateway, Refused } from './gateway.ts'
import type { Use } from './use.ts'

export type FrontsOptions = {
  readonly gateway: Pick<Gateway, 'grant' | 'list'>
  readonly use: Use['asFront']
  /** The gateway's own seed: each front has a key derived from it, the same after a restart. */
  readonly seed: string
  readonly hubUrl: string
  /** `front.open` at the market, by the gateway's own agent. Rejects where it is refused. */
  readonly openAtMarket: (resource: string) => Promise<{ readonly agent_id: string; readonly token: string }>
  readonly warn: (error: unknown) => void
}

export type Opened = { readonly agent_id: string; readonly did: string }

export type Fronts = {
  /** Puts the resource on offer and keeps an agent there for it. The same again gives the same. */
  open(resource: string): Promise<Opened | Refused>
  /** Takes off whatever is not handed out any more. */
  sweep(): void
  readonly size: number
  close(): void
}

/** Fronts that are connected at the same time. */
export const maxOpen = 100

export const seedOfFront = (seed: string, resource: string): Promise<string> =>
  sha256(new TextEncoder().encode(`parley-front-seed-v1:${seed}:${resource}`))

export function createFronts({ gateway, use, seed, hubUrl, openAtMarket, warn }: FrontsOptions): Fronts {
  const open = new Map<string, Promise<Session>>()

  async function connect(resource: string, token: string): Promise<Session> {
    const granted = gateway.grant(resource, '')
    const skills = 'card' in granted ? granted.card.skills : []
    const session = await agent({
      url: hubUrl,
      token,
      seed: await seedOfFront(seed, resource),
      skills: Object.fromEntries(skills.map((skill) => [skill.id, handlerOf(resource, skill)])),
      accept: (invite, own) => {
        const stands = gateway.grant(resource, invite.charter.principal_id)
        return 'fault' in stands ? stands.fault : payAtLeastListed(invite, own)
      },
      on: { error: warn, end: () => void open.delete(resource) },
    })
    return session
  }

  function handlerOf(resource: string, skill: Skill): SkillHandler {
    return async ({ inputs, session }) => {
      const input = Object.fromEntries(Object.values(inputs).map((one) => [one.port, inputOf(one)]))
      const used = await use(resource, session.did, skill.id, input)
      // Its words go into the room as the reason.
      if ('fault' in used) throw new RangeError(used.fault)
      const { text, value } = used.answer
      const [output] = skill.outputs
      const isText = typeof value === 'string'
      const artifact = {
        name: `${output?.name ?? 'answer'}.${isText ? 'txt' : 'json'}`,
        media_type: isText ? 'text/plain' : 'application/json',
        artifact_type: output?.type ?? 'text.plain',
        content: text,
      }
      return { artifacts: [artifact], text: `Done by the resource ${resource}, as its gateway has tested it.` }
    }
  }

  return {
    async open(resource) {
      const granted = gateway.grant(resource, '')
      if ('fault' in granted) return granted
      if (!open.has(resource) && open.size >= maxOpen) return { fault: `This gateway stands for ${maxOpen} resources already.` }
      const { agent_id, token } = await openAtMarket(resource)
      const connecting = open.get(resource) ?? connect(resource, token)
      open.set(resource, connecting)
      connecting.catch(() => open.delete(resource))
      return { agent_id, did: (await connecting).did }
    },
    sweep() {
      for (const [resource, connecting] of open) {
        if (!('fault' in gateway.grant(resource, ''))) continue
        open.delete(resource)
        connecting.then((session) => session.close(), warn)
      }
    },
    get size() {
      return open.size
    },
    close() {
      for (const connecting of open.values())
        connecting.then(
          (session) => session.close(),
          () => undefined,
        )
      open.clear()
    },
  }
}

/** By port: a file's text, a value, or the text that is all of a value. */
function inputOf({ artifact, text, data }: SkillInput): Json {
  if (artifact) return data ?? text
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
  return isObject && Object.keys(data).length === 1 && typeof data.text === 'string' ? data.text : (data ?? null)
}

/** A small agent with one skill at a hub in the test's hands, with the storage of its device. */
import {
  type DeviceStorage,
  type SmallAgent,
  type SmallAgentOptions,
  type SmallHandler,
  type SmallListing,
  smallAgent,
} from '@parley/agents/small'
import { type Charter, charterHash, randomSeed, type Signer, signerFromSeed } from '@parley/protocol'
import { charterOf } from '../charters.ts'
import { createStubHub, id, type StubHub } from '../stub-hub.ts'

export const skill_id = 'text.shout'
export const price = '1000000'

export const listing: SmallListing = {
  handle: 'tiny',
  name: 'Tiny',
  summary: 'Shouts.',
  payout: `0x${'4'.repeat(40)}`,
  skills: [
    {
      id: skill_id,
      name: 'Shout',
      description: 'Writes in capitals.',
      inputs: [{ name: 'text', type: 'query.text' }],
      outputs: [{ name: 'shout', type: 'text.shout' }],
      price,
    },
  ],
}

/** Survives what a program does: a restarted agent gets the same one. */
export function memoryStorage(): DeviceStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

export const shout: SmallHandler = ({ input }) => input.text.toUpperCase()
export const hello = [{ port: 'text', type: 'query.text', data: { text: 'hello' } }]

export type Device = {
  readonly hub: StubHub
  readonly storage: ReturnType<typeof memoryStorage>
  readonly principal: Signer
  readonly me: Signer
  /** Starts the program; again after a restart. */
  start(handler?: SmallHandler, more?: Partial<SmallAgentOptions>): Promise<SmallAgent>
  charter(more?: Partial<Parameters<typeof charterOf>[0]['members'][number]>): Charter
  invite(charter: Charter, more?: object, by?: Signer): Promise<void>
  /** Invites, waits for the acceptance, and returns the charter's room. */
  join(charter?: Charter): Promise<string>
  assign(room_id: string, inputs?: object[], by?: Signer): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

export async function createDevice(): Promise<Device> {
  const hub = await createStubHub()
  const [seed, storage] = [randomSeed(), memoryStorage()]
  const [principal, me] = [await signerFromSeed(randomSeed()), await signerFromSeed(seed)]
  // As after the publication of its listing.
  storage.setItem('parley.tiny.seed', seed)
  storage.setItem('parley.tiny.token', 'parley_1')
  const agents: SmallAgent[] = []
  const device: Device = {
    ...{ hub, storage, principal, me },
    async start(handler = shout, more = {}) {
      const skills = { [skill_id]: handler }
      const agent = await smallAgent({
        url: hub.url,
        storage,
        listing,
        skills,
        backoff: { baseMs: 5, capMs: 20 },
        ...more,
      })
      agents.push(agent)
      return agent
    },
    charter: (more = {}) => charterOf({ principal: principal.did, members: [{ did: me.did, skill_id, ...more }] }),
    async invite(charter, more = {}, by) {
      const data = { kind: 'team.invite', charter, charter_hash: await charterHash(charter), ...more }
      await hub.postMessage(hub.inbox, [{ data: data as never }], {}, by)
    },
    async join(charter = device.charter()) {
      const before = hub.commands('team.accept').length
      await device.invite(charter)
      await hub.until(() => hub.commands('team.accept').length > before)
      return charter.room_id
    },
    async assign(room_id, inputs = hello, by = principal) {
      const task_id = id('tsk')
      const data = { kind: 'task', task_id, step: 1, skill_id, inputs }
      const more = { type: 'sync_task_assignment', state: 'task_assignment', task_id, to: [me.did] }
      await hub.postMessage(room_id, [{ data: data as never }], more, by)
      return task_id
    },
    async [Symbol.asyncDispose]() {
      for (const agent of agents) agent.close()
      await hub[Symbol.asyncDispose]()
    },
  }
  return device
}

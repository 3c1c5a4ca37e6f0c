/** Every command of the protocol, over the hub's HTTP and over an agent's socket; and the frames of that socket. */
import { commandTypes } from '@parley/protocol'
import frames from '../../../protocol/schemas/agent-frame.json' with { type: 'json' }
import published from '../../../protocol/schemas/command.json' with { type: 'json' }
import { permissions } from '../../../server/policy/permit.ts'
import type { AgentRole, Role } from '../ground/cast.ts'
import { type Value, writeJson } from '../inputs/json-text.ts'
import { type Schema, sample } from '../inputs/schema.ts'
import { hubRequest, hubRoles, isAgent, type Operation, type Place } from './operations.ts'
import { inputOf, recipes, withMessage } from './recipes.ts'

const reading = new Set(['listing.discover', 'artifact.get', 'channel.quote', 'call.get', 'memory.read'])
let asked = 0

export function commandOperations(): Operation[] {
  // The published schema, not the one that checks: what it forbids has to be refused.
  const { oneOf = [], $defs = {} } = published as unknown as Schema
  const schemas = new Map(oneOf.map((option) => [String(option.properties?.type?.const), { ...option, $defs }] as const))
  return commandTypes.flatMap((type) => {
    const schema = schemas.get(type) ?? {}
    const base = async (place: Place, role: Role): Promise<Value> => {
      const made = await inputOf(recipes[type], place, role, () => sample(schema, place.scene.known))
      const { envelope: _, ...rest } = made as { [key: string]: Value }
      return { ...rest, type }
    }
    const isClosed = !(permissions[type] as readonly string[]).includes('agent')
    const shared = { isReading: reading.has(type), isStream: false, isClosed, schema, base }
    const overHttp: Operation = {
      ...shared,
      name: `command:${type}`,
      roles: hubRoles,
      request: (place, role, input) => hubRequest(place, role, 'POST', '/v1/commands', writeJson(input)),
    }
    const overSocket: Operation = {
      ...shared,
      name: `socket:${type}`,
      base: async (place, role) => withMessage(place, role, (await base(place, role)) as { type: string }),
      roles: ['worker', 'planner'],
      request: (_place, role, input) => frame(role, `"command":${writeJson(input)}`),
    }
    return [overHttp, overSocket]
  })
}

function frame(role: Role, inside: string) {
  const id = `q${++asked}`
  return { role: (isAgent(role) ? role : 'worker') satisfies AgentRole, id, frame: `{"type":"command","id":"${id}",${inside}}` }
}

/** Frames besides commands: each as the schema has it, and a command whose own fields are attacked. */
export function frameOperations(): Operation[] {
  const root = frames as unknown as Schema
  const ways = (root.oneOf ?? root.anyOf ?? []).filter((way) => way.properties?.type?.const !== 'hello')
  return ways.map((way) => {
    const type = String(way.properties?.type?.const)
    return {
      name: `frame:${type}`,
      isReading: type !== 'command',
      isStream: false,
      roles: ['worker', 'planner'],
      schema: way,
      base: (place: Place) => {
        if (type === 'command') return { type, id: 'a', command: { type: 'memory.read' } }
        return sample(way, { ...place.scene.known, byName: { ...place.scene.known.byName, seq: 1, after: 0 } })
      },
      request: (_place, role, input) => ({ role: isAgent(role) ? role : 'worker', id: null, frame: writeJson(input) }),
    }
  })
}

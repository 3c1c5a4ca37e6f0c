/** What a device keeps over a restart: its key, its token until the key is bound, the server's DID, and the terms of its teams. */
import { storageMissing } from '../errors.ts'
import { newEd25519Seed } from './ed25519-signer.ts'

/** The part of the Web Storage API that a device needs, as `localStorage` has it. It must survive a restart. */
export type DeviceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** What an agent agreed to in one room: who assigns its tasks, and the first output type of each of its steps. */
export type AgreedTerms = { readonly goal_id: string; readonly lead: string; readonly outputs: { readonly [step: string]: string } }

/** Teams kept at most. The oldest is dropped: its goal has probably ended long ago. */
const maxTeams = 32

type Item = 'seed' | 'token' | 'agent' | 'server' | 'teams'

/** The items of one agent in a storage. */
export type DeviceStore = {
  read(item: Item): string | undefined
  /** Undefined removes the item. */
  write(item: Item, value: string | undefined): void
  /** The stored seed; a new one, which is stored, if there is none. */
  seed(): string
  /** By room id. */
  team(room_id: string): AgreedTerms | undefined
  addTeam(room_id: string, terms: AgreedTerms): void
  /** Forgets the teams of a goal that has ended. */
  dropTeams(goal_id: string): void
}

/** Opens the items of the agent with this handle. @throws {ProblemError} `session.storage_missing` */
export function openDeviceStore(given: DeviceStorage | undefined, handle: string): DeviceStore {
  const storage = given ?? (globalThis as { localStorage?: DeviceStorage }).localStorage
  if (!storage) throw storageMissing()
  const keyOf = (item: Item) => `parley.${handle}.${item}`
  const read = (item: Item) => storage.getItem(keyOf(item)) ?? undefined
  const write = (item: Item, value: string | undefined) =>
    value === undefined ? storage.removeItem(keyOf(item)) : storage.setItem(keyOf(item), value)
  const readTeams = () => Object.entries(JSON.parse(read('teams') ?? '{}') as { [room_id: string]: AgreedTerms })
  const writeTeams = (teams: readonly (readonly [string, AgreedTerms])[]) =>
    write('teams', JSON.stringify(Object.fromEntries(teams.slice(-maxTeams))))
  return {
    read,
    write,
    seed() {
      const seed = read('seed') ?? newEd25519Seed()
      write('seed', seed)
      return seed
    },
    team: (room_id) => readTeams().find(([id]) => id === room_id)?.[1],
    addTeam: (room_id, terms) => writeTeams([...readTeams().filter(([id]) => id !== room_id), [room_id, terms]]),
    dropTeams: (goal_id) => writeTeams(readTeams().filter(([, terms]) => terms.goal_id !== goal_id)),
  }
}

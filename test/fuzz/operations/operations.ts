/** Everything that can be asked of an installation, found in the product itself: what is added there is attacked without a change here. */

import type { AgentRole, PersonRole, Role } from '../ground/cast.ts'
import { agentRoles, personRoles } from '../ground/cast.ts'
import type { Answer, Request } from '../ground/http.ts'
import type { Installation } from '../ground/installation.ts'
import type { Scene } from '../ground/scene.ts'
import type { Line } from '../ground/socket.ts'
import { toBytes, type Value, writeJson } from '../inputs/json-text.ts'
import type { Schema } from '../inputs/schema.ts'

/** Where a case runs: the installation, this round's living things, and the agents' own sockets. */
export type Place = {
  readonly installation: Installation
  readonly scene: Scene
  readonly lines: Partial<Record<AgentRole, Line>>
  /** Ids of all private goals that existed when the reading began, of every client. No anonymous caller may read them. */
  privateIds: readonly string[]
}
/** A frame for the socket of an agent. */
export type FrameRequest = { readonly frame: string; readonly role: AgentRole; readonly id: string | null }
/** Who may send it. `as`: the role whose valid input is sent. `others`: further roles that may. `isRefused`: not even these may. */
export type Entitled = { readonly as: Role; readonly others?: readonly Role[]; readonly isRefused?: boolean }
/** `kind`: of the object that its base is about. `isTwin`: another operation sends the same command about it. */
type Variant = { readonly kind: string; readonly entitled: Entitled; readonly isTwin: boolean }
export type Operation = {
  /** As `trpc:goals.list`, `command:goal.post`, `page:/goals/[id]`. */
  readonly name: string
  /** It changes nothing. */
  readonly isReading: boolean
  /** Its answer goes on. */
  readonly isStream: boolean
  readonly roles: readonly Role[]
  readonly schema: Schema
  /** Nobody of these roles can do it, by the product's own table: only that it stays so is of interest. */
  readonly isClosed?: boolean
  /** Of a base about an object of another kind. The name ends with the kind in brackets. */
  readonly variant?: Variant
  /** A valid input of existing objects, for the given role. */
  base(place: Place, role: Role): Value | Promise<Value>
  request(place: Place, role: Role, input: Value): Request | FrameRequest
}
/** A valid input whose parts have to agree with each other. */
export type Recipe = (place: Place, role: Role) => Value | Promise<Value>
export type { Answer }

/** Without the kind of its object. */
export const plainName = ({ name }: Pick<Operation, 'name'>) => name.replace(/ \[[^\]]*\]$/, '')

/** Ends what others still need: left to the end of a round. */
export const isDestructive = (operation: Operation) =>
  /withdraw|erase|cancel|conclude|close|revoke|signOut|accept|return|remove|rotate|decline|fail|refuse|reclaim|seal|veto|disputes\.rule/i.test(
    plainName(operation),
  )

const addresses: { readonly [role in Role]: string } = {
  anonymous: '127.0.1.1',
  client: '127.0.1.2',
  publisher: '127.0.1.3',
  stranger: '127.0.1.4',
  operator: '127.0.1.5',
  lead: '127.0.1.6',
  helper: '127.0.1.7',
  worker: '127.0.1.8',
  planner: '127.0.1.9',
  outsider: '127.0.1.10',
}
let strangers = 0
/** Strangers come from many addresses, as they do; who is known comes from one. */
export function addressOf(role: Role): string {
  if (role !== 'anonymous') return addresses[role]
  strangers = (strangers + 1) % 60_000
  return `127.1.${Math.floor(strangers / 250)}.${(strangers % 250) + 1}`
}

export const isPerson = (role: Role): role is PersonRole => (personRoles as readonly Role[]).includes(role)
export const isAgent = (role: Role): role is AgentRole => (agentRoles as readonly Role[]).includes(role)
export const webRoles: readonly Role[] = ['client', 'stranger', 'anonymous', 'publisher', 'operator']
export const hubRoles: readonly Role[] = ['helper', 'lead', 'outsider', 'anonymous']
export const visitorRoles: readonly Role[] = ['client', 'helper', 'stranger', 'outsider', 'anonymous']

/** A request of a browser with this role's session. */
export function webRequest({ installation, scene }: Place, role: Role, method: string, path: string, body: string | null = null): Request {
  const cookie = isPerson(role) ? { cookie: `parley_session=${scene.people[role].session}` } : {}
  const type = body === null ? {} : { 'content-type': 'application/json' }
  return {
    ...{ method, url: `${installation.web.url}${path}`, headers: { ...cookie, ...type }, from: addressOf(role) },
    body: body === null ? null : toBytes(body),
  }
}

/** A request to the hub with this role's token. */
export function hubRequest({ installation, scene }: Place, role: Role, method: string, path: string, body: string | null = null): Request {
  const token = isPerson(role) ? scene.people[role].session : isAgent(role) ? scene.agents[role].token : null
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body !== null && { 'content-type': 'application/json' }) }
  return { method, url: `${installation.hub.url}${path}`, headers, body: body === null ? null : toBytes(body), from: addressOf(role) }
}

/** For the query of an address; bytes that are no UTF-8 stay none. */
export const inUrl = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%EF%A3%BF', '%C3%28')

export const jsonInUrl = (value: Value) => inUrl(writeJson(value))

/** What is sent, in words that fit a line of a report. */
export function describeRequest(request: Request | FrameRequest): string {
  const cut = (text: string) => (text.length > 400 ? `${text.slice(0, 300)} … (${text.length} characters) … ${text.slice(-60)}` : text)
  if ('frame' in request) return `frame of ${request.role}: ${cut(request.frame)}`
  return `${request.method} ${cut(request.url)}${request.body ? ` ${cut(request.body.toString('utf8'))}` : ''}`
}

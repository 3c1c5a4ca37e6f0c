/** Publishes a listing from a device, by one HTTP request. */
import type { ListingDraft, Problem } from '@parley/protocol'
import type { z } from 'zod'
import { addressInvalid, hubUnreachable, ProblemError } from '../errors.ts'
import { hasFields } from './read-frame-without-schema.ts'

/** A listing as a program writes it. Fields with a default may be left out. */
export type SmallListing = z.input<typeof ListingDraft>

/** The HTTP and the WebSocket address of one hub. */
export type HubAddress = { readonly http: string; readonly socket: string }

/** The addresses of a hub, without the engine's URL parser. @throws {ProblemError} `session.address_invalid` */
export function readHubAddress(url: string): HubAddress {
  const [, isSecure, place] = /^(?:http|ws)(s?):\/\/([^\s/?#]+)\/?$/.exec(url) ?? []
  if (place === undefined) throw addressInvalid(url)
  return { http: `http${isSecure}://${place}`, socket: `ws${isSecure}://${place}/v1/ws` }
}

/** The id of a new listing, and the token that binds a key to it. */
export type Registration = { readonly agent_id: string; readonly token: string }

/**
 * Publishes a listing. Without `ownerToken` only a market on a local chain takes it. `ownerToken`: an API token of the owner's wallet with
 * the scope `listings`.
 * @throws {ProblemError} the server's refusal, or `session.hub_unreachable`
 */
export async function registerSmallAgent({ http }: HubAddress, listing: SmallListing, ownerToken?: string): Promise<Registration> {
  const path = ownerToken === undefined ? '/v1/agents' : '/v1/commands'
  const body = ownerToken === undefined ? listing : { type: 'listing.publish', listing }
  const { status, text } = await post(`${http}${path}`, JSON.stringify(body), ownerToken)
  const answer = parseObject(text)
  if (status < 300 && typeof answer.agent_id === 'string' && typeof answer.token === 'string')
    return { agent_id: answer.agent_id, token: answer.token }
  if (typeof answer.code === 'string' && typeof answer.detail === 'string') throw new ProblemError(answer as Problem)
  throw hubUnreachable(http, `What answered with HTTP ${status} is not a hub.`)
}

async function post(url: string, body: string, token: string | undefined): Promise<{ status: number; text: string }> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  try {
    const response = await fetch(url, { method: 'POST', headers, body })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    throw hubUnreachable(url, error instanceof Error ? error.message : String(error))
  }
}

function parseObject(text: string): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return hasFields(value) ? value : {}
  } catch {
    return {}
  }
}

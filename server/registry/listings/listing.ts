import { canonicalize, type Json, type Listing, ListingDraft, type Score, Skill, SkillPort } from '@parley/protocol'
import type { Market } from '../../context.ts'
import { filterValidItems } from '../../db/filter-valid-items.ts'
import { findReservedWord, letterFaults, nameFaults, textFaults } from '../names/name-faults.ts'
import { type PresenceRow, presenceAt } from '../presence.ts'

/** A listing and its skills, as stored. */
export type ListingRow = {
  readonly agentId: string
  readonly handle: string
  readonly did: string
  readonly ownerId: string
  readonly isOwnerProved: boolean
  readonly inboxId: string
  readonly name: string
  readonly summary: string
  readonly readme: string
  readonly payout: string
  readonly policy: unknown
  readonly version: number
  readonly publishedAt: Date
  readonly revisedAt: Date
  readonly ownerNonce: number
  readonly withdrawnAt: Date | null
  /** The home of a foreign agent, and the expiry of its statement. */
  readonly origin: string | null
  readonly expiresAt: Date | null
}
export type SkillRow = {
  readonly skillId: string
  readonly name: string
  readonly description: string
  readonly price: bigint
  readonly inputs: unknown
  readonly outputs: unknown
  readonly tags: readonly string[]
  readonly samples: unknown
}

/** The maximum size of a listing as canonical JSON, in bytes. A page of a hundred must fit into one frame. */
export const maxListingBytes = 65_536
/** Paths of pages, and words that would speak for the market. */
const reservedHandles = new Set(
  'new edit mine search compare facets gateways types settings account admin api mcp a2a parley server market system official support'.split(
    ' ',
  ),
)

/** Why a well-formed draft is invalid, in sentences; empty if valid. */
export function listingFaults(draft: ListingDraft, market: Market): string[] {
  const faults: string[] = []
  const bytes = Buffer.byteLength(canonicalize(draft as Json))
  if (bytes > maxListingBytes) faults.push(`The listing has ${bytes} bytes. The maximum is ${maxListingBytes}.`)
  if (reservedHandles.has(draft.handle) || findReservedWord(draft.handle.replaceAll('-', ' ')) !== null)
    faults.push(`The handle ${draft.handle} is reserved, or contains a reserved word.`)
  faults.push(...nameFaults('The name', draft.name), ...textFaults('The summary', draft.summary))
  if (/^0x0{40}$/.test(draft.payout)) faults.push('The payout address is the zero address, which has no owner.')
  if ([market.escrow, market.token].some((address) => address.toLowerCase() === draft.payout))
    faults.push("The payout address is one of the market's own contracts, which cannot forward the money.")
  for (const id of repeated(draft.skills.map((skill) => skill.id))) faults.push(`The skill ${id} is listed twice.`)
  for (const skill of draft.skills) {
    faults.push(...letterFaults(`The name of ${skill.id}`, skill.name))
    for (const name of repeated(skill.inputs.map((port) => port.name))) faults.push(`${skill.id} has two inputs called ${name}.`)
    for (const name of repeated(skill.outputs.map((port) => port.name))) faults.push(`${skill.id} has two outputs called ${name}.`)
  }
  return faults
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}

/** An agent's DID until it has bound a key. */
export function webDid(market: Market, handle: string): `did:web:${string}` {
  return `did:web:${encodeURIComponent(new URL(market.publicUrl).host)}:agents:${handle}`
}

export function listingUrl(market: Market, handle: string): string {
  return new URL(`/agents/${handle}`, market.publicUrl).toString()
}

/** The types of a skill's required inputs. */
export function neededTypes(skill: Skill): string[] {
  return [...new Set(skill.inputs.filter((port) => !port.optional).map((port) => port.type))]
}

/** The distinct words of a text, in lower case. */
export function wordsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].map((word) => word.slice(0, 40))
}

/** The words by which a listing is found, most important first. Their number is limited, so that the search stays fast. */
export function searchTextOf(draft: ListingDraft): string {
  const names = draft.skills.flatMap((skill) => [skill.id, skill.name, ...skill.tags])
  const types = draft.skills.flatMap((skill) => [...skill.outputs, ...skill.inputs].map((port) => port.type))
  const prose = draft.skills.map((skill) => skill.description)
  return wordsIn([draft.handle, draft.name, draft.summary, ...names, ...types, ...prose].join(' '))
    .slice(0, 400)
    .join(' ')
}

export function skillOf(row: SkillRow): Skill {
  return {
    id: row.skillId,
    name: row.name,
    description: row.description,
    inputs: filterValidItems(SkillPort, row.inputs),
    outputs: filterValidItems(SkillPort, row.outputs),
    price: row.price.toString(),
    tags: [...row.tags],
    samples: filterValidItems(Skill.shape.samples.unwrap().element, row.samples),
  }
}

/** When the listing ended: withdrawn, or its statement expired. Null if it is active. */
function goneAt(row: ListingRow, now: Date): Date | null {
  return row.withdrawnAt ?? (row.expiresAt !== null && row.expiresAt <= now ? row.expiresAt : null)
}

type ListingFacts = {
  readonly skills: readonly SkillRow[]
  readonly presence: PresenceRow | null
  readonly score: Score
  readonly now: Date
}

/** A listing for pages and agents. */
export function toListing(row: ListingRow, { skills, presence, score, now }: ListingFacts): Listing {
  return {
    handle: row.handle,
    name: row.name,
    summary: row.summary,
    readme: row.readme,
    skills: skills.map(skillOf),
    payout: row.payout,
    policy: ListingDraft.shape.policy.safeParse(row.policy).data ?? { data_use: '', max_concurrency: 1 },
    agent_id: row.agentId as Listing['agent_id'],
    did: row.did as Listing['did'],
    owner_id: row.ownerId,
    presence: presenceAt(presence, now),
    last_seen_at: presence?.seenAt.toISOString() ?? null,
    published_at: row.publishedAt.toISOString(),
    revised_at: row.revisedAt.toISOString(),
    withdrawn_at: goneAt(row, now)?.toISOString() ?? null,
    version: row.version,
    score,
  }
}

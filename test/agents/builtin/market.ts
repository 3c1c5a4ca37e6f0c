/** A market for tests without a server: listings of the built-in agents and of others, and a goal offered on it. */

import { createHash } from 'node:crypto'
import { type GoalOffer, type Listing, type ListingDraft, prefixedId, uuidv7 } from '@parley/protocol'
import { type BuiltinName, builtinNames } from '../../../agents/builtin/agent-names.ts'
import { listingDraftOf } from '../../../agents/builtin/listings.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Ids and keys that are the same in every run. */
export const didOf = (name: string): `did:key:${string}` =>
  `did:key:z6Mk${Array.from({ length: 44 }, (_, index) => alphabet[(digest(`${name}${Math.floor(index / 16)}`)[index % 16] ?? 0) % 58]).join('')}`
export const idOf = <P extends 'agt' | 'gol' | 'rom'>(prefix: P, name: string) =>
  prefixedId(prefix, uuidv7(1_700_000_000_000, digest(name)))
export const walletOf = (name: string) => `0x${digest(name).toString('hex').slice(0, 40)}`

export function listing(handle: string, skills: ListingDraft['skills'], more: Partial<Listing> = {}): Listing {
  return {
    handle,
    name: handle,
    summary: handle,
    readme: '',
    skills,
    payout: walletOf(handle),
    policy: { data_use: '', max_concurrency: 4 },
    agent_id: idOf('agt', handle),
    did: didOf(handle),
    owner_id: 'did:pkh:eip155:31337:0x0000000000000000000000000000000000000001',
    presence: 'online',
    last_seen_at: null,
    published_at: '2026-01-01T00:00:00Z',
    revised_at: '2026-01-01T00:00:00Z',
    withdrawn_at: null,
    version: 1,
    score: { n: 0, mean: null, score: 70, paid_steps: 0, payers: 0, failed_steps: 0 },
    ...more,
  } as Listing
}

export const builtinListing = (name: BuiltinName, more: Partial<Listing> = {}): Listing => {
  const draft = listingDraftOf(name, walletOf(name))
  return listing(draft.handle, draft.skills, { name: draft.name, summary: draft.summary, ...more })
}
/** Those who make reports on figures: recorded talks name offers by their place among these. */
export const reportMarket = (): Listing[] =>
  (['principal', 'data', 'analyst', 'plotter', 'writer', 'reviewer'] as const).map((name) => builtinListing(name))
export const builtinMarket = (): Listing[] => builtinNames.map((name) => builtinListing(name))

/** A skill from types to types. */
export function skill(
  id: string,
  inputs: string[],
  outputs: string[],
  price: number | bigint,
  more: Partial<ListingDraft['skills'][number]> = {},
): ListingDraft['skills'][number] {
  const port = (type: string, index: number) => ({ name: `p${index}`, type, description: '', optional: false })
  return {
    id,
    name: id,
    description: '',
    inputs: inputs.map(port),
    outputs: outputs.map(port),
    price: String(price),
    tags: [],
    samples: [],
    ...more,
  }
}

export const guideText =
  'I want to know the annual revenue of Microsoft from 2014 to 2020. Please generate a figure in text format, and a trend analysis report'

export function goalOffer(more: Partial<GoalOffer> = {}): GoalOffer {
  return {
    goal_id: idOf('gol', 'goal'),
    room_id: idOf('rom', 'room'),
    client_id: 'did:pkh:eip155:31337:0x0000000000000000000000000000000000000002',
    text: guideText,
    criteria: [{ text: 'Covers every year from 2014 to 2020' }],
    deadline: '2026-01-02T00:00:00.000Z',
    asset: 'eip155:31337/erc20:0x0000000000000000000000000000000000000003',
    total: '10000000',
    payable: '9756097',
    fee_bps: 250,
    evaluator_id: '0x0000000000000000000000000000000000000004',
    on_silence: 'pay',
    revision_rounds: 2,
    visibility: 'public',
    planner: 'deterministic',
    attachments: [],
    ...more,
  }
}

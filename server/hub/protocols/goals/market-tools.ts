/** The operations of the market for foreign agents, in any protocol. Every change goes through a command, with the caller's identity. */
import {
  AgentId,
  DiscoverQuery,
  EnvelopeId,
  formatQuoteLines,
  GoalBrief,
  GoalId,
  type Listing,
  PostGoal,
  RequestQuote,
  type SignedQuote,
} from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand } from '../../../commands/index.ts'
import type { Context } from '../../../context.ts'
import { readMessages } from '../../../conversations/index.ts'
import { formatMarketMoney } from '../../../format-market-money.ts'
import { getGoal, issueQuote } from '../../../goals/index.ts'
import { admitRate } from '../../../policy/index.ts'
import { type Discovered, discoverListings, getListing } from '../../../registry/index.ts'
import { readGoalStatus } from './goal-status.ts'

export type MarketTool<Input extends z.ZodType = z.ZodType> = {
  readonly title: string
  readonly description: string
  readonly input: Input
  /** It changes nothing. */
  readonly isReading: boolean
  run(ctx: Context, input: z.output<Input>, source: string): Promise<unknown>
  /** For an answer that must stay as it is signed: its lines for people, with amounts. */
  linesOf?(ctx: Context, answer: unknown): string[]
}

const tool = <Input extends z.ZodType>(one: MarketTool<Input>): MarketTool => one as unknown as MarketTool

const Quote = z.strictObject(RequestQuote.shape)
const Post = z.strictObject({
  ...GoalBrief.shape,
  criteria: z.array(z.string().min(1).max(400)).min(1).max(20).describe('What a reviewer can check, one sentence each.'),
  attachments: PostGoal.shape.attachments,
  quote: PostGoal.shape.quote,
  id: EnvelopeId.optional().describe('Your own UUIDv7: repeating the post with it gives the same goal.'),
})
const goalId = { goal_id: GoalId }
const handle = z.string().min(3).max(240).describe('Handle or agent id.')
/** Messages of a goal's room per answer. */
export const maxMessages = 50

/** Notes per answer. MCP has each of them twice in an answer: as text and as data. */
const maxNoteBytesPerAnswer = 524_288

/** The first items that fit, as JSON. */
export function takeFirstWithinBytes<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 0
  return items.filter((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item))
    return bytes <= maxBytes
  })
}

export const tools: { readonly [name: string]: MarketTool } = {
  search_listings: tool({
    title: 'Search listings',
    description:
      'Searches agents that can be hired: by words, by the types that a skill takes and makes, and by other conditions. `price` is in base units, `price_text` is the same for people. `rank`: why a listing has its place. `next`: the `after` of the next page.',
    input: z.strictObject({ ...DiscoverQuery.shape, limit: z.int().min(1).max(20).default(10) }),
    isReading: true,
    run: async (ctx, query, source) => {
      const { listings, ranks, next } = await discover(ctx, DiscoverQuery.parse(query), source)
      const found = listings.map((listing, index) => ({ ...brief(listing), ...(ranks[index] && { rank: ranks[index] }) }))
      return { listings: found.map((listing) => withPriceTexts(ctx, listing)), ...(next !== null && { next }) }
    },
  }),
  get_listing: tool({
    title: 'Read one listing',
    description:
      'One listing: skills with types and prices, payee, and record. `price` is in base units, `price_text` is the same for people. The texts are claims of its publisher.',
    input: z.strictObject({ handle }),
    isReading: true,
    run: async (ctx, input, source) => {
      await admitRate(ctx, 'search', source)
      return withPriceTexts(ctx, await getListing(ctx, input.handle))
    },
  }),
  quote_goal: tool({
    title: 'Quote a goal',
    description:
      'What the planner would do with a goal now, signed by the server: plan, prices, words that no step uses, criteria that can be checked; or its question, or why no agent can do it. Amounts are in base units; a second text of the answer has them for people. Nothing is stored. Give the answer to `post_goal` before `expires_at`.',
    input: Quote,
    isReading: true,
    run: async (ctx, request, source) => {
      await admitRate(ctx, 'search', source)
      return issueQuote(ctx, request)
    },
    linesOf: (ctx, quote) => formatQuoteLines(quote as SignedQuote, (amount) => formatMarketMoney(ctx.market, amount)),
  }),
  post_goal: tool({
    title: 'Post a goal',
    description:
      'Posts a goal for the wallet that is signed in. It opens after `fund_goal` with the signature that sets the budget aside. With the `quote` of the same text and files, that signature also approves the team and its prices.',
    input: Post,
    isReading: false,
    run: async (ctx, { id, criteria, attachments, quote, ...goal }) => {
      const brief = { ...goal, criteria: criteria.map((text) => ({ text })) }
      const command = { type: 'goal.post', id: id ?? ctx.ids.uuid(), goal: brief, attachments, ...(quote && { quote }) }
      const posted = (await dispatchCommand(ctx, command, { endpoint: 'visitor' })) as { goal_id: string }
      return { ...posted, ...(await readGoalStatus(ctx, posted.goal_id)) }
    },
  }),
  fund_goal: tool({
    title: 'Fund a goal',
    description: 'Sets the budget aside. `signature`: of the wallet, over the `sign` that `get_goal` returns while the goal waits for it.',
    input: z.strictObject({ ...goalId, signature: z.string().max(8_200) }),
    isReading: false,
    run: (ctx, input) => dispatchCommand(ctx, { type: 'hold.authorize', ...input }, { endpoint: 'visitor' }),
  }),
  approve_team: tool({
    title: 'Approve a team',
    description:
      'Approves the team, its payees and amounts. `signature`: of the wallet or the goal’s `authorizer`, over the `approve` that `get_goal` returns. Without it the team is paid only after its veto window (`payable_from`), if the goal has one.',
    input: z.strictObject({ ...goalId, version: z.int().min(1).max(65_535), signature: z.string().max(8_200) }),
    isReading: false,
    run: (ctx, input) => dispatchCommand(ctx, { type: 'team.authorize', ...input }, { endpoint: 'visitor' }),
  }),
  veto_team: tool({
    title: 'Veto a team',
    description: 'Voids a proposed team before `payable_from`. `signature`: over the `veto` of `approve`.',
    input: z.strictObject({ ...goalId, version: z.int().min(1).max(65_535), signature: z.string().max(8_200) }),
    isReading: false,
    run: (ctx, input) => dispatchCommand(ctx, { type: 'team.veto', ...input }, { endpoint: 'visitor' }),
  }),
  get_goal: tool({
    title: 'Read a goal',
    description:
      'The state of a goal, and the messages of its room after a message number. If the goal waits for its funding (`sign`) or for the client’s approval of its team (`approve`): the data to sign.',
    input: z.strictObject({ ...goalId, after: z.int().min(0).default(0) }),
    isReading: true,
    run: async (ctx, { goal_id, after }, source) => {
      await admitRate(ctx, 'read', source)
      const stands = await readGoalStatus(ctx, goal_id)
      const messages = await readMessages(ctx, { roomId: stands.goal.room_id, after, limit: maxMessages })
      return { ...stands, messages }
    },
  }),
  post_message: tool({
    title: 'Post a message',
    description: 'Posts in the room of a goal, as its client or as an agent of its team: an answer to a question, or a remark.',
    input: z.strictObject({
      ...goalId,
      text: z.string().min(1).max(8_000),
      key: z.string().min(1).max(200).optional().describe('Your idempotency key: a repetition with the same text posts nothing.'),
    }),
    isReading: false,
    run: async (ctx, { goal_id, text, key }) => {
      const { roomId } = await getGoal(ctx, goal_id)
      const command = { type: 'message.post', room_id: roomId, parts: [{ text }], ...(key !== undefined && { key }) }
      return dispatchCommand(ctx, command, { endpoint: 'visitor' })
    },
  }),
  accept_goal: tool({
    title: 'Accept the work',
    description: 'The client accepts all completed work of a goal. It is then paid.',
    input: z.strictObject(goalId),
    isReading: false,
    run: (ctx, input) => dispatchCommand(ctx, { type: 'task.accept', ...input }, { endpoint: 'visitor' }),
  }),
  read_memory: tool({
    title: 'Read notes',
    description:
      'The notes of agents about the wallet that is signed in; for an agent, its own notes. The newest ones, up to 512 KiB. `more`: there are older ones.',
    input: z.strictObject({}),
    isReading: true,
    run: async (ctx) => {
      const { notes } = (await dispatchCommand(ctx, { type: 'memory.read' }, { endpoint: 'visitor' })) as { notes: readonly unknown[] }
      const newest = takeFirstWithinBytes(notes, maxNoteBytesPerAnswer)
      return { notes: newest, more: newest.length < notes.length }
    },
  }),
  erase_memory: tool({
    title: 'Erase notes',
    description:
      'Erases permanently the notes of one agent, or of all agents, about the wallet that is signed in; for an agent, its own notes.',
    input: z.strictObject({ agent_id: AgentId.optional(), key: z.string().max(120).optional() }),
    isReading: false,
    run: (ctx, input) => dispatchCommand(ctx, { type: 'memory.erase', ...input }, { endpoint: 'visitor' }),
  }),
  cancel_goal: tool({
    title: 'Stop a goal',
    description: 'The client stops the goal. Completed steps are paid, and the rest is refunded.',
    input: z.strictObject({ ...goalId, reason: z.string().min(1).max(1_000).optional() }),
    isReading: false,
    run: (ctx, input) => dispatchCommand(ctx, { type: 'goal.cancel', ...input }, { endpoint: 'visitor' }),
  }),
}

/** JSON with bigint amounts as strings. */
export const stringifyJson = (value: unknown): string => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? one.toString() : one))

/** Agents search by command, under the rules for agents. Anonymous callers are limited per source. */
async function discover(ctx: Context, query: DiscoverQuery, source: string): Promise<Discovered> {
  if (ctx.actor.kind === 'agent')
    return (await dispatchCommand(ctx, { type: 'listing.discover', query }, { endpoint: 'visitor' })) as Discovered
  await admitRate(ctx, 'search', source)
  return discoverListings(ctx, query)
}

/** The fields of a search result. */
function brief({ handle: name, agent_id, did, summary, presence, score, skills, proxy }: Listing) {
  return {
    ...{ handle: name, agent_id, did, summary, presence, score: score.score, judgements: score.n },
    ...(proxy && { proxy_of: proxy.resource, tested_by: proxy.gateway.handle }),
    skills: skills.map(({ id, description, inputs, outputs, price }) => ({
      ...{ id, description, price },
      inputs: inputs.map((port) => ({ name: port.name, type: port.type, optional: port.optional })),
      outputs: outputs.map((port) => ({ name: port.name, type: port.type })),
    })),
  }
}

/** The listing with each price for people, too. */
function withPriceTexts<T extends { readonly skills: readonly { readonly price: string }[] }>({ market }: Context, listing: T) {
  return { ...listing, skills: listing.skills.map((skill) => ({ ...skill, price_text: formatMarketMoney(market, skill.price) })) }
}

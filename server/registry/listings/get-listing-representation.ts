import type { Listing, Skill, SkillPort } from '@parley/protocol'
import type { Context, Market } from '../../context.ts'
import { formatMarketMoney } from '../../format-market-money.ts'
import { getListing } from './get-listing.ts'
import { listingUrl } from './listing.ts'

/**
 * A listing for programs, as JSON or Markdown.
 * @throws listing.not_found
 */
export async function getListingRepresentation(ctx: Context, idOrHandle: string, format: 'json' | 'markdown'): Promise<string> {
  const listing = await getListing(ctx, idOrHandle)
  return format === 'json' ? `${JSON.stringify(listing, null, 2)}\n` : toMarkdown(listing, ctx.market)
}

/** Escapes the publisher's text, so that it can neither end the line nor begin markup. */
function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#]/g, (mark) => `\\${mark}`)
}

function toMarkdown(listing: Listing, market: Market): string {
  const { score } = listing
  const lines = [
    `# ${inline(listing.name)}`,
    '',
    `> ${inline(listing.summary)}`,
    '',
    `- handle: ${listing.handle}`,
    `- page: ${listingUrl(market, listing.handle)}`,
    `- agent_id: ${listing.agent_id}`,
    `- did: ${listing.did}`,
    `- owner: ${listing.owner_id}`,
    ...(listing.home ? homeLines(listing.home) : []),
    ...(listing.proxy ? proxyLines(listing.proxy) : []),
    `- state: ${listing.withdrawn_at === null ? listing.presence : 'withdrawn'}`,
    `- last seen: ${listing.last_seen_at ?? 'never'}`,
    `- score: ${score.score.toFixed(1)} of 100, from ${score.n} judgements of paid steps`,
    `- record: ${score.paid_steps} paid steps for ${score.payers} payers, ${score.failed_steps} failed`,
    `- paid to: ${listing.payout}`,
    ...(listing.royalties ?? []).map(({ handle, bps, payee }) => `- builds on: ${handle}, with ${bps / 100} % of its pay to ${payee}`),
    `- version: ${listing.version}, of ${listing.revised_at}`,
    '',
    '## Skills',
    ...listing.skills.flatMap((skill) => skillLines(skill, market)),
  ]
  const facts = policyLines(listing.policy)
  if (facts.length > 0) lines.push('', '## Terms', '', ...facts)
  if (listing.policy.data_use) lines.push('', '## Data use', '', `> ${inline(listing.policy.data_use)}`)
  // Comes last, so that no text of the publisher can look like a line above.
  if (listing.readme) lines.push('', "## Readme (the publisher's own words)", '', listing.readme)
  return `${lines.join('\n')}\n`
}

function policyLines({ languages, regions, terms, protocols }: Listing['policy']): string[] {
  const facts = { languages, 'data is processed in': regions, promises: terms, 'also speaks': protocols }
  return Object.entries(facts).flatMap(([label, values = []]) => (values.length > 0 ? [`- ${label}: ${values.join(', ')}`] : []))
}

function homeLines(home: NonNullable<Listing['home']>): string[] {
  const { score } = home
  return [
    `- listed at: ${home.origin}, as ${home.handle}, stated on ${home.issued_at}`,
    `- claimed by its home: a score of ${score.score.toFixed(1)} of 100 from ${score.n} judgements; no part of the score below`,
  ]
}

function proxyLines({ resource, kind, operator, gateway, state, admitted_until }: NonNullable<Listing['proxy']>): string[] {
  return [
    `- proxy of: the ${kind} ${resource}, run by ${operator}`,
    `- tested by: ${gateway.handle} (${gateway.did}), where it is ${state}${admitted_until === null ? '' : `, until ${admitted_until}`}`,
  ]
}

function skillLines(skill: Skill, market: Market): string[] {
  const ports = (list: readonly SkillPort[]) => list.map((port) => `${port.name}${port.optional ? '?' : ''}: ${port.type}`).join(', ')
  return [
    '',
    `### ${skill.id}`,
    '',
    `> ${inline(skill.name)}. ${inline(skill.description)}`,
    '',
    `- takes: ${ports(skill.inputs) || 'nothing'}`,
    `- gives: ${ports(skill.outputs)}`,
    `- price: ${formatMarketMoney(market, skill.price)} per task`,
    ...(skill.tags.length > 0 ? [`- tags: ${skill.tags.map(inline).join(', ')}`] : []),
  ]
}

/**
 * Rules: the word of an installation's operators on what may be admitted, found, carried out and said. One decision for all who
 * keep them, the server and gateway agents alike. @see SPEC.md#rules
 */
import { z } from 'zod'
import { Did } from './did.ts'
import { AgentId, RuleId } from './id.ts'
import { contentTags } from './tags.ts'

/**
 * Where a rule is asked. `act`: an agent sends a command at all. `admit`: a listing is published or revised, a resource comes into
 * a pool. `retrieve`: it is found. `execute`: it is given work. `say`: words go into a room. `deliver`: files come out.
 */
export const rulePoints = ['act', 'admit', 'retrieve', 'execute', 'say', 'deliver'] as const
export type RulePoint = (typeof rulePoints)[number]

export const resourceKinds = ['agent', 'tool', 'model', 'application'] as const
export type ResourceKind = (typeof resourceKinds)[number]

/** A host's name in lower case; the hosts below it are meant too. */
export const Host = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
  .max(200)
/** Where data is kept and worked on: `eu`, `us-east`, … as the operator of a resource states it. */
export const Region = z
  .string()
  .regex(/^[a-z]{2,12}(-[a-z0-9]{1,12}){0,2}$/)
  .max(40)

/** Whom and what a rule is about. All that is named must fit; nothing named is everything. */
export const RuleSubject = z.strictObject({
  agent_id: AgentId.optional(),
  did: Did.optional().describe("An agent's, a resource's or its owner's identifier."),
  kind: z.enum(resourceKinds).optional(),
  host: Host.optional().describe('Where a resource answers.'),
  skill_id: z.string().max(80).optional(),
  outside_region: Region.optional().describe('Fits what does not state to be in this region.'),
  tag: z.enum(contentTags).optional().describe('What the content gives away.'),
})
export type RuleSubject = z.infer<typeof RuleSubject>

const said = {
  effect: z
    .enum(['deny', 'ask', 'allow'])
    .describe('`ask`: held until an operator has allowed it. `allow` answers an `ask`, never a `deny`.'),
  points: z
    .array(z.enum(rulePoints))
    .min(1)
    .max(rulePoints.length)
    .refine((points) => new Set(points).size === points.length, 'a point is named twice'),
  subject: RuleSubject,
  reason: z.string().min(1).max(300).describe('Told to whom it stops: a sentence.'),
  expires_at: z.iso.datetime().optional(),
}
export const RuleDraft = z.looseObject(said)
export type RuleDraft = z.infer<typeof RuleDraft>
export const Rule = z.looseObject({ rule_id: RuleId, ...said })
export type Rule = z.infer<typeof Rule>

/** What somebody is about to do, as far as it is known at that point. `dids`: whoever it is about, and their owners. */
export type Deed = {
  readonly point: RulePoint
  readonly agent_ids?: readonly string[]
  readonly dids?: readonly string[]
  readonly kind?: ResourceKind
  readonly host?: string
  readonly skill_ids?: readonly string[]
  /** Null: it states none. Left out: of this one it is not asked. */
  readonly region?: string | null
  readonly tags?: readonly string[]
}

export type Decision = { readonly effect: 'allow'; readonly rule: Rule | null } | { readonly effect: 'deny' | 'ask'; readonly rule: Rule }

/** A deny goes before all; an allow answers an ask; where no rule fits it is allowed. Among equals the first one counts. */
export function decide(rules: readonly Rule[], deed: Deed, now: number): Decision {
  let ask: Rule | null = null
  let allow: Rule | null = null
  for (const rule of rules) {
    if (!rule.points.includes(deed.point) || !isInForce(rule, now) || !fits(rule.subject, deed)) continue
    if (rule.effect === 'deny') return { effect: 'deny', rule }
    if (rule.effect === 'ask') ask ??= rule
    else allow ??= rule
  }
  if (ask && !allow) return { effect: 'ask', rule: ask }
  return { effect: 'allow', rule: allow }
}

export function isInForce(rule: Rule, now: number): boolean {
  return rule.expires_at === undefined || Date.parse(rule.expires_at) > now
}

/** Whether any of the rules looks at what is said: who has none of these need not look for tags. */
export function looksAtContent(rules: readonly Rule[], point: RulePoint): boolean {
  return rules.some((rule) => rule.subject.tag !== undefined && rule.points.includes(point))
}

function fits(subject: RuleSubject, deed: Deed): boolean {
  const { agent_id, did, kind, host, skill_id, outside_region, tag } = subject
  if (agent_id !== undefined && !deed.agent_ids?.includes(agent_id)) return false
  if (did !== undefined && !deed.dids?.includes(did)) return false
  if (kind !== undefined && deed.kind !== kind) return false
  if (host !== undefined && !(deed.host === host || deed.host?.endsWith(`.${host}`))) return false
  if (skill_id !== undefined && !deed.skill_ids?.includes(skill_id)) return false
  if (outside_region !== undefined && (deed.region === undefined || isWithinRegion(deed.region, outside_region))) return false
  return tag === undefined || Boolean(deed.tags?.includes(tag))
}

/** `eu-west` lies in `eu`. */
function isWithinRegion(region: string | null, wanted: string): boolean {
  return region === wanted || Boolean(region?.startsWith(`${wanted}-`))
}

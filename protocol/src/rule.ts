/**
 * Rules: operators' decisions on what may be admitted, found, executed and posted. The server and gateway agents evaluate them in the
 * same way. @see SPEC.md#rules
 */
import { z } from 'zod'
import { contentTags } from './content-tags.ts'
import { Did } from './did.ts'
import { AgentId, RuleId } from './id.ts'

/**
 * When a rule is evaluated. `act`: an agent sends any command. `admit`: a listing is published or revised, or a resource enters a pool.
 * `retrieve`: a resource is found. `execute`: it gets work. `post`: a message is posted. `deliver`: files are delivered.
 */
export const rulePoints = ['act', 'admit', 'retrieve', 'execute', 'post', 'deliver'] as const
export type RulePoint = (typeof rulePoints)[number]

/** The kinds of resources in a pool. */
export const resourceKinds = ['agent', 'tool', 'model', 'application'] as const
export type ResourceKind = (typeof resourceKinds)[number]

/** A host name in lower case. It also matches its subdomains. */
export const Host = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
  .max(200)
/** Where data is stored and processed: `eu`, `us-east`, … as the operator of a resource states it. */
export const Region = z
  .string()
  .regex(/^[a-z]{2,12}(-[a-z0-9]{1,12}){0,2}$/)
  .max(40)

/** The target of a rule. All given fields must match. Without fields it matches everything. */
export const RuleSubject = z.strictObject({
  agent_id: AgentId.optional(),
  did: Did.optional().describe('The identifier of an agent, a resource or its owner.'),
  kind: z.enum(resourceKinds).optional(),
  host: Host.optional().describe('The host of a resource.'),
  skill_id: z.string().max(80).optional(),
  outside_region: Region.optional().describe('Matches everything that does not state this region.'),
  tag: z.enum(contentTags).optional().describe('A class of content.'),
})
export type RuleSubject = z.infer<typeof RuleSubject>

const fields = {
  effect: z.enum(['deny', 'ask', 'allow']).describe('`ask`: held until an operator allows it. `allow` overrides an `ask`, never a `deny`.'),
  points: z
    .array(z.enum(rulePoints))
    .min(1)
    .max(rulePoints.length)
    .refine((points) => new Set(points).size === points.length, 'a point is named twice'),
  subject: RuleSubject,
  reason: z.string().min(1).max(300).describe('Shown to the sender of a stopped request, as a sentence.'),
  expires_at: z.iso.datetime().optional(),
}
/** A rule as an operator writes it, without an id. `expires_at`: RFC 3339, UTC; omitted: until it is lifted. */
export const RuleDraft = z.looseObject(fields)
export type RuleDraft = z.infer<typeof RuleDraft>
/** A rule with its id, as it is in force. */
export const Rule = z.looseObject({ rule_id: RuleId, ...fields })
export type Rule = z.infer<typeof Rule>

/** A request under evaluation, with the facts known at that point. `dids`: the agents and resources that it is about, and their owners. */
export type PolicyRequest = {
  readonly point: RulePoint
  readonly agent_ids?: readonly string[]
  readonly dids?: readonly string[]
  readonly kind?: ResourceKind
  readonly host?: string
  readonly skill_ids?: readonly string[]
  /** Null: it states none. Omitted: the region is not evaluated. */
  readonly region?: string | null
  readonly tags?: readonly string[]
}

/** The result of the rules. `rule`: the one that decided; null if none matched. */
export type Decision = { readonly effect: 'allow'; readonly rule: Rule | null } | { readonly effect: 'deny' | 'ask'; readonly rule: Rule }

/** Deny overrides allow, and allow overrides ask. Without a matching rule the request is allowed. Among equals the first rule counts. */
export function evaluateRules(rules: readonly Rule[], request: PolicyRequest, now: number): Decision {
  let ask: Rule | null = null
  let allow: Rule | null = null
  for (const rule of rules) {
    if (!rule.points.includes(request.point) || !isInForce(rule, now) || !fits(rule.subject, request)) continue
    if (rule.effect === 'deny') return { effect: 'deny', rule }
    if (rule.effect === 'ask') ask ??= rule
    else allow ??= rule
  }
  if (ask && !allow) return { effect: 'ask', rule: ask }
  return { effect: 'allow', rule: allow }
}

/** Whether a rule has not expired. `now`: Unix milliseconds. */
export function isInForce(rule: Rule, now: number): boolean {
  return rule.expires_at === undefined || Date.parse(rule.expires_at) > now
}

/** Whether any rule uses content tags. If none does, callers can skip the tag search. */
export function hasContentTagRule(rules: readonly Rule[], point: RulePoint): boolean {
  return rules.some((rule) => rule.subject.tag !== undefined && rule.points.includes(point))
}

function fits(subject: RuleSubject, request: PolicyRequest): boolean {
  const { agent_id, did, kind, host, skill_id, outside_region, tag } = subject
  if (agent_id !== undefined && !request.agent_ids?.includes(agent_id)) return false
  if (did !== undefined && !request.dids?.includes(did)) return false
  if (kind !== undefined && request.kind !== kind) return false
  if (host !== undefined && !(request.host === host || request.host?.endsWith(`.${host}`))) return false
  if (skill_id !== undefined && !request.skill_ids?.includes(skill_id)) return false
  if (outside_region !== undefined && (request.region === undefined || isWithinRegion(request.region, outside_region))) return false
  return tag === undefined || Boolean(request.tags?.includes(tag))
}

/** `eu-west` is in `eu`. */
function isWithinRegion(region: string | null, wanted: string): boolean {
  return region === wanted || Boolean(region?.startsWith(`${wanted}-`))
}

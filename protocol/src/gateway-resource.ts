/**
 * Resources of a gateway agent. The operator of a resource signs its card. The gateway signs an admission after its tests, and a referral
 * to another gateway. Each expires. @see SPEC.md#resources
 */
import { z } from 'zod'
import { canonicalBytes, canonicalize, isWithin, type Json } from './canonical.ts'
import { Did, KeyDid } from './did.ts'
import { Region, resourceKinds } from './rule.ts'
import { Base64Url, type Signer, verifyBytes } from './signature.ts'
import { ArtifactType, Skill } from './skill.ts'

/** The maximum canonical bytes of one card, including its signature. */
export const maxCardBytes = 65_536
/** The maximum lifetime of an admission or a referral, milliseconds. */
export const maxAdmissionLifeMs = 86_400_000
const maxClockSkewMs = 300_000

/** The address of a resource: `http` or `https`, at most 400 characters. */
export const Endpoint = z
  .string()
  .max(400)
  .regex(/^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/, 'an address without user, query and fragment')
/** `mcp`: tools over streamable HTTP. `a2a`: JSON-RPC `message/send`. `openai`: chat completions. `json`: one POST per skill. */
export const resourceProtocols = ['mcp', 'a2a', 'openai', 'json'] as const
export type ResourceProtocol = (typeof resourceProtocols)[number]
const Topic = z
  .string()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
  .max(40)

const described = {
  resource: KeyDid.describe("The resource's key, which signed the card and proves its address."),
  kind: z.enum(resourceKinds),
  name: z.string().min(1).max(80),
  summary: z.string().min(1).max(200),
  version: z.string().min(1).max(40),
  operator: Did.describe('The operator of the resource.'),
  skills: z
    .array(Skill)
    .min(1)
    .max(16)
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'a skill is listed twice'),
  topics: z.array(Topic).max(12).default([]),
  region: Region.optional().describe('Where the resource stores and processes data, as its operator states it.'),
}
const cardFields = {
  v: z.literal(1),
  ...described,
  endpoint: Endpoint,
  protocol: z.enum(resourceProtocols),
  skill_names: z
    .record(z.string(), z.string().min(1).max(100))
    .default({})
    .describe('The names of its skills at the resource, such as tools or models, if they differ from the ids.'),
  issued_at: z.iso.datetime(),
}
/** A resource's description of itself, signed by its own key. `issued_at`: RFC 3339, UTC. */
export const ResourceCard = z.looseObject({ ...cardFields, sig: Base64Url.length(86) })
export type ResourceCard = z.infer<typeof ResourceCard>
/** A card before it is signed. The signer sets `resource`. */
export type CardDraft = Omit<z.input<z.ZodObject<typeof cardFields>>, 'resource'>

const admissionFields = {
  v: z.literal(1),
  ...described,
  fingerprint: Base64Url.length(43).describe("Of the card and of the resource's own description at the time of the test."),
  tested_at: z.iso.datetime(),
  checks: z.int().positive().describe('The number of passed checks.'),
  issued_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
}
/** A gateway's statement that it has tested a resource. It has no address: a client gets that for a ticket. */
export const Admission = z.looseObject({ ...admissionFields, gateway: KeyDid, sig: Base64Url.length(86) })
export type Admission = z.infer<typeof Admission>
/** An admission before the gateway agent signs it. */
export type AdmissionDraft = z.infer<z.ZodObject<typeof admissionFields>>

const referralFields = {
  v: z.literal(1),
  to: KeyDid.describe('The gateway that admitted the resource.'),
  at: Endpoint.describe('The address of that gateway.'),
  admission: z.record(z.string(), z.json()).describe('The admission, as that gateway signed it.'),
  issued_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
}
/** A gateway agent's signed statement that another one admitted a resource. It expires at `expires_at`. */
export const Referral = z.looseObject({ ...referralFields, gateway: KeyDid, sig: Base64Url.length(86) })
export type Referral = z.infer<typeof Referral>
/** A referral before the gateway agent signs it. */
export type ReferralDraft = z.infer<z.ZodObject<typeof referralFields>>

/** A query of a pool. All conditions must match. */
export const ResourceQuery = z.looseObject({
  text: z.string().max(400).optional(),
  kind: z.enum(resourceKinds).optional(),
  skill_id: z.string().max(80).optional(),
  output_type: ArtifactType.optional(),
  input_types: z.array(ArtifactType).max(32).optional().describe('Only skills whose required inputs are all in this list.'),
  topic: Topic.optional(),
  region: Region.optional(),
  max_price: z
    .string()
    .regex(/^\d{1,78}$/)
    .optional()
    .describe('In base units: with 6 decimals, "100000" is 0.10.'),
  limit: z.int().min(1).max(50).default(10),
})
export type ResourceQuery = z.infer<typeof ResourceQuery>

type Signed = { readonly [field: string]: Json }
const purposes = { card: 'parley-resource-v1', admission: 'parley-admission-v1', referral: 'parley-referral-v1' } as const

function bytesOf(what: keyof typeof purposes, value: Signed): Uint8Array<ArrayBuffer> {
  const { sig: _, ...unsigned } = value
  return canonicalBytes({ purpose: purposes[what], [what]: unsigned })
}

async function signed<T>(signer: Signer, what: keyof typeof purposes, value: object): Promise<T> {
  return { ...value, sig: await signer.sign(bytesOf(what, value as Signed)) } as T
}

/**
 * Fills in the defaults of a card and signs it with the key of the resource.
 * @throws {ZodError} if the draft is not a valid card
 */
export const signCard = (signer: Signer, draft: CardDraft): Promise<ResourceCard> =>
  signed(signer, 'card', cardBody({ ...draft, resource: signer.did }))
/** Signs an admission with the key of the gateway agent. */
export const signAdmission = (gateway: Signer, draft: AdmissionDraft): Promise<Admission> =>
  signed(gateway, 'admission', { ...draft, gateway: gateway.did })
/** Signs a referral with the key of the gateway agent. */
export const signReferral = (gateway: Signer, draft: ReferralDraft): Promise<Referral> =>
  signed(gateway, 'referral', { ...draft, gateway: gateway.did })

/** Defaults are filled in before signing. */
function cardBody(card: object): object {
  return z.looseObject(cardFields).parse(card)
}

/** The name of a skill at the resource. */
export function nameOfSkill(card: ResourceCard, skillId: string): string {
  return Object.hasOwn(card.skill_names, skillId) ? (card.skill_names[skillId] ?? skillId) : skillId
}

/** What the resource's key signs at its address, so that only its owner can register the address. */
export function controlBytes(input: { gateway: string; resource: string; nonce: string }): Uint8Array<ArrayBuffer> {
  return canonicalBytes({ purpose: 'parley-control-v1', ...input } satisfies Json)
}
/** The path of the proof of control, on the origin of the resource's address, with `resource`, `gateway` and `nonce` as query. */
export const controlPath = '/.well-known/parley-resource'

/** What the sender of a query signs: the canonical query, its DID, the gateway and the time. */
export function gatewayRequestBytes(input: { gateway: string; by: string; at: string; params: Json }): Uint8Array<ArrayBuffer> {
  return canonicalBytes({ purpose: 'parley-gateway-request-v1', ...input })
}

/** The outcome of reading a signed record: its value, or the reason why it is rejected, as a sentence. */
export type Read<T> = { readonly value: T; readonly fault: null } | { readonly fault: string }

/** Reads a received card and checks its shape, size, signature and time. `now`: Unix milliseconds. */
export async function readCard(received: unknown, now: number): Promise<Read<ResourceCard>> {
  if (!isObject(received) || !isWithin(received)) return { fault: 'It is not a card, or it is nested too deep.' }
  const size = new TextEncoder().encode(canonicalize(received)).length
  if (size > maxCardBytes) return { fault: `It has ${size} bytes. The maximum is ${maxCardBytes}.` }
  const parsed = ResourceCard.safeParse(received)
  if (!parsed.success) return { fault: issueOf(parsed.error) }
  if (Date.parse(parsed.data.issued_at) > now + maxClockSkewMs)
    return { fault: `Its time of issue is in the future: ${parsed.data.issued_at}.` }
  if (!(await verifyBytes(parsed.data.resource, bytesOf('card', received), parsed.data.sig)))
    return { fault: "The card is not signed by the resource's key." }
  return { value: parsed.data, fault: null }
}

/** Reads an admission signed by `gateway`. Rejects an expired one. */
export async function readAdmission(received: unknown, gateway: string, now: number): Promise<Read<Admission>> {
  const parsed = Admission.safeParse(received)
  return parsed.success
    ? vouchedFor({ what: 'admission', received: received as Signed, value: parsed.data }, gateway, now)
    : { fault: issueOf(parsed.error) }
}

/** Reads a referral and its admission, which must be signed by the named gateway and not expire before the referral. */
export async function readReferral(
  received: unknown,
  gateway: string,
  now: number,
): Promise<Read<{ readonly referral: Referral; readonly admission: Admission }>> {
  const parsed = Referral.safeParse(received)
  if (!parsed.success) return { fault: issueOf(parsed.error) }
  const referral = await vouchedFor({ what: 'referral', received: received as Signed, value: parsed.data }, gateway, now)
  if (referral.fault !== null) return referral
  const admission = await readAdmission(parsed.data.admission, parsed.data.to, now)
  if (admission.fault !== null) return { fault: `Its admission is invalid: ${admission.fault}` }
  if (Date.parse(parsed.data.expires_at) > Date.parse(admission.value.expires_at)) return { fault: 'It expires after its admission.' }
  return { value: { referral: parsed.data, admission: admission.value }, fault: null }
}

/** `value`: what was parsed from `received`. */
type Statement<T> = { readonly what: 'admission' | 'referral'; readonly received: Signed; readonly value: T }

async function vouchedFor<T extends Admission | Referral>(
  { what, received, value }: Statement<T>,
  gateway: string,
  now: number,
): Promise<Read<T>> {
  const issued = Date.parse(value.issued_at)
  const expires = Date.parse(value.expires_at)
  if (value.gateway !== gateway) return { fault: `It was signed by ${value.gateway}.` }
  if (issued > now + maxClockSkewMs) return { fault: `Its time of issue is in the future: ${value.issued_at}.` }
  if (expires <= now) return { fault: `It expired at ${value.expires_at}.` }
  if (expires - issued > maxAdmissionLifeMs) return { fault: 'It is valid for more than one day.' }
  if (!isWithin(received) || !(await verifyBytes(gateway, bytesOf(what, received), value.sig)))
    return { fault: 'The signature is invalid.' }
  return { value, fault: null }
}

function isObject(value: unknown): value is Signed {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function issueOf(error: z.ZodError): string {
  const [issue] = error.issues
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unreadable'}`
}

import { formatAmount, ListingDraft, parseAmount, Skill, type SkillPort } from '@parley/protocol'
import type { Translate } from '../_messages/translate-types.ts'

type Words = Translate<'publish.faults'>

/** The state of the listing form: every value is text until it is validated. */
export type PortForm = { key: string; name: string; type: string; description: string; isOptional: boolean; schema?: SkillPort['schema'] }
export type SkillForm = {
  key: string
  id: string
  name: string
  description: string
  price: string
  tags: string
  inputs: PortForm[]
  outputs: PortForm[]
  samples: Skill['samples']
}
export type ListingFormValues = {
  handle: string
  name: string
  summary: string
  readme: string
  skills: SkillForm[]
  payout: string
  dataUse: string
  maxConcurrency: string
  /** One per line: the agent's id and its percentage. */
  royalties: string
}

let keys = 0
/** React keys of list items while they are edited. */
const nextKey = () => `k${++keys}`

export const newPort = (): PortForm => ({ key: nextKey(), name: '', type: '', description: '', isOptional: false })
export const newSkill = (): SkillForm => ({
  key: nextKey(),
  id: '',
  name: '',
  description: '',
  price: '',
  tags: '',
  inputs: [newPort()],
  outputs: [newPort()],
  samples: [],
})
export function newListing(payout: string): ListingFormValues {
  return { handle: '', name: '', summary: '', readme: '', skills: [newSkill()], payout, dataUse: '', maxConcurrency: '4', royalties: '' }
}

export function listingToForm(listing: ListingDraft, decimals: number): ListingFormValues {
  const port = (one: SkillPort): PortForm => ({
    key: nextKey(),
    name: one.name,
    type: one.type,
    description: one.description,
    isOptional: one.optional,
    ...(one.schema ? { schema: one.schema } : {}),
  })
  return {
    handle: listing.handle,
    name: listing.name,
    summary: listing.summary,
    readme: listing.readme,
    skills: listing.skills.map((skill) => ({
      key: nextKey(),
      id: skill.id,
      name: skill.name,
      description: skill.description,
      price: formatAmount(BigInt(skill.price), decimals),
      tags: skill.tags.join(', '),
      inputs: skill.inputs.map(port),
      outputs: skill.outputs.map(port),
      samples: skill.samples,
    })),
    payout: listing.payout,
    dataUse: listing.policy.data_use,
    maxConcurrency: String(listing.policy.max_concurrency),
    royalties: (listing.royalties ?? []).map(({ agent_id, bps }) => `${agent_id} ${bps / 100} %`).join('\n'),
  }
}

/** Error messages by field path, such as `skills.0.price`. */
export type Faults = { readonly [path: string]: string }

/** The props of each step of the form. `faultOf`: the fault of a field that may be shown already. */
export type StepProps = {
  readonly form: ListingFormValues
  change(part: Partial<ListingFormValues>): void
  faultOf(path: string): string | undefined
  /** The reader has left this field, so its fault may be shown. */
  touch(path: string): void
  readonly isNew: boolean
  /** The agent whose listing is edited; null for a new one. */
  readonly agentId: string | null
}

/** Validates a form. `draft` is present only if there are no faults. */
export function readListingForm(form: ListingFormValues, decimals: number, t: Words): { draft: ListingDraft | null; faults: Faults } {
  const faults: { [path: string]: string } = {}
  const skills = form.skills.map((skill, index) => {
    const { baseUnits, fault } = readPrice(skill.price, decimals, t)
    if (fault !== null) faults[`skills.${index}.price`] = fault
    return skillValues(skill, baseUnits)
  })
  const parsed = ListingDraft.safeParse({
    handle: form.handle,
    name: form.name.trim(),
    summary: form.summary.trim(),
    readme: form.readme,
    skills,
    payout: form.payout.trim().toLowerCase(),
    ...(form.royalties.trim() !== '' && { royalties: readRoyalties(form.royalties) }),
    policy: { data_use: form.dataUse.trim(), max_concurrency: Number(form.maxConcurrency) },
  })
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path[0] === 'royalties' ? 'royalties' : issue.path.join('.')
    faults[path] ??= sentenceFor(issue.path.map(String), t) ?? issue.message
  }
  findRepeats(form, faults, t)
  return { draft: parsed.success && Object.keys(faults).length === 0 ? parsed.data : null, faults }
}

/** One skill of a form; null while it is incomplete. */
export function readSkill(form: SkillForm, decimals: number): Skill | null {
  try {
    return Skill.safeParse(skillValues(form, parseAmount(form.price, decimals).toString())).data ?? null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The values of a skill as a draft holds them. `price`: base units. */
function skillValues({ key: _, tags, inputs, outputs, ...rest }: SkillForm, price: string) {
  return {
    ...rest,
    price,
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
    inputs: inputs.map(readPort),
    outputs: outputs.map(readPort),
  }
}

function readPort({ key: _, isOptional, ...port }: PortForm) {
  return { ...port, optional: isOptional }
}

/** One `agt_… 2.5 %` per line. The validation of the draft rejects unreadable values. */
function readRoyalties(text: string): { agent_id: string; bps: number }[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [agent_id = '', share = ''] = line.trim().split(/\s+/)
      return { agent_id, bps: Math.round(Number(share.replace(',', '.').replace('%', '')) * 10_000) / 100 }
    })
}

/** `fault`: the reason why it is not an amount. */
function readPrice(text: string, decimals: number, t: Words): { baseUnits: string; fault: string | null } {
  try {
    return { baseUnits: parseAmount(text, decimals).toString(), fault: null }
  } catch (error) {
    return { baseUnits: '0', fault: text.trim() === '' ? t('priceMissing') : (error as RangeError).message }
  }
}

function findRepeats(form: ListingFormValues, faults: { [path: string]: string }, t: Words): void {
  const seen = new Set<string>()
  for (const [index, { id }] of form.skills.entries()) {
    if (id !== '' && seen.has(id)) faults[`skills.${index}.id`] ??= t('skillIdRepeated')
    seen.add(id)
  }
}

/** Fields with specific sentences, by what they belong to; `any`: all other cases. */
const changed = [
  'listing.name',
  'skill.id',
  'skill.name',
  'skill.description',
  'port.name',
  'port.type',
  'port.description',
  'any.handle',
  'any.summary',
  'any.readme',
  'any.payout',
  'any.data_use',
  'any.max_concurrency',
  'any.skills',
  'any.outputs',
  'any.inputs',
  'any.royalties',
  'any.agent_id',
  'any.bps',
  'any.tags',
  'any.price',
] as const

function sentenceFor(path: readonly string[], t: Words): string | undefined {
  const field = path.findLast((part) => !/^\d+$/.test(part)) ?? ''
  const owner = path.includes('inputs') || path.includes('outputs') ? 'port' : path[0] === 'skills' ? 'skill' : 'listing'
  const found = changed.find((key) => key === `${owner}.${field}`) ?? changed.find((key) => key === `any.${field}`)
  return found && t(found)
}

/** The step of the form that has a field. */
export function formStepOfField(path: string): 0 | 1 | 2 {
  if (path.startsWith('skills')) return 1
  return path === 'payout' || path.startsWith('royalties') || path.startsWith('policy') ? 2 : 0
}

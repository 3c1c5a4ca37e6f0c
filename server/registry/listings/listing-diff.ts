import { canonicalize, type Json, type ListingDraft, type Skill } from '@parley/protocol'

/** A difference between two versions of a listing. Prices in base units. */
export type ListingFieldChange =
  | { readonly what: 'price'; readonly skill: string; readonly from: string; readonly to: string }
  | { readonly what: 'skill_added' | 'skill_removed' | 'inputs' | 'outputs' | 'description' | 'samples'; readonly skill: string }
  | { readonly what: 'payout'; readonly from: string; readonly to: string }
  | { readonly what: 'name' | 'summary' | 'readme' | 'policy' | 'royalties' }

const differ = (a: unknown, b: unknown) => canonicalize(a as Json) !== canonicalize(b as Json)

/** The changes from one version to the next, in the order of the new skills. Pure. */
export function diffListings(before: ListingDraft, after: ListingDraft): ListingFieldChange[] {
  const changes: ListingFieldChange[] = []
  const old = new Map(before.skills.map((skill) => [skill.id, skill]))
  for (const skill of after.skills) {
    const earlier = old.get(skill.id)
    old.delete(skill.id)
    if (earlier) changes.push(...diffSkills(earlier, skill))
    else changes.push({ what: 'skill_added', skill: skill.id })
  }
  for (const skill of old.keys()) changes.push({ what: 'skill_removed', skill })
  if (before.payout !== after.payout) changes.push({ what: 'payout', from: before.payout, to: after.payout })
  for (const what of ['name', 'summary', 'readme', 'policy', 'royalties'] as const)
    if (differ(before[what] ?? null, after[what] ?? null)) changes.push({ what })
  return changes
}

function diffSkills(before: Skill, after: Skill): ListingFieldChange[] {
  const skill = after.id
  const changes: ListingFieldChange[] = []
  if (before.price !== after.price) changes.push({ what: 'price', skill, from: before.price, to: after.price })
  for (const what of ['inputs', 'outputs', 'samples'] as const) if (differ(before[what], after[what])) changes.push({ what, skill })
  if (differ([before.name, before.description, before.tags], [after.name, after.description, after.tags]))
    changes.push({ what: 'description', skill })
  return changes
}

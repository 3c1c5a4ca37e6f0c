/** Writes synthetic listings into a database, without the checks and triggers of publishing. */
import type { Client } from '../../server/db.ts'
import type { SourceListing } from '../../server/search/index/index-record.ts'
import { listingOf } from './synthetic-listings.ts'

const chunk = 1_000

/** Writes listings `from` to `to`. */
export async function insertSyntheticListings(db: Client, from: number, to: number, asset: string): Promise<void> {
  for (let start = from; start < to; start += chunk) {
    const listings = Array.from({ length: Math.min(chunk, to - start) }, (_, index) => listingOf(start + index, asset))
    await db.$transaction(
      async (tx) => {
        const insert = (table: string, rows: readonly object[]) =>
          tx.$executeRawUnsafe(
            `insert into "${table}" select * from jsonb_populate_recordset(null::"${table}", $1::jsonb)`,
            JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? value.toString() : value)),
          )
        await tx.$executeRaw`set local session_replication_role = replica`
        await insert('listing', listings.map(listingRow))
        await insert('listing_skill', listings.flatMap(skillRows))
        await insert('presence', listings.flatMap(presenceRow))
        await insert('feedback', listings.flatMap(feedbackRows))
        await insert('step_outcome', listings.flatMap(outcomeRows))
      },
      { timeout: 120_000 },
    )
  }
  await db.$executeRawUnsafe('analyze')
}

function listingRow(one: SourceListing) {
  const at = new Date(one.publishedAt)
  const valuesOf = (kind: string) => one.attributes.flatMap((text) => (text.startsWith(`${kind}:`) ? [text.slice(kind.length + 1)] : []))
  const texts = [
    one.handle,
    one.name,
    one.summary,
    ...one.skills.flatMap((skill) => [skill.id, skill.name, ...skill.tags, skill.description]),
  ]
  return {
    ...{ agentId: one.agentId, handle: one.handle, did: `did:web:bench.example:agents:${one.handle}`, ownerId: one.ownerId },
    ...{ inboxId: `rom_${one.agentId.slice(4)}`, name: one.name, summary: one.summary, readme: '', payout: one.payout },
    policy: { data_use: '', max_concurrency: 4, languages: valuesOf('language'), regions: valuesOf('region') },
    searchText: [
      ...new Set(
        texts
          .join(' ')
          .toLowerCase()
          .match(/[\p{L}\p{N}]+/gu) ?? [],
      ),
    ].join(' '),
    ...{ publishedAt: at, revisedAt: at, textSince: at, payoutSince: at, isOwnerProved: true },
    ...{ nameSkeleton: '', version: 1, revision: 0, ownerNonce: 0 },
  }
}

function skillRows({ agentId, skills }: SourceListing) {
  const port = (type: string, index: number) => ({ name: `p${index}`, type, description: '', optional: false })
  return skills.map(({ id, name, description, price, inputTypes, outputTypes, tags }, position) => ({
    ...{ agentId, skillId: id, position, name, description, price, inputs: inputTypes.map(port), outputs: outputTypes.map(port) },
    ...{ inputTypes: [...inputTypes], outputTypes: [...outputTypes], tags: [...tags], samples: [] },
  }))
}

function presenceRow({ agentId, presence: { seenAt, hasLeft } }: SourceListing) {
  if (seenAt === null) return []
  const at = new Date(seenAt)
  return [{ agentId, connection: 'bench', connectedAt: at, seenAt: at, leftAt: hasLeft ? at : null }]
}

function feedbackRows({ agentId, publishedAt, standing: { total, judges } }: SourceListing) {
  return Array.from({ length: judges }, (_, index) => ({
    ...{ id: `fbk_${agentId.slice(4)}_${index}`, taskId: `${agentId}_${index}`, goalId: 'gol_bench', agentId, by: `did:bench:${index}` },
    ...{ value: Math.round(total / judges), text: '', amount: 1n, givenAt: new Date(publishedAt) },
  }))
}

function outcomeRows({ agentId, publishedAt, standing: { paidSteps, payers, failedSteps } }: SourceListing) {
  return Array.from({ length: paidSteps + failedSteps }, (_, index) => ({
    ...{ taskId: `${agentId}_${index}`, goalId: 'gol_bench', agentId, payerId: `payer_${index % Math.max(1, payers)}` },
    ...{ outcome: index < paidSteps ? ('paid' as const) : ('failed' as const), amount: 1n, asset: 'bench', at: new Date(publishedAt) },
  }))
}

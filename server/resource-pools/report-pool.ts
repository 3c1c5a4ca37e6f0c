import { type PoolEntry, type ReportPool, type Rule, readAdmission } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { activeRules, permit } from '../policy/index.ts'
import { getListing, nameFaults } from '../registry/index.ts'
import { requireAcceptableContent } from '../safety/index.ts'
import { admissionInvalid, poolNotGateway } from './errors.ts'

/** The skill that marks an agent's listing as a gateway. */
export const gatewaySkill = 'resources.find'
/** The maximum number of refused resources per gateway; the oldest are dropped. */
export const maxRefused = 200

/**
 * A gateway agent reports changes in its pool, and gets the active rules. An unchanged entry has no effect and no audit row. An admission
 * with an invalid signature refuses the whole report.
 * @throws pool.not_gateway, pool.admission_invalid, content.refused
 */
export async function reportPool(ctx: Context, input: ReportPool): Promise<{ rules: readonly Rule[] }> {
  await permit(ctx, 'pool.report')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw poolNotGateway('', gatewaySkill)
  const { agentId, did } = actor
  const listing = await getListing(ctx, agentId)
  if (!listing.skills.some((skill) => skill.id === gatewaySkill)) throw poolNotGateway(agentId, gatewaySkill)
  for (const entry of input.entries) {
    requireAcceptableContent(ctx, { ...entry, admission: null }, 'entries')
    await checkAdmission(ctx, entry, did)
  }
  const entries = input.entries.map(withDisplayName)
  if (entries.length > 0) await inTransaction(ctx, (tx) => storeEntries(tx, agentId, entries))
  return { rules: await activeRules(ctx) }
}

/**
 * A misleading name is replaced with the host. The report is not refused, because the name belongs to the resource, and the other entries
 * are needed.
 */
function withDisplayName(entry: PoolEntry): PoolEntry {
  return nameFaults('The name', entry.name).length === 0 ? entry : { ...entry, name: entry.host.slice(0, 80) }
}

async function checkAdmission(ctx: Context, entry: PoolEntry, gateway: string): Promise<void> {
  if (entry.state !== 'admitted' && entry.state !== 'demoted') return
  const read = await readAdmission(entry.admission, gateway, ctx.clock.now().getTime())
  if (read.fault !== null) throw admissionInvalid(entry.resource, read.fault)
  if (read.value.resource !== entry.resource) throw admissionInvalid(entry.resource, `It is about ${read.value.resource}.`)
}

async function storeEntries(tx: Context, agentId: string, entries: readonly PoolEntry[]): Promise<void> {
  await tx.db.$queryRaw`select 1 from "listing" where "agentId" = ${agentId} for update`
  const now = tx.clock.now()
  const rows = await tx.db.poolEntry.findMany({ where: { agentId, resource: { in: entries.map((entry) => entry.resource) } } })
  const before = new Map(rows.map((row) => [row.resource, row]))
  const changes: object[] = []
  for (const entry of entries) {
    const { resource, state, pool, name, reason, fingerprint } = entry
    const was = before.get(resource)
    // A refused registration does not change a resource that is already in the pool.
    if (state === 'refused' && was && was.state !== 'refused') {
      changes.push({ resource, was: was.state, state, reason })
      continue
    }
    const isChanged = was?.state !== state || was.reason !== reason || was.fingerprint !== fingerprint
    const columns = { state, pool, name, reason, fingerprint, body: entry as object, reportedAt: now, ...(isChanged && { changedAt: now }) }
    await tx.db.poolEntry.upsert({
      where: { agentId_resource: { agentId, resource } },
      create: { agentId, resource, ...columns, changedAt: now },
      update: columns,
    })
    if (isChanged) changes.push({ resource, was: was?.state ?? null, state, reason, fingerprint })
  }
  if (changes.length > 0) await appendAudit(tx, { stream: `pool:${agentId}`, action: 'pool.report', after: { changes } })
  await tx.db.$executeRaw`
    delete from "pool_entry" where "agentId" = ${agentId} and "state" = 'refused' and "resource" in (
      select "resource" from "pool_entry" where "agentId" = ${agentId} and "state" = 'refused'
      order by "changedAt" desc, "resource" offset ${maxRefused})`
}

import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import type { Ports } from '../../ports.ts'
import { hiddenAfterMs } from '../search/search-filters-and-ranking-terms.ts'

/** A type of artifacts or values that listed skills take or make. */
export type TypeInUse = {
  readonly type: string
  /** The number of agents with a skill that outputs it. */
  readonly made: number
  /** The number of agents with a skill that takes it. */
  readonly taken: number
  /** The most frequent description of its ports; empty if none has one. */
  readonly description: string
  /** The beginning of a sample; null if no skill shows one. */
  readonly example: string | null
}

/** Every listing is read for this, so that the answer is kept for a while. */
const keptMs = 30_000
const maxTypes = 500
const maxExample = 400

type Kept = { readonly at: number; readonly types: Promise<readonly TypeInUse[]> }
/** One for each composition of the server, so that two in one process do not share it. */
const cache = new WeakMap<Ports, Kept>()

/** The types in use on the market, those of most agents first. At most half a minute old. */
export function listArtifactTypesInUse(ctx: Context): Promise<readonly TypeInUse[]> {
  const now = ctx.clock.now().getTime()
  const kept = cache.get(ctx.ports)
  if (kept && kept.at <= now && now < kept.at + keptMs) return kept.types
  const types = readTypes(ctx)
  cache.set(ctx.ports, { at: now, types })
  types.catch(() => cache.delete(ctx.ports))
  return types
}

const { sql, raw } = Prisma

function readTypes(ctx: Context): Promise<TypeInUse[]> {
  const now = ctx.clock.now().getTime()
  return ctx.db.$queryRaw<TypeInUse[]>`
    with listed as (
      select l."agentId" from "listing" l left join "presence" p on p."agentId" = l."agentId"
      where l."withdrawnAt" is null
        and case when l."origin" is null then coalesce(p."seenAt", l."publishedAt") >= ${new Date(now - hiddenAfterMs)}
          else l."expiresAt" > ${new Date(now)} end
    ), port as (${portsSql('inputs', 'input')} union all ${portsSql('outputs', 'output')})
    select port.value ->> 'type' as type,
      (count(distinct port.agent) filter (where port.side = 'outputs'))::int as made,
      (count(distinct port.agent) filter (where port.side = 'inputs'))::int as taken,
      coalesce(mode() within group (order by nullif(port.value ->> 'description', '')), '') as description,
      min(left(nullif(port.sample #>> '{}', ''), ${maxExample}::int)) as example
    from port
    where port.value ->> 'type' is not null
    group by 1
    order by count(distinct port.agent) desc, 1
    limit ${maxTypes}`
}

/** One row for each port. A sample belongs to a port only if its skill has no other on that side. */
function portsSql(side: 'inputs' | 'outputs', part: 'input' | 'output'): Prisma.Sql {
  const ports = raw(`s."${side}"`)
  return sql`
    select s."agentId" as agent, ${raw(`'${side}'`)} as side, one.value,
      case when jsonb_array_length(${ports}) = 1 then s."samples" -> 0 -> ${raw(`'${part}'`)} end as sample
    from listed join "listing_skill" s on s."agentId" = listed."agentId"
      cross join lateral jsonb_array_elements(case when jsonb_typeof(${ports}) = 'array' then ${ports} else '[]' end) one
    where jsonb_typeof(${ports}) = 'array'`
}

/** Search over listings in PostgreSQL, while a process has no search index: by whole and partial words, without tolerance of errors. */
import type { DiscoverQuery } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import { wordsIn } from '../listings/listing.ts'
import { idleAfterMs, offlineAfterMs } from '../presence.ts'
import { hiddenAfterMs } from './search-filters-and-ranking-terms.ts'

const { sql, join, empty } = Prisma

const maxWords = 12
const stopWords = new Set(
  `a about all also an and any are as at be been but by can could do does for from get give has have how i if in into is it its
  just know let like make me more my need of on or our please should some that the their them then there these they this to us
  want was we what when where which who will with would you your`.split(/\s+/),
)

/** The search words of a text, without stop words. */
export function searchWords(text: string): string[] {
  const all = wordsIn(text)
  const contentWords = all.filter((word) => !stopWords.has(word) && word.length > 1)
  return (contentWords.length > 0 ? contentWords : all).slice(0, maxWords)
}

/**
 * SQL of all matches: columns "id", "price" (of the cheapest matching skill), "match" (0 to 1; 0
 * without words), "alive" (1 online, 0.5 idle, 0 offline), "never" (1 if never connected), "publishedAt".
 */
export function matchingListingsSql(ctx: Context, query: DiscoverQuery): Prisma.Sql {
  const now = ctx.clock.now().getTime()
  const words = query.text === undefined ? [] : searchWords(query.text)
  // Signs and emoji match no listing.
  const isWordless = words.length === 0 && query.text !== undefined && query.text.trim() !== ''
  const alive = sql`case when p."leftAt" is not null or p."seenAt" is null or p."seenAt" < ${new Date(now - offlineAfterMs)} then 0
    when p."seenAt" < ${new Date(now - idleAfterMs)} then 0.5 else 1 end`
  const conditions = [
    sql`l."withdrawnAt" is null`,
    ...(isWordless ? [sql`false`] : []),
    // A foreign agent is listed until its home's statement expires.
    sql`case when l."origin" is null then coalesce(p."seenAt", l."publishedAt") >= ${new Date(now - hiddenAfterMs)}
      else l."expiresAt" > ${new Date(now)} end`,
    ...(query.online ? [sql`p."leftAt" is null and p."seenAt" >= ${new Date(now - idleAfterMs)}`] : []),
    ...(words.length > 0
      ? [
          sql`(${join(
            words.map((word) => sql`l."searchText" like ${patternOf(word)}`),
            ' or ',
          )})`,
        ]
      : []),
  ]
  return sql`
    select l."agentId" as id, m.price, ${words.length > 0 ? matchScoreSql(words) : sql`0::float8`} as match, (${alive})::float8 as alive,
      (p."seenAt" is null and l."origin" is null)::int as never, l."publishedAt"
    from "listing" l
    left join "presence" p on p."agentId" = l."agentId"
    join lateral (select min(s."price") as price from "listing_skill" s where s."agentId" = l."agentId" ${skillConditions(query)}) m
      on m.price is not null
    where ${join(conditions, ' and ')}`
}

/** One skill must meet all conditions. */
function skillConditions(query: DiscoverQuery): Prisma.Sql {
  const conditions = [
    ...(query.skill_id === undefined ? [] : [sql`and s."skillId" = ${query.skill_id}`]),
    ...(query.output_type === undefined ? [] : [sql`and s."outputTypes" @> array[${query.output_type}]::text[]`]),
    ...(query.input_types === undefined ? [] : [sql`and s."inputTypes" <@ ${query.input_types}::text[]`]),
    ...(query.max_price === undefined ? [] : [sql`and s."price" <= ${BigInt(query.max_price)}`]),
  ]
  return conditions.length > 0 ? join(conditions, ' ') : empty
}

/** The share of the words that occur. It is a separate column, so that counting matches does not compute it. */
function matchScoreSql(words: readonly string[]): Prisma.Sql {
  const found = words.map((word) => sql`(l."searchText" like ${patternOf(word)})::int`)
  return sql`((${join(found, ' + ')})::float8 / ${words.length}::float8)`
}

/** Words contain no wildcards: they are letters and digits. */
function patternOf(word: string): string {
  return `%${word}%`
}

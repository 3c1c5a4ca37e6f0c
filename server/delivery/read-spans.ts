import type { Context } from '../context.ts'
import { missingOf, poisonIn } from './poison.ts'
import { readForDelivery } from './quarantine.ts'
import type { StoredMessage } from './read-log.ts'

/** Messages of a group behind `after`, up to `upTo`, which is known to be there. At most a thousand. */
export type Span = { readonly groupId: string; readonly after: number; readonly upTo: number }

/**
 * What readers are handed of many groups, in the order in which they are asked for, all by one statement. Where something is
 * wrong with one, or it lies elsewhere, that one is read by itself.
 * @throws server.unavailable where a file of old messages can't be read
 */
export async function readSpans(ctx: Context, spans: readonly Span[]): Promise<StoredMessage[][]> {
  const rows = await ctx.db.$queryRaw<(StoredMessage & { place: number })[]>`
    select s."place", m."seq", m."body", m."hash", m."bodyHash"
    from unnest(${spans.map((_, place) => place)}::int[], ${spans.map((span) => span.groupId)}::text[],
      ${spans.map((span) => span.after)}::int[], ${spans.map((span) => span.upTo)}::int[]) as s("place", "groupId", "after", "upTo")
    cross join lateral (select m."seq", m."body", m."hash", m."bodyHash" from "message" m
      where m."groupId" = s."groupId" and m."seq" > s."after" and m."seq" <= s."upTo") m
    order by s."place", m."seq"`
  const found = Map.groupBy(rows, (row) => row.place)
  return Promise.all(
    spans.map((span, place) => {
      const messages = (found.get(place) ?? []).map(({ seq, body, hash, bodyHash }) => ({ seq, body, hash, bodyHash }))
      const isWhole = missingOf(messages, span.after, span.upTo).length === 0
      const isSound = isWhole && poisonIn(messages, span.groupId).every((why) => why === null)
      return isSound ? messages : readForDelivery(ctx, { groupId: span.groupId, after: span.after, limit: span.upTo - span.after })
    }),
  )
}

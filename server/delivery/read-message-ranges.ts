import { transcriptStart } from '@parley/protocol'
import type { Context } from '../context.ts'
import { findCorruptMessages, missingSeqs } from './find-corrupt-messages.ts'
import { readMessagesForDelivery } from './read-messages-for-delivery.ts'
import type { StoredMessage } from './read-stored-messages.ts'

/** Messages of a room after `after` and up to `upTo`, which exists. At most 1,000. */
export type SeqRange = { readonly roomId: string; readonly after: number; readonly upTo: number }

/**
 * Reads ranges of many rooms in one statement, in the order of the ranges. A corrupt, missing or archived range is read separately.
 * @throws server.unavailable if an archive file cannot be read
 */
export async function readMessageRanges(ctx: Context, spans: readonly SeqRange[]): Promise<StoredMessage[][]> {
  const rows = await ctx.db.$queryRaw<(StoredMessage & { place: number; before: string | null; end: string | null })[]>`
    select s."place", m."seq", m."body", m."hash", m."bodyHash",
      case when m."seq" = s."after" + 1
        then (select b."hash" from "message" b where b."roomId" = s."roomId" and b."seq" = s."after") end as "before",
      case when m."seq" = g."head" then g."hash" end as "end"
    from unnest(${spans.map((_, place) => place)}::int[], ${spans.map((span) => span.roomId)}::text[],
      ${spans.map((span) => span.after)}::int[], ${spans.map((span) => span.upTo)}::int[]) as s("place", "roomId", "after", "upTo")
    join "room" g on g."id" = s."roomId"
    cross join lateral (select m."seq", m."body", m."hash", m."bodyHash" from "message" m
      where m."roomId" = s."roomId" and m."seq" > s."after" and m."seq" <= s."upTo") m
    order by s."place", m."seq"`
  const found = Map.groupBy(rows, (row) => row.place)
  return Promise.all(
    spans.map((span, place) => {
      const own = found.get(place) ?? []
      const messages = own.map(({ seq, body, hash, bodyHash }) => ({ seq, body, hash, bodyHash }))
      const isWhole = missingSeqs(messages, span.after, span.upTo).length === 0
      const previous = span.after === 0 ? transcriptStart : (own[0]?.before ?? null)
      const ends = { after: span.after, previous, head: own.at(-1)?.seq ?? span.after, hash: own.at(-1)?.end ?? null }
      const isSound = isWhole && findCorruptMessages(messages, span.roomId, ends).every((why) => why === null)
      return isSound ? messages : readMessagesForDelivery(ctx, { roomId: span.roomId, after: span.after, limit: span.upTo - span.after })
    }),
  )
}

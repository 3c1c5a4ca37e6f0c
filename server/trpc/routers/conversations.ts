import { type DeliveredEnvelope, GoalId, limits, MessageNumber, RoomId, TaskId } from '@parley/protocol'
import { tracked } from '@trpc/server'
import { z } from 'zod'
import { dispatchCommand, requireVisibleIds } from '../../commands/index.ts'
import {
  listPlanVersions,
  listUndeliverableMessages,
  readMessages,
  readPage,
  retryUndeliverableMessage,
  searchMessages,
} from '../../conversations/index.ts'
import type { Signal } from '../../signals/signal.ts'
import { liveStream } from '../live-stream.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'
import { messageFilter } from '../views/message-filter.ts'

const page = { room_id: RoomId, after: z.int().nonnegative().default(0), limit: z.int().min(1).max(500).default(200) }
const word = z.string().min(1).max(200)
/** Of one page of a transcript. Its markup takes up to five times the bytes of the messages. */
const transcriptBytes = limits.pageBytes / 2

const Followed = z.strictObject({
  room_id: RoomId,
  /** The goal whose changes are reported too. */
  goal_id: GoalId.optional(),
  after: z.int().nonnegative().default(0),
  /** From the stream; below 2 ** 53. */
  lastEventId: z
    .string()
    .regex(/^\d{0,15}$/)
    .nullish(),
  /** Ends after the current messages, for a page that polls. */
  once: z.boolean().default(false),
})
/** `changed`: the goal has to be read again. */
type RoomEvent = { readonly kind: 'changed' } | { readonly kind: 'message'; readonly message: DeliveredEnvelope }

export const conversationsRouter = createRouter({
  list: publicProcedure
    .input(z.strictObject(page))
    .query(({ ctx, input }) => readMessages(ctx.ctx, { roomId: input.room_id, after: input.after, limit: input.limit })),
  plans: publicProcedure.input(z.strictObject({ room_id: RoomId })).query(({ ctx, input }) => listPlanVersions(ctx.ctx, input.room_id)),
  search: publicProcedure
    .meta({ rate: 'search' })
    .input(
      z.strictObject({
        ...page,
        agent: word.optional(),
        state: word.optional(),
        type: word.optional(),
        task: TaskId.optional(),
        text: word.optional(),
      }),
    )
    .query(({ ctx, input }) => {
      const { room_id: roomId, after, limit, ...asked } = input
      return searchMessages(ctx.ctx, { roomId, filter: messageFilter(asked), after, limit, maxBytes: transcriptBytes })
    }),
  post: publicProcedure
    .input(
      z.strictObject({
        room_id: RoomId,
        text: z.string().trim().min(1).max(8_192),
        to: z.array(z.string().max(256)).max(16).optional(),
        reply_to: z.uuidv7().optional(),
      }),
    )
    .mutation(({ ctx, input }) => {
      const { text, ...rest } = input
      return dispatchCommand(ctx.ctx, { type: 'message.post', ...rest, parts: [{ text }] })
    }),
  /** Erases a message's text permanently. `order`: the legal order that an operator follows. */
  erase: signedInProcedure
    .input(z.strictObject({ room_id: RoomId, seq: MessageNumber, order: z.string().trim().min(1).max(200).optional() }))
    .mutation(({ ctx, input: { order, ...rest } }) =>
      dispatchCommand(ctx.ctx, { type: 'message.erase', ...rest, ...(order !== undefined && { order }) }),
    ),
  /** For operators: undeliverable messages, newest first. */
  listDeadLetters: signedInProcedure.query(({ ctx }) => listUndeliverableMessages(ctx.ctx)),
  /** For operators: retries the delivery. */
  retry: signedInProcedure
    .meta({ rate: 'write' })
    .input(z.strictObject({ room_id: RoomId, seq: MessageNumber }))
    .mutation(({ ctx, input }) => retryUndeliverableMessage(ctx.ctx, input)),
  /**
   * All that a page follows, in one stream: the messages of a room and changes of the goal. It begins at `after` or at the end of a broken
   * stream. An event's id is the number of the last message before or in it.
   */
  follow: publicProcedure.input(Followed).subscription(({ ctx, input, signal }) => {
    const { goal_id, room_id } = input
    let after = Math.max(input.after, Number(input.lastEventId ?? 0))
    const matches = (wake: Signal) => (wake.topic === 'goal' && wake.id === goal_id) || (wake.topic === 'room' && wake.id === room_id)
    return liveStream(ctx, { matches, signal, once: input.once }, async (reader, moved) => {
      await requireVisibleIds(reader, input)
      const { messages, isMore } = await readPage(reader, { roomId: room_id, after, limit: 200 })
      const isChanged = goal_id !== undefined && !isMore && (moved.size === 0 || moved.has('goal'))
      after = messages.at(-1)?.seq ?? after
      const events = messages.map((message) => tracked<RoomEvent>(String(message.seq), { kind: 'message', message }))
      return { events: isChanged ? [...events, tracked<RoomEvent>(String(after), { kind: 'changed' })] : events, isMore }
    })
  }),
})

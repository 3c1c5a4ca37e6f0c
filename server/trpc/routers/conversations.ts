import { GroupId, MessageNumber, TaskId } from '@parley/protocol'
import { tracked } from '@trpc/server'
import { z } from 'zod'
import { listHeldMessages, listPlans, readMessages, readPage, retryMessage, searchMessages } from '../../conversations/index.ts'
import { admit } from '../../gateway/index.ts'
import { createRouter, open, signedIn } from '../init.ts'
import { messageFilter } from '../message-filter.ts'
import { wakesOf } from '../wakes.ts'

const page = { group_id: GroupId, after: z.int().nonnegative().default(0), limit: z.int().min(1).max(500).default(200) }
const word = z.string().min(1).max(200)
/** As the stream gave it; below 2 ** 53. */
const messageNumber = z.string().regex(/^\d{0,15}$/)

export const conversationsRouter = createRouter({
  list: open
    .input(z.object(page))
    .query(({ ctx, input }) => readMessages(ctx.ctx, { groupId: input.group_id, after: input.after, limit: input.limit })),
  plans: open.input(z.object({ group_id: GroupId })).query(({ ctx, input }) => listPlans(ctx.ctx, input.group_id)),
  search: open
    .meta({ rate: 'search' })
    .input(
      z.object({
        ...page,
        agent: word.optional(),
        state: word.optional(),
        type: word.optional(),
        task: TaskId.optional(),
        text: word.optional(),
      }),
    )
    .query(({ ctx, input }) => {
      const { group_id: groupId, after, limit, ...asked } = input
      return searchMessages(ctx.ctx, { groupId, filter: messageFilter(asked), after, limit })
    }),
  post: open
    .input(
      z.object({
        group_id: GroupId,
        text: z.string().trim().min(1).max(8_192),
        to: z.array(z.string().max(256)).max(16).optional(),
        reply_to: z.uuidv7().optional(),
      }),
    )
    .mutation(({ ctx, input }) => {
      const { text, ...rest } = input
      return admit(ctx.ctx, { type: 'message.post', ...rest, parts: [{ text }] })
    }),
  /** A message's words, for good. `order`: the legal order that an operator follows. */
  erase: signedIn
    .input(z.object({ group_id: GroupId, seq: MessageNumber, order: z.string().trim().min(1).max(200).optional() }))
    .mutation(({ ctx, input: { order, ...rest } }) =>
      admit(ctx.ctx, { type: 'message.erase', ...rest, ...(order !== undefined && { order }) }),
    ),
  /** For operators: what can't be delivered, newest first. */
  listHeld: signedIn.query(({ ctx }) => listHeldMessages(ctx.ctx)),
  /** For operators: look at it again. */
  retry: signedIn
    .meta({ rate: 'write' })
    .input(z.object({ group_id: GroupId, seq: MessageNumber }))
    .mutation(({ ctx, input }) => retryMessage(ctx.ctx, input)),
  /** Messages as they come, from `after` or from where a broken stream left off. */
  live: open
    .input(z.object({ group_id: GroupId, after: z.int().nonnegative().default(0), lastEventId: messageNumber.nullish() }))
    .subscription(async function* ({ ctx, input, signal }) {
      const groupId = input.group_id
      let after = Math.max(input.after, Number(input.lastEventId ?? 0))
      for await (const _ of wakesOf(ctx.world.listener, (wake) => wake.topic === 'group' && wake.id === groupId, signal)) {
        for (let isMore = true; isMore && !signal?.aborted; ) {
          const page = await readPage(ctx.ctx, { groupId, after, limit: 200 })
          for (const message of page.messages) {
            yield tracked(String(message.seq), message)
            after = message.seq
          }
          isMore = page.isMore
        }
      }
    }),
})

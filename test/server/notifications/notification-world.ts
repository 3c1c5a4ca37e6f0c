import { randomUUID } from 'node:crypto'
import type { Context } from '../../../server/context.ts'
import { openRoom } from '../../../server/conversations/index.ts'
import { inTransaction } from '../../../server/db.ts'
import { confirmEmail, createSmtpSender, createWebhookClient, listOutbox, setEmail } from '../../../server/notifications/index.ts'
import { type Person, type RoomWorld, system } from '../database-only-world.ts'

/** The context of a server whose mails go to `smtp`, or to the local outbox, and whose webhooks may reach `origins`. */
export function withChannels(ctx: Context, { smtp, origins = [] }: { smtp?: string; origins?: readonly string[] }): Context {
  const mail = smtp === undefined ? null : createSmtpSender({ url: smtp, from: 'Parley <notifications@parley.test>' })
  return { ...ctx, ports: { ...ctx.ports, mail, webhooks: createWebhookClient(origins) } }
}

/** A goal in review, which waits for its client. Its id. */
export async function postReview(
  world: RoomWorld,
  client: Person,
  goal: { text: string; visibility?: 'public' | 'private' },
): Promise<string> {
  const now = world.clock.now()
  const id = world.ctx.ids.next('gol')
  const until = new Date(now.getTime() + 3_600_000)
  await inTransaction(world.as(system), async (tx) => {
    const roomId = await openRoom(tx, { goalId: id, clientId: client.actor.did, isPublic: goal.visibility !== 'private' })
    await tx.db.goal.create({
      data: {
        ...{ id, roomId, postId: randomUUID(), clientId: client.actor.did, visibility: 'public', ...goal },
        ...{ criteria: [], budget: 5_000_000n, asset: tx.market.asset, deadline: until, reviewHours: 1, planner: 'deterministic' },
        ...{ state: 'review', postedAt: now, openedAt: now, claimedAt: now, concludedAt: now, reviewBy: until },
        ...{
          principalId: 'did:web:example.org:agents:lead',
          principalAgentId: 'agt_lead',
          outcome: 'delivered',
          conclusionSeq: 7,
          answer: {},
        },
      },
    })
  })
  return id
}

/** A demand that agents online can now do. Its id. */
export async function meetDemand(world: RoomWorld, client: Person, text: string): Promise<string> {
  const now = world.clock.now()
  const id = world.ctx.ids.next('dmd')
  const times = { postedAt: now, checkedAt: now, metAt: now }
  await world.db.demand.create({ data: { id, postId: randomUUID(), clientId: client.actor.did, text, state: 'met', ...times } })
  return id
}

/** The newest code in the person's local outbox. */
export async function codeInOutbox(ctx: Context): Promise<string> {
  const [mail] = await listOutbox(ctx)
  return /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? 'no code'
}

/** Sets and confirms an address through the local outbox. */
export async function confirmAddress(ctx: Context, email: string): Promise<void> {
  await setEmail(ctx, { email })
  await confirmEmail(ctx, { code: await codeInOutbox(ctx) })
}

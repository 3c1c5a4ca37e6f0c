import { z } from 'zod'
import type { CardPayment as Row } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import type { CardCall, CardKind } from '../../ports.ts'
import type { CardPayment } from './card-payment.ts'

const base = { goalId: z.string(), paymentId: z.string(), cents: z.string().transform(BigInt) }
const StoredCall = z.discriminatedUnion('kind', [
  z.object({
    ...base,
    kind: z.literal('checkout'),
    title: z.string(),
    feeCents: z.string().default('0').transform(BigInt),
    returnUrl: z.string(),
    expiresAt: z.number(),
  }),
  z.object({ ...base, kind: z.literal('transfer'), destination: z.string(), charge: z.string() }),
  z.object({ ...base, kind: z.literal('refund'), paymentIntent: z.string() }),
  z.object({ ...base, kind: z.literal('reversal'), transfer: z.string() }),
])

/** Amounts are decimal strings, because JSON has no bigint. */
function storedCall(call: CardCall | null) {
  if (call === null) return Prisma.DbNull
  const cents = call.cents.toString()
  return call.kind === 'checkout' ? { ...call, cents, feeCents: call.feeCents.toString() } : { ...call, cents }
}

export function cardPaymentFromRow(row: Row): CardPayment {
  return { ...row, call: row.call === null ? null : StoredCall.parse(row.call) }
}

export async function getCardPayment(ctx: Context, id: string): Promise<CardPayment> {
  return cardPaymentFromRow(await ctx.db.cardPayment.findUniqueOrThrow({ where: { id } }))
}

export async function listCardPayments(ctx: Context, where: Prisma.CardPaymentWhereInput, take = 500): Promise<CardPayment[]> {
  return (await ctx.db.cardPayment.findMany({ where, orderBy: { createdAt: 'asc' }, take })).map(cardPaymentFromRow)
}

export type PaymentRequest = {
  readonly key: string
  readonly kind: CardKind
  readonly goalId: string
  readonly cents: bigint
  readonly ownerId?: string
  readonly subject?: string
  readonly claimBy?: Date
}

/** Inserts a payment in state `intent`. Idempotent by key. */
export async function requestCardPayment(tx: Context, want: PaymentRequest): Promise<void> {
  const now = tx.clock.now()
  await tx.db.cardPayment.createMany({
    data: [{ id: tx.ids.uuid(), ...want, state: 'intent', createdAt: now, updatedAt: now }],
    skipDuplicates: true,
  })
}

/**
 * Saves the payment by compare-and-swap on state and attempt. If another process was faster, returns its result. Both are valid,
 * because both used the same idempotency key.
 */
export async function saveCardPayment(ctx: Context, before: CardPayment, after: CardPayment): Promise<CardPayment> {
  const { state, attempt, idempotencyKey, preparedAt, retryAt, objectId, url, failure, paidIntent, paidCharge, paidFeeCents, claimBy } =
    after
  await ctx.db.cardPayment.updateMany({
    where: { id: before.id, state: before.state, attempt: before.attempt },
    data: {
      state,
      attempt,
      idempotencyKey,
      preparedAt,
      retryAt,
      objectId,
      url,
      failure,
      paidIntent,
      paidCharge,
      paidFeeCents,
      claimBy,
      call: storedCall(after.call),
      updatedAt: ctx.clock.now(),
    },
  })
  return getCardPayment(ctx, before.id)
}

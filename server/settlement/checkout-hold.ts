import type { CheckoutHold } from '@parley/protocol'
import type { Context } from '../context.ts'
import { permit } from '../policy/index.ts'
import { cardsNotTaken } from './errors.ts'

export async function checkoutHold(ctx: Context, _input: CheckoutHold): Promise<{ goal_id: string; url: string }> {
  await permit(ctx, 'hold.checkout')
  throw cardsNotTaken()
}

import type { OpenPayoutAccount } from '@parley/protocol'
import type { Context } from '../context.ts'
import { permit } from '../policy/index.ts'
import { cardsNotTaken } from './errors.ts'

export async function openPayoutAccount(ctx: Context, _input: OpenPayoutAccount): Promise<{ url: string }> {
  await permit(ctx, 'payout-account.open')
  throw cardsNotTaken()
}

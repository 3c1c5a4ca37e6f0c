'use client'
import type { Listing } from '@parley/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC, useTRPCClient } from '@/app/_trpc/client.tsx'
import { useMarket, useMe } from '../_components/market-provider.tsx'
import { useTypedDataSigning } from '../_wallet/use-typed-data-signing.tsx'

/** Opens a channel to an agent with one signature. `open` returns whether the server accepted it; the chain confirms it later. */
export function usePaymentChannelOpening({ agent_id, payout }: Pick<Listing, 'agent_id' | 'payout'>) {
  const t = useTranslations('calls.openPaymentChannelForm')
  const trpc = useTRPC()
  const api = useTRPCClient()
  const queries = useQueryClient()
  const market = useMarket()
  const me = useMe()
  const signing = useTypedDataSigning()

  async function open(deposit: bigint): Promise<boolean> {
    if (!me) return false
    const [{ makeVoucherKey }, { isRequestedChannel }] = await Promise.all([
      import('./voucher-key.ts'),
      import('./payment-channel-signing-policy.ts'),
    ])
    const authorizer = makeVoucherKey()
    const terms = { agent_id, deposit: deposit.toString(), authorizer }
    const isTaken = await signing.sign(
      async () => {
        const quote = await api.channels.quote.mutate(terms)
        const wanted = { payer: me.address, receiver: payout, authorizer, deposit }
        if (!isRequestedChannel(market, quote, wanted)) throw new Error(t('serverAsksForAnotherSignature'))
        return quote
      },
      (signature, quote) => api.channels.open.mutate({ ...terms, salt: quote.config.salt, valid_before: quote.valid_before, signature }),
    )
    if (isTaken) await queries.invalidateQueries(trpc.channels.listMine.queryFilter())
    return isTaken
  }
  return { open, signing }
}

'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { useMarket, useMe } from '../_components/market-provider.tsx'
import { problemOf } from '../_components/ui/problem.tsx'
import { toast } from '../_components/ui/toaster.tsx'
import { useTRPC, useTRPCClient } from '../_trpc/client.tsx'

/**
 * Requests test money for a signed-in wallet that holds none. It runs on every page of a local chain: a reader may leave the
 * page of the sign-in before a request from there was sent. The server pays each wallet once a day.
 */
export function RequestTestMoney() {
  const t = useTranslations('wallet.requestTestMoney')
  const tProblem = useTranslations('ui.problem')
  const { isLocalChain } = useMarket()
  const address = useMe()?.address
  const api = useTRPCClient()
  const trpc = useTRPC()
  const queries = useQueryClient()
  useEffect(() => {
    if (!isLocalChain || !address) return
    let isCurrent = true
    async function give(): Promise<void> {
      const before = await api.market.getBalance.query()
      if (BigInt(before.tokens) > 0n) return
      await api.market.faucet.mutate()
      const after = await api.market.getBalance.query()
      await queries.invalidateQueries({ queryKey: trpc.market.getBalance.queryKey() })
      if (isCurrent && BigInt(after.tokens) > 0n) toast.success(t('yourWalletReceivedTestMoney'))
    }
    give().catch((error) => {
      if (isCurrent)
        toast.error(t('testMoneyCouldNotSent'), {
          description: t('requestAgainOnYourAccountPage', { detail: problemOf(error, tProblem).detail }),
        })
    })
    return () => {
      isCurrent = false
    }
  }, [isLocalChain, address, api, trpc, queries, t, tProblem])
  return null
}

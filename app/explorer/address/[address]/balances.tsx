'use client'
import { formatAmount } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useMarket } from '../../../_components/market-provider.tsx'
import { MoneyAmount } from '../../../_components/ui/money.tsx'
import { Stat } from '../../../_components/ui/section.tsx'
import { callChainRpc } from '../../_chain/call-chain-rpc.ts'

const Word = z.string().regex(/^0x[0-9a-fA-F]+$/)
/** balanceOf(address) */
const selector = '0x70a08231'

export function Balances({ address }: { address: string }) {
  const t = useTranslations('explorer.balances')
  const { isLocalChain, token, symbol } = useMarket()
  const { data } = useQuery({
    queryKey: ['chain', 'balances', address],
    enabled: isLocalChain,
    queryFn: async () => {
      const call = { to: token, data: `${selector}${address.slice(2).toLowerCase().padStart(64, '0')}` }
      const [tokens, ether] = await Promise.all([
        callChainRpc('eth_call', [call, 'latest']),
        callChainRpc('eth_getBalance', [address, 'latest']),
      ])
      return { tokens: BigInt(Word.parse(tokens)), ether: BigInt(Word.parse(ether)) }
    },
  })
  if (!isLocalChain) return null
  return (
    <dl className="mb-8 flex min-h-14 flex-wrap gap-x-12 gap-y-4">
      <Stat label={symbol}>{data ? <MoneyAmount amount={data.tokens} /> : '…'}</Stat>
      <Stat label={t('ether')}>{data ? <span className="figures">{formatAmount(data.ether, 18)}</span> : '…'}</Stat>
    </dl>
  )
}

'use client'
import { ExternalLink } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { explorerLink } from '../../../contracts/deploy/chain-presets.ts'
import { useMarket } from '../../_components/market-provider.tsx'

/** A link to the chain's explorer. Nothing if the chain has no known one, such as a local chain. */
export function ExplorerLink(what: { tx: string } | { address: string }) {
  const t = useTranslations('explorer.explorerLink')
  const { chainId } = useMarket()
  const href = explorerLink(chainId, what)
  if (href === null) return null
  return (
    <a href={href} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1 text-link">
      {t('viewOn', { hostname: new URL(href).hostname })} <ExternalLink aria-hidden className="size-3.5" />
    </a>
  )
}

import { Search } from 'lucide-react'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { Button } from '../_components/ui/button.tsx'
import { CopyableAddress } from '../_components/ui/copyable-identifier.tsx'
import { Input } from '../_components/ui/field.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { PageHead, Section } from '../_components/ui/section.tsx'
import { getRequestContext } from '../_trpc/server.tsx'
import { ContractLogs } from './_chain/contract-logs.tsx'
import { LatestBlocks } from './_chain/latest-blocks.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('explorer.explorerPage')
  return { title: t('explorer') }
}

type Props = { searchParams: Promise<{ q?: string }> }

export default async function Page({ searchParams }: Props) {
  const t = await getTranslations('explorer.explorerPage')
  const { q } = await searchParams
  const asked = typeof q === 'string' ? q.trim() : ''
  if (/^0x[0-9a-fA-F]{64}$/.test(asked)) redirect(`/explorer/tx/${asked}`)
  if (/^0x[0-9a-fA-F]{40}$/.test(asked)) redirect(`/explorer/address/${asked}`)
  const { ctx } = await getRequestContext()
  const { market } = ctx
  return (
    <>
      <PageHead title={t('explorer')} lead={t('settlementChainAsNodeTellsRead')} />
      <search>
        <form action="/explorer" className="mb-8 flex max-w-3xl gap-2">
          <Input
            name="q"
            defaultValue={asked}
            aria-label={t('transactionHashOrAddress')}
            placeholder={t('transactionHashOrAddress')}
            className="figures"
          />
          <Button type="submit">
            <Search aria-hidden /> {t('lookUp')}
          </Button>
        </form>
      </search>
      {asked && <Notice kind="warning" title={t('neitherTransactionsHash0x64Digits')} className="mb-8" />}
      <dl className="mb-8 flex flex-wrap gap-x-10 gap-y-3 text-sm">
        <div>
          <dt className="caption">{t('chain')}</dt>
          <dd className="figures">{market.chainId}</dd>
        </div>
        <div>
          <dt className="caption">{t('escrow')}</dt>
          <dd>
            <CopyableAddress address={market.escrow} />
          </dd>
        </div>
        <div>
          <dt className="caption">{market.symbol}</dt>
          <dd>
            <CopyableAddress address={market.token} />
          </dd>
        </div>
      </dl>
      <div className="grid grid-cols-1 gap-10 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <Section title={t('latestBlocks')}>
          <LatestBlocks />
        </Section>
        <Section title={t('latestEscrowEvents')}>
          <ContractLogs address={market.escrow} />
        </Section>
      </div>
    </>
  )
}

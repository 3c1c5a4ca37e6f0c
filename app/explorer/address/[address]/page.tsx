import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { CopyButton } from '../../../_components/ui/copy-button.tsx'
import { Link } from '../../../_components/ui/link.tsx'
import { PageHead, Section } from '../../../_components/ui/section.tsx'
import { getRequestContext } from '../../../_trpc/server.tsx'
import { ContractLogs } from '../../_chain/contract-logs.tsx'
import { ExplorerLink } from '../../_chain/explorer-link.tsx'
import { Balances } from './balances.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('explorer.addressOnePage')
  return { title: t('address') }
}

export default async function Page({ params }: { params: Promise<{ address: string }> }) {
  const t = await getTranslations('explorer.addressOnePage')
  const { address } = await params
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return <PageHead title={t('noAccountAddress')} lead={t('accountAddress0x40Hexadecimal')} />
  const { ctx } = await getRequestContext()
  const { market } = ctx
  const is = (other: string) => other.toLowerCase() === address.toLowerCase()
  const role = is(market.escrow)
    ? t('escrowContract')
    : is(market.token)
      ? t('token', { symbol: market.symbol })
      : is(market.evaluator)
        ? t('evaluator')
        : is(market.feeTo)
          ? t('feesGoHere')
          : null
  return (
    <>
      <PageHead
        eyebrow={
          <Link className="text-link" href="/explorer">
            {t('explorer')}
          </Link>
        }
        title={t('address')}
        lead={
          <span className="flex flex-wrap items-center gap-x-3">
            <span className="figures break-all text-sm">{address}</span>
            <CopyButton text={address} label={t('copyAddress')} isIconOnly />
            {role && <span>{role}.</span>}
            <ExplorerLink address={address} />
          </span>
        }
      />
      <Balances address={address} />
      <Section title={t('events')}>
        <ContractLogs address={address} />
      </Section>
    </>
  )
}

import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead, Section } from '../../../_components/ui/card.tsx'
import { CopyButton } from '../../../_components/ui/copy.tsx'
import { getCall } from '../../../_trpc/server.tsx'
import { LogsOf } from '../../_chain/logs-of.tsx'
import { OnExplorer } from '../../_chain/on-explorer.tsx'
import { Balances } from './balances.tsx'

export const metadata: Metadata = { title: 'Address' }

export default async function Page({ params }: { params: Promise<{ address: string }> }) {
  const { address } = await params
  if (!/^0x[0-9a-fA-F]{40}$/.test(address))
    return <PageHead title="This is no account address" lead="An account address is 0x and 40 hexadecimal digits. Check the address." />
  const { ctx } = await getCall()
  const { market } = ctx
  const is = (other: string) => other.toLowerCase() === address.toLowerCase()
  const role = is(market.escrow)
    ? 'The escrow contract: it holds every goal’s money'
    : is(market.token)
      ? `The ${market.symbol} token`
      : is(market.evaluator)
        ? 'The evaluator: it signs settlements'
        : is(market.feeTo)
          ? 'Fees go here'
          : null
  return (
    <>
      <PageHead
        eyebrow={
          <Link className="text-link" href="/explorer">
            Explorer
          </Link>
        }
        title="Address"
        lead={
          <span className="flex flex-wrap items-center gap-x-3">
            <span className="figures break-all text-sm">{address}</span>
            <CopyButton text={address} label="Copy address" isIconOnly />
            {role && <span>{role}.</span>}
            <OnExplorer address={address} />
          </span>
        }
      />
      <Balances address={address} />
      <Section title="Events">
        <LogsOf address={address} />
      </Section>
    </>
  )
}

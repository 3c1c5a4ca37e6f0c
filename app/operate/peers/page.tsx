import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead, Section } from '../../_components/ui/card.tsx'
import { getApi, getCall } from '../../_trpc/server.tsx'
import { refusal } from '../gate.tsx'
import { PeerForm } from './peer-form.tsx'
import { PeerList } from './peer-list.tsx'

export const metadata: Metadata = { title: 'Peers' }

export default async function Page() {
  const { ctx } = await getCall()
  const head = (
    <PageHead
      eyebrow={
        <Link href="/operate" className="text-link">
          Operate
        </Link>
      }
      title="Peers"
      lead="Other installations whose registries this market reads. Their agents are shown here with where they come from, and can be invited into teams."
    />
  )
  const refused = refusal(ctx, 'operates')
  if (refused)
    return (
      <>
        {head}
        {refused}
      </>
    )
  const { federation } = await getApi()
  const { publicUrl, serverDid } = ctx.market
  return (
    <>
      {head}
      <Section title="Read by this market" aside="Every minute">
        <PeerList peers={await federation.listPeers()} />
      </Section>
      <Section title="Add a peer" className="mt-10">
        <PeerForm />
      </Section>
      <p className="mt-10 max-w-prose text-muted text-sm">
        For their operators: this market is <span className="figures break-all">{new URL(publicUrl).origin}</span>, its key{' '}
        <span className="figures break-all">{serverDid}</span>.
      </p>
    </>
  )
}

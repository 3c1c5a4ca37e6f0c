import type { Metadata } from 'next'
import { Section } from '../../_components/ui/card.tsx'
import { getApi } from '../../_trpc/server.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { PeerForm } from './peer-form.tsx'
import { PeerList } from './peer-list.tsx'

export const metadata: Metadata = { title: 'Peers' }

export default function Page() {
  return (
    <OperatorPage
      title="Peers"
      lead="Other installations whose registries this market reads. Their agents are shown here with where they come from, and can be invited into teams."
      body={async (ctx) => {
        const { federation } = await getApi()
        const { publicUrl, serverDid } = ctx.market
        return (
          <>
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
      }}
    />
  )
}

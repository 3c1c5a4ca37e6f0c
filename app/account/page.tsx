import type { Metadata } from 'next'
import { Balance } from '../_account/balance.tsx'
import { Memory } from '../_account/memory.tsx'
import { Sessions } from '../_account/sessions.tsx'
import { SignInGate } from '../_components/sign-in-gate.tsx'
import { Address, Identifier } from '../_components/ui/address.tsx'
import { Card, PageHead, Section } from '../_components/ui/card.tsx'
import { getCall, getQueryClient, Hydrated, trpc } from '../_trpc/server.tsx'

export const metadata: Metadata = { title: 'Account' }

export default async function AccountPage() {
  const { actor, market } = (await getCall()).ctx
  if (actor.kind !== 'person') {
    return (
      <>
        <PageHead title="Account" />
        <SignInGate title="You are not signed in" reason="Your wallet is your account here: no password, no form." />
      </>
    )
  }
  const queries = getQueryClient()
  await Promise.all([
    queries.prefetchQuery(trpc.market.getBalance.queryOptions()),
    queries.prefetchQuery(trpc.identity.listSessions.queryOptions()),
    queries.prefetchQuery(trpc.memory.recall.queryOptions()),
  ])
  return (
    <Hydrated>
      <PageHead title="Account" />
      <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid content-start gap-10">
          <Section title="Money">
            <Balance />
          </Section>
          <Section title="Where you are signed in">
            <Sessions />
          </Section>
          <Section title="What agents remember of you">
            <Memory />
          </Section>
        </div>
        <Section title="Wallet">
          <Card>
            <dl className="grid gap-4 text-sm">
              <div>
                <dt className="caption">Address</dt>
                <dd>
                  <Address address={actor.address} />
                </dd>
              </div>
              <div className="min-w-0">
                <dt className="caption">Identity</dt>
                <dd>
                  <Identifier text={actor.did} />
                </dd>
              </div>
              <div>
                <dt className="caption">Chain</dt>
                <dd>
                  {market.isLocalChain ? 'Local test chain' : 'Chain'} <span className="figures">{market.chainId}</span>
                </dd>
              </div>
            </dl>
          </Card>
        </Section>
      </div>
    </Hydrated>
  )
}

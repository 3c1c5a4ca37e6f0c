import type { Metadata } from 'next'
import Link from 'next/link'
import { SignInGate } from '../../_components/sign-in-gate.tsx'
import { PageHead } from '../../_components/ui/card.tsx'
import { Notice } from '../../_components/ui/notice.tsx'
import { getCall } from '../../_trpc/server.tsx'
import { LoadBoard } from './load-board.tsx'

export const metadata: Metadata = { title: 'Load' }

export default async function Page() {
  const { ctx } = await getCall()
  const mayLook = ctx.actor.kind === 'person' && (ctx.actor.isOperator || ctx.market.isLocalChain)
  return (
    <>
      <PageHead
        eyebrow={
          <Link href="/operate" className="underline underline-offset-2">
            Operate
          </Link>
        }
        title="Load"
        lead="How much the hubs carry, how long the disk keeps them waiting, and who is behind. Each hub tells it of itself."
      />
      {ctx.actor.kind !== 'person' ? (
        <SignInGate title="Sign in first" reason="Operators look here. On a local chain everyone who has signed in may look." />
      ) : mayLook ? (
        <LoadBoard />
      ) : (
        <Notice kind="warning" title="This page is for operators.">
          Your wallet is not on this market’s list of operators.
        </Notice>
      )}
    </>
  )
}

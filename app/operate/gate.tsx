import type { ReactNode } from 'react'
import { mayReadOperations } from '@/server/trpc/request-context.ts'
import { SignInGate } from '../_components/sign-in-gate.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import type { getCall } from '../_trpc/server.tsx'

type Visit = Pick<Awaited<ReturnType<typeof getCall>>['ctx'], 'actor' | 'market'>

/** What stands in the place of an operators' page for somebody who may not see it; null for who may. `looks`: it may be looked at. */
export function refusal(visit: Visit, page: 'looks' | 'operates'): ReactNode {
  const { actor } = visit
  if (actor.kind !== 'person')
    return (
      <SignInGate
        title="Sign in first"
        reason={`Operators look here.${page === 'looks' ? ' On a local chain everyone who has signed in may look.' : ''}`}
      />
    )
  if (page === 'looks' ? mayReadOperations(visit) : actor.isOperator) return null
  return (
    <Notice kind="warning" title="This page is for operators.">
      Your wallet is not on this market’s list of operators.
    </Notice>
  )
}

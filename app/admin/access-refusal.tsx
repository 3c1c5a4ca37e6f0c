import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { mayReadOperatorPages } from '@/server/trpc/request-context.ts'
import { SignInGate } from '../_components/sign-in-gate.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import type { getRequestContext } from '../_trpc/server.tsx'

type Visit = Pick<Awaited<ReturnType<typeof getRequestContext>>['ctx'], 'actor' | 'market'>

/** The notice that replaces an operations page for people without access; null for those with access. `reads`: read access is enough. */
export async function accessRefusal(visit: Visit, page: 'reads' | 'operates'): Promise<ReactNode> {
  const t = await getTranslations('admin.accessRefusal')
  const { actor } = visit
  if (actor.kind !== 'person')
    return <SignInGate title={t('signInFirst')} reason={page === 'reads' ? t('operatorsLookHere') : t('operatorsWorkHere')} />
  if (page === 'reads' ? mayReadOperatorPages(visit) : actor.isOperator) return null
  return (
    <Notice kind="warning" title={t('pageForOperators')}>
      {t('yourWalletNotOnMarketsList')}
    </Notice>
  )
}

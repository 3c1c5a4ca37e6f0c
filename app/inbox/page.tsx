import { Inbox } from 'lucide-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { SignInGate } from '../_components/sign-in-gate.tsx'
import { ButtonLink } from '../_components/ui/button.tsx'
import { Link } from '../_components/ui/link.tsx'
import { EmptyState, PageHead } from '../_components/ui/section.tsx'
import { Time } from '../_components/ui/time.tsx'
import { getApi, getRequestContext } from '../_trpc/server.tsx'
import { goalTitle } from '../_views/goal-title.ts'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('goals.inboxPage')
  return { title: t('inbox') }
}

const labels = {
  fund: 'signPayment',
  question: 'answerQuestion',
  approve: 'approveTeam',
  confirm: 'confirmPlan',
  review: 'reviewResult',
  submission: 'checkPayment',
  demand: 'canBeDone',
} as const

/** What waits for the signed-in person. */
export default async function InboxPage() {
  const t = await getTranslations('goals.inboxPage')
  const { actor } = (await getRequestContext()).ctx
  if (actor.kind !== 'person')
    return (
      <>
        <PageHead title={t('inbox')} />
        <SignInGate title={t('signIn')} reason={t('showsWhatWaits')} />
      </>
    )
  const items = await (await getApi()).goals.listInbox()
  return (
    <>
      <PageHead title={t('inbox')} lead={t('whatNeedsYou')} />
      {items.length === 0 ? (
        <EmptyState
          icon={<Inbox aria-hidden />}
          title={t('nothing')}
          action={<ButtonLink href="/goals?show=mine">{t('yourGoals')}</ButtonLink>}
        >
          {t('showsWhatWaits')}
        </EmptyState>
      ) : (
        <ul className="grid gap-3">
          {items.map(({ kind, id, text, until }) => (
            <li
              key={id}
              className="relative grid gap-x-6 gap-y-1 rounded-lg border bg-surface p-4 hover:border-line-strong md:grid-cols-[14rem_minmax(0,1fr)_auto] md:items-baseline"
            >
              <span className="font-semibold text-amber-ink">{t(labels[kind])}</span>
              <Link
                href={kind === 'demand' ? `/goals/new?text=${encodeURIComponent(text)}` : `/goals/${id}`}
                className="min-w-0 truncate font-medium after:absolute after:inset-0 hover:underline"
              >
                {goalTitle(text)}
              </Link>
              {until !== null && <span className="text-muted text-sm">{t.rich('until', { time: () => <Time at={until} /> })}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { EmptyState } from '../../../_components/ui/section.tsx'
import { getApi, getRequestContext, orNotFound } from '../../../_trpc/server.tsx'
import { currencyOfAsset } from '../../../_views/currency-of-asset.ts'
import { GoalHead } from '../_head/goal-head.tsx'
import { viewMessage } from '../_message/message-view.ts'
import { peopleOf } from '../_run/to-run-view.ts'
import { AuditedMessage } from './_audit/audited-message.tsx'
import { FilterForm } from './_audit/filter-form.tsx'
import { FocusLinkedMessage } from './_audit/focus-linked-message.tsx'
import { mayErase } from './_audit/may-erase.ts'
import { PageLinks } from './_audit/page-links.tsx'
import { auditPageSize, readPageStart } from './_audit/paging.ts'
import { readFilter } from './_audit/transcript-filter.ts'
import { VerifyAndDownload } from './_audit/verify-and-download.tsx'

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ [name: string]: string | string[] | undefined }> }

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('run.transcriptPage')
  return { title: t('transcript') }
}

export default async function Page({ params, searchParams }: Props) {
  const t = await getTranslations('run.transcriptPage')
  const { id } = await params
  const asked = new URLSearchParams(
    Object.entries(await searchParams).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  )
  const filter = readFilter(asked)
  const after = readPageStart(asked)
  const api = await getApi()
  const run = await orNotFound(api.goals.getPage({ goal_id: id }))
  const found = await orNotFound(api.conversations.search({ room_id: run.goal.roomId, ...filter, after, limit: auditPageSize }))
  const { messages, isMore, next, total, isCounted } = found
  const { ctx } = await getRequestContext()
  const tMessage = await getTranslations('views.message')
  const people = peopleOf(run)
  const market = { ...ctx.market, symbol: currencyOfAsset(run.goal.asset) ?? ctx.market.symbol }
  return (
    <>
      <GoalHead goal={run.goal} />
      <VerifyAndDownload goalId={run.goal.id} roomId={run.goal.roomId} filter={filter} isSettled={run.hold.settledTx !== null} />
      <FilterForm goalId={run.goal.id} filter={filter} participants={run.participants} tasks={run.tasks} />
      <p className="mb-3 text-muted text-sm" role="status">
        {messages.length > 0
          ? t('ofMessagesShowingTo', {
              count: isCounted ? String(total) : t('atLeast', { total }),
              head: run.head,
              first: String(messages[0]?.seq),
              last: String(messages.at(-1)?.seq),
            })
          : t('ofMessages', { count: isCounted ? String(total) : t('atLeast', { total }), head: run.head })}
      </p>
      {messages.length === 0 ? (
        <EmptyState title={isMore ? t('noMessageMatchesSoFar') : t('noMessageMatches')}>
          {isMore ? t('messagesAfterHaveNotLookedThrough', { next }) : t('widenFilterOrGoBackTo')}
        </EmptyState>
      ) : (
        <ol className="rounded-lg border bg-surface">
          {messages.map((message) => (
            <AuditedMessage
              key={message.id}
              goalId={run.goal.id}
              message={message}
              view={viewMessage(message, { ...people, market, t: tMessage })}
              people={people}
              erasing={mayErase(message, { goal: run.goal, serverDid: ctx.market.serverDid, viewer: ctx.actor })}
            />
          ))}
        </ol>
      )}
      <PageLinks goalId={run.goal.id} filter={filter} after={after} next={isMore ? next : null} />
      <FocusLinkedMessage goalId={run.goal.id} />
    </>
  )
}

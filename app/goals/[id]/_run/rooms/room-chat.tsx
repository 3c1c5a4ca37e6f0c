'use client'
import { ArrowDown, Radio } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Fragment, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { useMarket } from '../../../../_components/market-provider.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Link } from '../../../../_components/ui/link.tsx'
import { EmptyState } from '../../../../_components/ui/section.tsx'
import { currencyOfAsset } from '../../../../_views/currency-of-asset.ts'
import { MessageEntry } from '../../_message/message-entry.tsx'
import { viewMessage } from '../../_message/message-view.ts'
import type { People } from '../to-run-view.ts'
import { useMessages } from '../use-run.ts'
import { ClientMessageBox } from './client-message-box.tsx'

/** `wholeHref`: the page with all messages; null if there is none. */
type Props = { run: Run; people: People; isClient: boolean; wholeHref?: string | null }

/** The room as a team chat. It follows new messages only while the reader is at its end. */
export function RoomChat({ run, people, isClient, wholeHref = `/goals/${run.goal.id}/transcript` }: Props) {
  const t = useTranslations('run.roomChat')
  const tMessage = useTranslations('views.message')
  const tState = useTranslations('views.conversationState')
  const own = useMarket()
  const market = useMemo(() => ({ ...own, symbol: currencyOfAsset(run.goal.asset) ?? own.symbol }), [own, run.goal.asset])
  const { messages, isLive, isWhole } = useMessages(run)
  const views = useMemo(
    () => messages.map((message) => viewMessage(message, { ...people, market, t: tMessage })),
    [messages, people, market, tMessage],
  )
  const box = useRef<HTMLDivElement>(null)
  const { unseen, toEnd } = useFollow(box, views.length)
  return (
    <div className="relative rounded-lg border bg-surface">
      <div className="flex items-center justify-between gap-3 border-b px-4 py-2 text-muted text-sm">
        <span>
          {t('messagesEachSigned', { head: run.head })}{' '}
          {!isWhole && wholeHref && (
            <Link className="text-link" href={wholeHref}>
              {t('readFromBeginning')}
            </Link>
          )}
        </span>
        <span className="flex items-center gap-1.5">
          <Radio aria-hidden className="size-4" />
          {isLive ? t('live') : t('connecting')}
        </span>
      </div>
      <div
        ref={box}
        role="log"
        aria-label={t('messages')}
        aria-live="polite"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-[38rem] min-h-40 overflow-y-auto px-4 py-4"
      >
        {views.length === 0 && <EmptyState title={t('nothingHasSaidYet')}>{t('roomFillsAsSoonAsPlanner')}</EmptyState>}
        <ol className="grid gap-5">
          {views.map((view, index) => (
            <Fragment key={view.id}>
              {view.state !== views[index - 1]?.state && (
                <li className="flex items-center gap-3 text-faint">
                  <span aria-hidden className="h-px flex-1 bg-line" />
                  <span className="caption">{tState(view.state)}</span>
                  <span aria-hidden className="h-px flex-1 bg-line" />
                </li>
              )}
              <li>
                <MessageEntry view={view} people={people} />
              </li>
            </Fragment>
          ))}
        </ol>
      </div>
      {unseen > 0 && (
        <div className="pointer-events-none absolute inset-x-0 bottom-24 flex justify-center">
          <Button tone="primary" size="small" onClick={toEnd} className="pointer-events-auto rounded-full shadow-sm">
            <ArrowDown aria-hidden /> {t('newMessages', { unseen })}
          </Button>
        </div>
      )}
      {isClient && <ClientMessageBox run={run} />}
    </div>
  )
}

/** Keeps the scroll at the end while the reader is there; otherwise counts new messages. */
function useFollow(box: RefObject<HTMLDivElement | null>, count: number) {
  const isAtEnd = useRef(true)
  const latest = useRef(count)
  const [seen, setSeen] = useState(count)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const follow = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 48
      if (isAtEnd.current) setSeen(latest.current)
    }
    element.addEventListener('scroll', follow, { passive: true })
    return () => element.removeEventListener('scroll', follow)
  }, [box])
  useLayoutEffect(() => {
    latest.current = count
    const element = box.current
    if (!element || !isAtEnd.current) return
    element.scrollTop = element.scrollHeight
    setSeen(count)
  }, [box, count])
  return {
    unseen: Math.max(0, count - seen),
    toEnd: () => {
      isAtEnd.current = true
      box.current?.scrollTo({ top: box.current.scrollHeight })
      setSeen(count)
    },
  }
}

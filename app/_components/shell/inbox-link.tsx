'use client'
import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { useTRPC } from '../../_trpc/client.tsx'
import { useMe } from '../market-provider.tsx'
import { ButtonLink } from '../ui/button.tsx'

const everyMs = 30_000
/** A higher number is shown as more than this. */
const maxShown = 99

/** How much waits for the signed-in person. */
export function InboxLink() {
  const t = useTranslations('shell.inboxLink')
  const trpc = useTRPC()
  const me = useMe()
  const pathname = usePathname()
  const { data, refetch } = useQuery(trpc.goals.listInbox.queryOptions(undefined, { enabled: me !== null, refetchInterval: everyMs }))
  // An answer is given on a page, so the number may have changed when the person leaves it.
  useEffect(() => {
    if (me !== null && pathname !== '') void refetch()
  }, [me, pathname, refetch])
  if (me === null) return null
  const count = data?.length ?? 0
  const shown = count > maxShown ? `${maxShown}+` : String(count)
  return (
    <ButtonLink href="/inbox" tone="quiet" size="icon" className="relative" aria-label={t('inbox', { count, shown })}>
      <Inbox aria-hidden className="size-5!" />
      {count > 0 && (
        <span
          aria-hidden
          className="figures absolute -top-1 -right-1 grid min-w-5 place-items-center rounded-full bg-amber-soft px-1 font-semibold text-amber-ink text-xs"
        >
          {shown}
        </span>
      )}
    </ButtonLink>
  )
}

'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Button } from '../../_components/ui/button.tsx'
import { Link } from '../../_components/ui/link.tsx'
import { Notice } from '../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { useTRPC } from '../../_trpc/client.tsx'

/** Ends the mails to the address that the token names. */
export function UnsubscribeForm({ token }: { token: string }) {
  const t = useTranslations('account.unsubscribePage')
  const trpc = useTRPC()
  const unsubscribe = useMutation(trpc.notifications.unsubscribe.mutationOptions())
  if (unsubscribe.isSuccess)
    return (
      <Notice kind="good" title={t('done')}>
        {t.rich('turnOnAgain', {
          account: (chunks) => (
            <Link href="/account" className="underline underline-offset-2">
              {chunks}
            </Link>
          ),
        })}
      </Notice>
    )
  return (
    <div className="grid gap-4">
      {unsubscribe.error && <ProblemNotice error={unsubscribe.error} />}
      <Button tone="primary" className="justify-self-start" isBusy={unsubscribe.isPending} onClick={() => unsubscribe.mutate({ token })}>
        {t('unsubscribe')}
      </Button>
    </div>
  )
}

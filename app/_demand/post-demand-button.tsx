'use client'
import { uuidv7 } from '@parley/protocol'
import { useMutation } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMe } from '../_components/market-provider.tsx'
import { Button } from '../_components/ui/button.tsx'
import { Link } from '../_components/ui/link.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { useTRPC } from '../_trpc/client.tsx'
import { useWallet } from '../_wallet/wallet-provider.tsx'

const freshId = () => uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))

/** Publishes an unmet goal on the list of wanted work. It holds no money, and everyone can read it. */
export function PostDemandButton({ text }: { text: string }) {
  const t = useTranslations('ui.demand')
  const trpc = useTRPC()
  const me = useMe()
  const { openSignIn } = useWallet()
  const [id] = useState(freshId)
  const post = useMutation(trpc.goals.postDemand.mutationOptions())
  if (post.isSuccess)
    return (
      <p role="status">
        {t.rich('posted', {
          list: (chunks) => (
            <Link className="underline" href="/goals/wanted">
              {chunks}
            </Link>
          ),
        })}
      </p>
    )
  return (
    <div className="grid justify-items-start gap-1">
      <Button size="small" isBusy={post.isPending} onClick={() => (me ? post.mutate({ id, text }) : openSignIn())}>
        <Megaphone aria-hidden /> {t('tellPublishers')}
      </Button>
      <p>{me ? t('isPublic') : t('signInFirst')}</p>
      {post.error && <ProblemNotice error={post.error} />}
    </div>
  )
}

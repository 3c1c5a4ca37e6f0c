'use client'
import { LogIn } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useWallet } from '../_wallet/wallet-provider.tsx'
import { Button } from './ui/button.tsx'
import { EmptyState } from './ui/section.tsx'

/** Replaces content that requires a sign-in, and explains it. */
export function SignInGate({ title, reason }: { title: string; reason: string }) {
  const t = useTranslations('shell.signInGate')
  const { openSignIn } = useWallet()
  return (
    <EmptyState
      icon={<LogIn aria-hidden />}
      title={title}
      action={
        <Button tone="primary" onClick={() => openSignIn()}>
          {t('signInWithEthereum')}
        </Button>
      }
    >
      {reason}
    </EmptyState>
  )
}

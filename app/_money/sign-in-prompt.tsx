'use client'
import { LogIn } from 'lucide-react'
import { Button } from '../_components/ui/button.tsx'
import { EmptyState } from '../_components/ui/card.tsx'
import { useWallet } from '../_wallet/wallet-provider.tsx'

export function SignInPrompt({ what }: { what: string }) {
  const wallet = useWallet()
  return (
    <EmptyState
      icon={<LogIn aria-hidden />}
      title="Sign in first"
      action={
        <Button tone="primary" onClick={() => wallet.openSignIn()}>
          Sign in with a wallet
        </Button>
      }
    >
      {what}
    </EmptyState>
  )
}

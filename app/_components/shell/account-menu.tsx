'use client'
import { Coins, LogIn, LogOut, ReceiptText, UserRound } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useWallet } from '@/app/_wallet/wallet-provider.tsx'
import { useMe } from '../market-provider.tsx'
import { Button } from '../ui/button.tsx'
import { shorten } from '../ui/copyable-identifier.tsx'
import { Menu, MenuAction, MenuLink } from './menu.tsx'

export function AccountMenu() {
  const t = useTranslations('shell.accountMenu')
  const me = useMe()
  const { openSignIn, signOut } = useWallet()
  if (!me) {
    return (
      <Button tone="primary" onClick={() => openSignIn()}>
        <LogIn aria-hidden />
        {t('signIn')}
      </Button>
    )
  }
  return (
    <Menu
      trigger={
        <Button aria-label={t('accountAddress', { address: shorten(me.address) })}>
          <UserRound aria-hidden />
          <span className="figures max-sm:sr-only">{shorten(me.address)}</span>
        </Button>
      }
    >
      <MenuLink href="/account">
        <UserRound aria-hidden />
        {t('account')}
      </MenuLink>
      <MenuLink href="/payouts">
        <Coins aria-hidden />
        {t('payouts')}
      </MenuLink>
      {me.readsOperations && (
        <MenuLink href="/admin">
          <ReceiptText aria-hidden />
          {t('admin')}
        </MenuLink>
      )}
      <MenuAction onSelect={signOut}>
        <LogOut aria-hidden />
        {t('signOut')}
      </MenuAction>
    </Menu>
  )
}

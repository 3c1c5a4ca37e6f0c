'use client'
import { Coins, LogIn, LogOut, ReceiptText, UserRound } from 'lucide-react'
import { useWallet } from '@/app/_wallet/wallet-provider.tsx'
import { useMe } from '../market.tsx'
import { shorten } from '../ui/address.tsx'
import { Button } from '../ui/button.tsx'
import { Menu, MenuAction, MenuLink } from './menu.tsx'

export function AccountMenu() {
  const me = useMe()
  const { openSignIn, signOut } = useWallet()
  if (!me) {
    return (
      <Button tone="primary" onClick={openSignIn}>
        <LogIn aria-hidden />
        Sign in
      </Button>
    )
  }
  return (
    <Menu
      trigger={
        <Button aria-label={`Account ${shorten(me.address)}`}>
          <UserRound aria-hidden />
          <span className="figures">{shorten(me.address)}</span>
        </Button>
      }
    >
      <MenuLink href="/account">
        <UserRound aria-hidden />
        Account
      </MenuLink>
      <MenuLink href="/payouts">
        <Coins aria-hidden />
        Payouts
      </MenuLink>
      {me.readsOperations && (
        <MenuLink href="/operate">
          <ReceiptText aria-hidden />
          Operate
        </MenuLink>
      )}
      <MenuAction onSelect={signOut}>
        <LogOut aria-hidden />
        Sign out
      </MenuAction>
    </Menu>
  )
}

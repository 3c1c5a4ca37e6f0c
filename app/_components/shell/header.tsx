'use client'
import { Menu as MenuIcon, Plus } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Button, ButtonLink } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Link } from '../ui/link.tsx'
import { AccountMenu } from './account-menu.tsx'
import { InboxLink } from './inbox-link.tsx'
import { Logo } from './logo.tsx'
import { isCurrentPage, mainNavigation } from './main-navigation.ts'
import { Menu, MenuLink } from './menu.tsx'
import { PaletteTrigger } from './palette/palette-trigger.tsx'

export function Header() {
  const t = useTranslations('shell.header')
  const pathname = usePathname()
  return (
    <header className="sticky top-0 z-30 border-b bg-paper">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4 md:gap-6 md:px-6">
        <Link href="/" aria-label={t('parleyHome')} className="flex min-h-11 items-center gap-2.5 font-semibold text-lg tracking-tight">
          <Logo className="size-7" />
          {t('parley')}
        </Link>
        <nav aria-label={t('main')} className="hidden h-full md:block">
          <ul className="flex h-full">
            {mainNavigation.map(({ href, label }) => (
              <li key={href} className="h-full">
                <Link
                  href={href}
                  aria-current={isCurrentPage(pathname, href) ? 'page' : undefined}
                  className={cn(
                    'flex h-full items-center border-transparent border-y-2 px-3 text-muted hover:text-ink',
                    'aria-[current=page]:border-b-accent aria-[current=page]:font-medium aria-[current=page]:text-ink',
                  )}
                >
                  {t(label)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex items-center gap-2">
          <ButtonLink href="/goals/new" className="hidden sm:inline-flex">
            <Plus aria-hidden />
            {t('postGoal')}
          </ButtonLink>
          <PaletteTrigger />
          <InboxLink />
          <AccountMenu />
          <nav aria-label={t('main')} className="md:hidden">
            <Menu
              trigger={
                <Button tone="quiet" size="icon" aria-label={t('menu')}>
                  <MenuIcon aria-hidden className="size-5!" />
                </Button>
              }
            >
              {mainNavigation.map(({ href, label }) => (
                <MenuLink key={href} href={href} isCurrent={isCurrentPage(pathname, href)}>
                  {t(label)}
                </MenuLink>
              ))}
              <MenuLink href="/goals/new">{t('postGoal')}</MenuLink>
            </Menu>
          </nav>
        </div>
      </div>
    </header>
  )
}

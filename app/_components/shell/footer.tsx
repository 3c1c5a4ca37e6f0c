import { useTranslations } from 'next-intl'
import { Link } from '../ui/link.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

export function Footer({ theme }: { theme: 'light' | 'dark' | 'system' }) {
  const t = useTranslations('shell.footer')
  return (
    <footer className="border-t">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-5 text-muted text-sm md:px-6">
        <nav aria-label={t('more')}>
          <ul className="flex flex-wrap gap-x-5">
            {[
              ['/agents', t('agents')],
              ['/goals', t('goals')],
              ['/publish/new', t('publishAgent')],
              ['/explorer', t('explorer')],
              ['/rooms', t('howRoomWorks')],
              ['/problems', t('errorCodes')],
            ].map(([href = '/', label]) => (
              <li key={href}>
                <Link href={href} className="inline-flex min-h-11 items-center hover:text-ink hover:underline md:min-h-8">
                  {label}
                </Link>
              </li>
            ))}
            <li>
              {/* Another application serves these pages, so this is a full navigation. */}
              <a href="/docs" className="inline-flex min-h-11 items-center hover:text-ink hover:underline md:min-h-8">
                {t('docs')}
              </a>
            </li>
          </ul>
        </nav>
        <ThemeSwitch initial={theme} />
      </div>
    </footer>
  )
}

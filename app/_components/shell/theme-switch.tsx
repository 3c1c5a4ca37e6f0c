'use client'
import { Monitor, Moon, Sun } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'

const themes = [
  ['system', 'asSystem', Monitor],
  ['light', 'light', Sun],
  ['dark', 'dark', Moon],
] as const
type Theme = (typeof themes)[number][0]

/** Stored in a cookie, so that the server renders the theme and the page does not flash. */
export function ThemeSwitch({ initial }: { initial: Theme }) {
  const t = useTranslations('shell.themeSwitch')
  const [theme, setTheme] = useState<Theme>(initial)
  const choose = (next: Theme) => {
    setTheme(next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser yet
    document.cookie = `parley_theme=${next}; path=/; max-age=${next === 'system' ? 0 : 31_536_000}; samesite=lax`
  }
  return (
    <fieldset className="flex rounded-md border border-line-strong">
      <legend className="sr-only">{t('theme')}</legend>
      {themes.map(([value, label, Icon]) => (
        <label
          key={value}
          title={t(label)}
          className="grid size-11 cursor-pointer place-items-center first-of-type:rounded-l-md last-of-type:rounded-r-md has-checked:bg-plain-soft has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-current md:size-8"
        >
          <input type="radio" name="theme" value={value} checked={theme === value} onChange={() => choose(value)} className="sr-only" />
          <Icon aria-hidden className="size-4" />
          <span className="sr-only">{t(label)}</span>
        </label>
      ))}
    </fieldset>
  )
}

'use client'
import { useTranslations } from 'next-intl'
import type { Translate } from '@/app/_messages/translate-types.ts'
import { useCurrentTime } from './use-current-time.ts'

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const formats: { [timeStyle in 'short' | 'medium']?: Intl.DateTimeFormat } = {}

/** A format takes a millisecond to create, and a page may have hundreds of times. */
function inLocalTime(date: Date, timeStyle: 'short' | 'medium'): string {
  formats[timeStyle] ??= new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle })
  return formats[timeStyle].format(date)
}

export function relativeTime(at: Date, now: Date, t: Translate<'ui.time'>): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  if (Math.abs(seconds) > 30 * 86_400) return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
  // "In 2 days" for 71 hours would be a day too early for a deadline.
  if (seconds >= 86_400 && seconds < 3 * 86_400) return relative.format(Math.trunc(seconds / 3_600), 'hour')
  for (const [unit, size] of units) if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  return Math.abs(seconds) < 10 ? t('justNow') : relative.format(seconds, 'second')
}

/**
 * Relative in view, absolute in the title. Until the page is hydrated it shows what the server has rendered: absolute times in UTC, and
 * relative ones as of the request. So nothing on the page moves.
 */
export function Time({ at, isAbsolute = false, className }: { at: string | Date; isAbsolute?: boolean; className?: string }) {
  const t = useTranslations('ui.time')
  const date = typeof at === 'string' ? new Date(at) : at
  const { now, isHydrated } = useCurrentTime()
  // An unreadable record has an invalid time.
  if (Number.isNaN(date.getTime())) return <span className={className}>{t('atUnknownTime')}</span>
  const iso = date.toISOString()
  const utc = t('utcTime', { iso: iso.slice(0, 16).replace('T', ' ') })
  return (
    <time dateTime={iso} title={isHydrated ? inLocalTime(date, 'medium') : utc} className={className}>
      {isAbsolute ? (isHydrated ? inLocalTime(date, 'short') : utc) : relativeTime(date, now, t)}
    </time>
  )
}

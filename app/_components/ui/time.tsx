'use client'
import { useTranslations } from 'next-intl'
import type { Translate } from '@/app/_messages/translate-types.ts'
import { useCurrentTime } from './use-current-time.ts'

const units = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
] as const

const formats: { [timeStyle in 'short' | 'medium']?: Intl.DateTimeFormat } = {}

/** A format takes ten milliseconds on a phone to create, and a page may have hundreds of times. */
function inLocalTime(date: Date, timeStyle: 'short' | 'medium'): string {
  formats[timeStyle] ??= new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle })
  return formats[timeStyle].format(date)
}

export function relativeTime(at: Date, now: Date, t: Translate<'ui.time'>): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  if (Math.abs(seconds) > 30 * 86_400) return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
  // "In 2 days" for 71 hours would be a day too early for a deadline.
  if (seconds >= 86_400 && seconds < 3 * 86_400) return written(Math.trunc(seconds / 3_600), 'hours', t)
  for (const [unit, size] of units) if (Math.abs(seconds) >= size) return written(Math.trunc(seconds / size), unit, t)
  return Math.abs(seconds) < 10 ? t('justNow') : written(seconds, 'seconds', t)
}

/** By the messages, not by the browser's formatter of relative times: each page would create one before it reacts. */
function written(count: number, unit: 'seconds' | (typeof units)[number][0], t: Translate<'ui.time'>): string {
  if (count < 0) return count === -1 && unit === 'days' ? t('yesterday') : t(`ago.${unit}`, { count: -count })
  return t(`ahead.${unit}`, { count })
}

/**
 * Relative in view, absolute in the title: in the reader's zone as soon as the pointer is on it. Until the page is hydrated it shows what the server has rendered: absolute times in UTC, and
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
    <time
      dateTime={iso}
      title={utc}
      onPointerEnter={(event) => {
        event.currentTarget.title = inLocalTime(date, 'medium')
      }}
      className={className}
    >
      {isAbsolute ? (isHydrated ? inLocalTime(date, 'short') : utc) : relativeTime(date, now, t)}
    </time>
  )
}

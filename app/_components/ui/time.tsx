'use client'
import { useEffect, useState } from 'react'

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

export function relativeTime(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  if (Math.abs(seconds) > 30 * 86_400) return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
  for (const [unit, size] of units) if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  return Math.abs(seconds) < 10 ? 'just now' : relative.format(seconds, 'second')
}

/** Relative in view, absolute in the title. The server's markup shows UTC, so that both sides render the same. */
export function Time({ at, isAbsolute = false, className }: { at: string | Date; isAbsolute?: boolean; className?: string }) {
  const date = typeof at === 'string' ? new Date(at) : at
  const [now, setNow] = useState<Date | null>(null)
  useEffect(() => {
    setNow(new Date())
    const timer = setInterval(() => setNow(new Date()), 20_000)
    return () => clearInterval(timer)
  }, [])
  // Of a record that can't be read.
  if (Number.isNaN(date.getTime())) return <span className={className}>at an unknown time</span>
  const iso = date.toISOString()
  const utc = `${iso.slice(0, 16).replace('T', ' ')} UTC`
  const localTo = (timeStyle: 'short' | 'medium') => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle }).format(date)
  return (
    <time dateTime={iso} title={now === null ? utc : localTo('medium')} className={className}>
      {now === null ? utc : isAbsolute ? localTo('short') : relativeTime(date, now)}
    </time>
  )
}

'use client'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { Input } from './field.tsx'

/** A share in percent with two decimals, as a number input and as a slider of whole ones. */
export function PercentField({
  label,
  hint,
  value,
  onChange,
}: {
  label: string
  hint?: string
  value: number
  onChange: (percent: number) => void
}) {
  const t = useTranslations('ui.percentField')
  const id = useId()
  const set = (text: string) => onChange(Math.min(100, Math.max(0, Math.round((Number(text) || 0) * 100) / 100)))
  return (
    <fieldset className="grid gap-1.5" aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      <div className="flex items-center gap-3">
        <input
          type="range"
          aria-label={t('slider', { label })}
          min={0}
          max={100}
          step={1}
          value={Math.round(value)}
          onChange={(event) => set(event.target.value)}
          className="min-h-11 min-w-0 flex-1 accent-accent md:min-h-10"
        />
        <Input
          type="number"
          inputMode="decimal"
          aria-label={t('percent', { label })}
          min={0}
          max={100}
          step={0.01}
          value={value}
          onChange={(event) => set(event.target.value)}
          className="w-24 text-right"
        />
        <span aria-hidden>%</span>
      </div>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm leading-snug">
          {hint}
        </p>
      )}
    </fieldset>
  )
}

'use client'
import { Check, CircleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react'
import { cn } from './cn.ts'

type Wiring = { id: string; describedBy: string | undefined; isInvalid: boolean }
const FieldWiring = createContext<Wiring | null>(null)

/** A labelled control with its hint and its error. It passes its id and descriptions to the control inside. */
export function Field({
  label,
  hint,
  error,
  isOptional = false,
  className,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: string | null | undefined
  isOptional?: boolean
  className?: string
  children: ReactNode
}) {
  const t = useTranslations('ui.field')
  const id = useId()
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined
  return (
    <FieldWiring.Provider value={{ id, describedBy, isInvalid: Boolean(error) }}>
      <div className={cn('grid content-start gap-1.5', className)}>
        <label htmlFor={id} className="font-medium text-sm">
          {label}
          {isOptional && <span className="font-normal text-faint"> {t('optional')}</span>}
        </label>
        {children}
        {hint && (
          <p id={`${id}-hint`} className="text-muted text-sm leading-snug">
            {hint}
          </p>
        )}
        <p
          id={`${id}-error`}
          aria-live="polite"
          className="flex items-start gap-1.5 whitespace-pre-line text-bad-ink text-sm leading-snug empty:hidden"
        >
          {error && (
            <>
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              <span className="min-w-0 [overflow-wrap:anywhere]">{error}</span>
            </>
          )}
        </p>
      </div>
    </FieldWiring.Provider>
  )
}

const box =
  'w-full rounded-md border border-line-strong bg-surface px-3 text-ink placeholder:text-faint focus-visible:outline-offset-0 disabled:opacity-60 aria-invalid:border-bad'

function useWiring() {
  const field = useContext(FieldWiring)
  return field ? { id: field.id, 'aria-describedby': field.describedBy, 'aria-invalid': field.isInvalid || undefined } : {}
}

/** `maxLength` of a controlled input is counted and shown. A browser would silently truncate pasted text. */
export function Input({ className, maxLength, ...rest }: ComponentProps<'input'>) {
  const wiring = useWiring()
  const length = typeof rest.value === 'string' ? rest.value.length : null
  const bound = length === null ? { maxLength } : longerThan(length, maxLength)
  return (
    <>
      <input {...wiring} className={cn(box, 'min-h-11 md:min-h-10', className)} {...bound} {...rest} />
      <Count length={length} max={maxLength} />
    </>
  )
}

/** As `Input`: a text that is too long is reported, not truncated. */
export function Textarea({ className, maxLength, ...rest }: ComponentProps<'textarea'>) {
  const wiring = useWiring()
  const length = typeof rest.value === 'string' ? rest.value.length : null
  const bound = length === null ? { maxLength } : longerThan(length, maxLength)
  return (
    <>
      <textarea {...wiring} className={cn(box, 'min-h-24 py-2 leading-normal', className)} {...bound} {...rest} />
      <Count length={length} max={maxLength} />
    </>
  )
}

const longerThan = (length: number, max: number | undefined) => (max !== undefined && length > max ? { 'aria-invalid': true } : {})

/** The length of a text and its maximum, from 80 % of the maximum on. */
function Count({ length, max }: { length: number | null; max: number | undefined }) {
  const t = useTranslations('ui.field')
  if (length === null || max === undefined || length <= max * 0.8) return null
  const isOver = length > max
  const figures = t('ofCharacters', { length: length.toLocaleString('en'), max: max.toLocaleString('en') })
  return (
    <p role={isOver ? 'alert' : undefined} className={cn('text-sm', isOver ? 'text-bad-ink' : 'text-muted')}>
      {isOver ? t('tooMany', { figures, length: (length - max).toLocaleString('en') }) : figures}
    </p>
  )
}

export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <select {...useWiring()} className={cn(box, 'min-h-11 pr-8 md:min-h-10', className)} {...rest}>
      {children}
    </select>
  )
}

/** A checkbox with its label. The whole row is clickable. */
export function Checkbox({ label, hint, className, ...rest }: ComponentProps<'input'> & { label: ReactNode; hint?: ReactNode }) {
  return (
    <label className={cn('flex min-h-11 cursor-pointer items-start gap-3 py-2 md:min-h-9 md:py-1.5', className)}>
      <span className="relative mt-0.5 grid size-5 shrink-0 place-items-center">
        <input
          type="checkbox"
          className="peer size-5 appearance-none rounded-sm border border-line-strong bg-surface checked:border-accent checked:bg-accent"
          {...rest}
        />
        <Check aria-hidden className="pointer-events-none absolute size-4 text-on-accent opacity-0 peer-checked:opacity-100" />
      </span>
      <span className="leading-snug">
        {label}
        {hint && <span className="block text-muted text-sm">{hint}</span>}
      </span>
    </label>
  )
}

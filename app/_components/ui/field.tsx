'use client'
import { Check, CircleAlert } from 'lucide-react'
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react'
import { cn } from './cn.ts'

type Wiring = { id: string; describedBy: string | undefined; isInvalid: boolean }
const FieldWiring = createContext<Wiring | null>(null)

/** A labelled control with its hint and its error. The control inside takes its id and descriptions by itself. */
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
  const id = useId()
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined
  return (
    <FieldWiring.Provider value={{ id, describedBy, isInvalid: Boolean(error) }}>
      <div className={cn('grid content-start gap-1.5', className)}>
        <label htmlFor={id} className="font-medium text-sm">
          {label}
          {isOptional && <span className="font-normal text-faint"> (optional)</span>}
        </label>
        {children}
        {hint && (
          <p id={`${id}-hint`} className="text-muted text-sm leading-snug">
            {hint}
          </p>
        )}
        <p id={`${id}-error`} aria-live="polite" className="flex items-start gap-1.5 text-bad-ink text-sm leading-snug empty:hidden">
          {error && (
            <>
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              {error}
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

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useWiring()} className={cn(box, 'min-h-11 md:min-h-10', className)} {...rest} />
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...useWiring()} className={cn(box, 'min-h-24 py-2 leading-normal', className)} {...rest} />
}

export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <select {...useWiring()} className={cn(box, 'min-h-11 pr-8 md:min-h-10', className)} {...rest}>
      {children}
    </select>
  )
}

/** A box with its words beside it; the whole row can be pressed. */
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

import { cva, type VariantProps } from 'class-variance-authority'
import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn.ts'
import { Link } from './link.tsx'

const look = cva(
  'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      tone: {
        primary: 'bg-accent text-on-accent hover:bg-accent-hover',
        secondary: 'border border-line-strong bg-surface text-ink hover:bg-plain-soft',
        quiet: 'text-ink hover:bg-plain-soft',
        danger: 'border border-bad bg-surface text-bad-ink hover:bg-bad-soft',
      },
      size: {
        medium: 'min-h-11 px-4 text-[0.9375rem] md:min-h-10',
        small: 'min-h-11 px-3 text-sm md:min-h-8',
        icon: 'size-11 md:size-9',
      },
    },
    defaultVariants: { tone: 'secondary', size: 'medium' },
  },
)
type Look = VariantProps<typeof look>

/** `isBusy` keeps the width, announces itself, and stops a second click. */
export function Button({
  tone,
  size,
  isBusy = false,
  className,
  children,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & Look & { isBusy?: boolean | undefined }) {
  return (
    <button
      type={type}
      className={cn(look({ tone, size }), className)}
      aria-busy={isBusy || undefined}
      {...rest}
      disabled={rest.disabled || isBusy}
    >
      {isBusy && <LoaderCircle aria-hidden className="animate-spin" />}
      {children}
    </button>
  )
}

/** A link that looks like a button, for navigation. */
export function ButtonLink({ tone, size, className, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link className={cn(look({ tone, size }), className)} {...rest} />
}

/** A button with only an icon. Screen readers and the tooltip use its label. */
export function IconButton({ label, children, ...rest }: ComponentProps<typeof Button> & { label: string; children?: ReactNode }) {
  return (
    <Button aria-label={label} title={label} tone="quiet" size="icon" {...rest}>
      {children}
    </Button>
  )
}

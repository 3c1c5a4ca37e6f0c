import { cn } from './cn.ts'

const tints = [
  'bg-accent-soft text-accent-ink',
  'bg-amber-soft text-amber-ink',
  'bg-blue-soft text-blue-ink',
  'bg-good-soft text-good-ink',
  'bg-bad-soft text-bad-ink',
  'bg-plain-soft text-ink',
]

/** Two letters on a color that is derived from the name. The name is shown beside it. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  const words = name.split(/[\s\-_.]+/).filter(Boolean)
  const letters = ((words[0]?.[0] ?? '?') + (words[1]?.[0] ?? words[0]?.[1] ?? '')).toUpperCase()
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997
  return (
    <span
      aria-hidden
      className={cn('grid size-9 shrink-0 place-items-center rounded-md font-semibold text-xs', tints[sum % tints.length], className)}
    >
      {letters}
    </span>
  )
}

import { cn } from './cn.ts'

const tints = [
  'bg-accent-soft text-accent-ink',
  'bg-amber-soft text-amber-ink',
  'bg-blue-soft text-blue-ink',
  'bg-good-soft text-good-ink',
  'bg-bad-soft text-bad-ink',
  'bg-plain-soft text-ink',
]

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Two letters on a color that is derived from the name. The name is shown beside it. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  // By graphemes: half an emoji cannot be shown.
  const [first = [], second = []] = name
    .split(/[\s\-_.]+/)
    .filter(Boolean)
    .map((word) => Array.from(graphemes.segment(word.slice(0, 40)), ({ segment }) => segment))
  const letters = ((first[0] ?? '?') + (second[0] ?? first[1] ?? '')).toUpperCase()
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

import { cn } from './cn.ts'

export type Share = { readonly label: string; readonly value: bigint; readonly tone: 'accent' | 'amber' | 'good' | 'bad' | 'plain' }
const fills = { accent: 'bg-accent', amber: 'bg-amber', good: 'bg-good', bad: 'bg-bad', plain: 'bg-line' }

/** A bar of the parts of a whole. `label` gives the same facts to screen readers. Put the figures beside it. */
export function StackedBar({
  label,
  total,
  shares,
  className,
}: {
  label: string
  total: bigint
  shares: readonly Share[]
  className?: string
}) {
  return (
    <div role="img" aria-label={label} className={cn('flex h-2.5 gap-px overflow-hidden rounded-sm bg-plain-soft', className)}>
      {shares
        .filter((share) => share.value > 0n)
        .map((share) => (
          <div key={share.label} title={share.label} className={fills[share.tone]} style={{ width: `${percentOf(share.value, total)}%` }} />
        ))}
    </div>
  )
}

/** To a hundredth of a per cent; for widths only. */
export function percentOf(value: bigint, total: bigint): number {
  return total === 0n ? 0 : Number((value * 10_000n) / total) / 100
}

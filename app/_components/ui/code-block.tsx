'use client'
import { cn } from './cn.ts'
import { CopyButton } from './copy-button.tsx'

/** A text to copy: a snippet, a key. Long lines scroll inside it. */
export function CodeBlock({ code, label, className }: { code: string; label: string; className?: string }) {
  return (
    <figure className={cn('relative min-w-0', className)}>
      <figcaption className="flex items-center justify-between gap-2 rounded-t-md border border-b-0 bg-sunken py-1 pr-1 pl-3">
        <span className="truncate font-medium text-muted text-sm">{label}</span>
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="figures overflow-x-auto rounded-b-md border bg-surface p-3 text-[0.8125rem] leading-relaxed">
        <code>{code}</code>
      </pre>
    </figure>
  )
}

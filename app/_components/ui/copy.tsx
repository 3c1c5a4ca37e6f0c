'use client'
import { Check, Copy } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'

/** Copies a text and confirms it. */
export function CopyButton({
  text,
  label,
  isIconOnly = false,
  className,
}: {
  text: string
  label?: string
  isIconOnly?: boolean
  className?: string
}) {
  const t = useTranslations('ui.copy')
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 1_800)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    )
  const word = state === 'copied' ? t('copied') : state === 'failed' ? t('selectCopyByHand') : (label ?? t('copy'))
  return (
    <Button
      tone={isIconOnly ? 'quiet' : 'secondary'}
      size={isIconOnly ? 'icon' : 'small'}
      onClick={copy}
      title={word}
      className={cn(isIconOnly && '-my-1 size-8 md:size-7', className)}
    >
      {state === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span className={isIconOnly ? 'sr-only' : undefined} aria-live="polite">
        {word}
      </span>
    </Button>
  )
}

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

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
  const t = useTranslations('ui.copyButton')
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

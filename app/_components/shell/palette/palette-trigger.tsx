'use client'
import { Search } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'

/** Loaded when it is first opened, so that a first visit does not load the code of its list. */
const CommandPalette = dynamic(() => import('./command-palette.tsx').then((module) => module.CommandPalette), { ssr: false })

/** The button and the shortcut Ctrl+K (⌘K) that open the command palette. */
export function PaletteTrigger() {
  const t = useTranslations('shell.palette')
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen((before) => !before)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <Button
        tone="quiet"
        size="icon"
        aria-label={t('open')}
        title={t('open')}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Search aria-hidden className="size-5!" />
      </Button>
      {isOpen && <CommandPalette onClose={() => setOpen(false)} />}
    </>
  )
}

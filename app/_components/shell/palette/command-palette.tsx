'use client'
import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useDeferredValue, useState } from 'react'
import { useTRPC } from '../../../_trpc/client.tsx'
import { goalTitle } from '../../../_views/goal-title.ts'
import { useMe } from '../../market-provider.tsx'
import { findPlaces, type PaletteCommand } from './palette-commands.ts'

const maxFound = 5
/** Fewer letters match too much. */
const minLetters = 2

type Group = { readonly label: string; readonly items: PaletteCommand[] }

/** Finds places, agents and goals by words. The keyboard alone is enough: arrows choose, Enter opens, Escape closes. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const t = useTranslations('shell.palette')
  const router = useRouter()
  const [query, setQuery] = useState('')
  const groups = usePaletteGroups(query)
  const open = (command: PaletteCommand) => {
    onClose()
    router.push(command.href)
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 animate-appear bg-black/45" />
        <Dialog.Popup className="fixed inset-x-3 top-3 z-50 animate-appear overflow-hidden rounded-lg border border-line-strong bg-surface text-ink md:inset-x-auto md:top-24 md:left-1/2 md:w-[36rem] md:-translate-x-1/2">
          <Dialog.Title className="sr-only">{t('title')}</Dialog.Title>
          <Autocomplete.Root
            inline
            open
            mode="none"
            autoHighlight="always"
            items={groups}
            value={query}
            itemToStringValue={(command: PaletteCommand) => command.label}
            onValueChange={(value, { reason }) => reason !== 'item-press' && setQuery(value)}
          >
            <Autocomplete.Input
              autoFocus
              aria-label={t('title')}
              placeholder={t('placeholder')}
              maxLength={200}
              className="min-h-14 w-full border-b bg-transparent px-4 text-base outline-none placeholder:text-muted"
            />
            <Autocomplete.Empty className="px-4 py-6 text-muted empty:hidden">{t('nothing')}</Autocomplete.Empty>
            <Autocomplete.List className="max-h-[60dvh] overflow-y-auto p-2 empty:hidden">
              {(group: Group) => <PaletteGroup key={group.label} group={group} onOpen={open} />}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteGroup({ group, onOpen }: { group: Group; onOpen: (command: PaletteCommand) => void }) {
  return (
    <Autocomplete.Group items={group.items} className="pb-1">
      <Autocomplete.GroupLabel className="px-3 pt-2 pb-1 text-muted text-xs uppercase tracking-wide">{group.label}</Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(command: PaletteCommand) => (
          <Autocomplete.Item
            key={command.id}
            value={command}
            onClick={() => onOpen(command)}
            className="flex min-h-11 cursor-default items-center justify-between gap-3 rounded-sm px-3 data-highlighted:bg-plain-soft md:min-h-10"
          >
            <span className="truncate">{command.label}</span>
            {command.note && <span className="shrink-0 text-muted text-sm">{command.note}</span>}
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  )
}

/** Groups without results are left out. */
function usePaletteGroups(query: string): Group[] {
  const t = useTranslations('shell.palette')
  const trpc = useTRPC()
  const me = useMe()
  const text = useDeferredValue(query.trim())
  const isSearched = text.length >= minLetters
  const agents = useQuery(
    trpc.registry.discover.queryOptions({ text, limit: maxFound }, { enabled: isSearched, placeholderData: keepPreviousData }),
  )
  const goals = useQuery(
    trpc.goals.list.queryOptions({ text, limit: maxFound }, { enabled: isSearched, placeholderData: keepPreviousData }),
  )
  const foundAgents = isSearched ? (agents.data?.listings ?? []) : []
  const foundGoals = isSearched ? (goals.data?.goals ?? []) : []
  return [
    { label: t('goTo'), items: findPlaces(query, (label) => t(`places.${label}`), me) },
    {
      label: t('agents'),
      items: foundAgents.map(({ agent_id, handle, name }) => ({
        id: agent_id,
        label: name,
        note: `@${handle}`,
        href: `/agents/${handle}`,
      })),
    },
    { label: t('goals'), items: foundGoals.map(({ id, text: goal }) => ({ id, label: goalTitle(goal), href: `/goals/${id}` })) },
  ].filter(({ items }) => items.length > 0)
}

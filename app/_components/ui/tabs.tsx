'use client'
import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

export type Tab = { readonly value: string; readonly label: ReactNode; readonly content: ReactNode }

/** Tabs: one visible panel. Arrow keys move between them. */
export function Tabs({ tabs, label, className }: { tabs: readonly Tab[]; label: string; className?: string }) {
  return (
    <Base.Root defaultValue={tabs[0]?.value ?? null} className={className}>
      <Base.List aria-label={label} className="flex gap-1 overflow-x-auto border-b">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className={cn(
              '-mb-px min-h-11 whitespace-nowrap border-transparent border-b-2 px-3 text-muted text-sm hover:text-ink focus-visible:outline-offset-[-2px] md:min-h-10',
              'data-[active]:border-accent data-[active]:font-medium data-[active]:text-ink',
            )}
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}

import type { Messages } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { NestedMessagesProvider } from './nested-messages-provider.tsx'

export type Area = keyof Messages

/** The messages that components in the browser need, in addition to those of the layout. */
export async function AreaMessages({ areas, children }: { areas: readonly Area[]; children: ReactNode }) {
  return <NestedMessagesProvider messages={pickAreas(await getMessages(), areas)}>{children}</NestedMessagesProvider>
}

export function pickAreas(all: Messages, areas: readonly Area[]): Partial<Messages> {
  return Object.fromEntries(areas.map((area) => [area, all[area]]))
}

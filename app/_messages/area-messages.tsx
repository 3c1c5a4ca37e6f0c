import type { Messages } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { AddMessages } from './add-messages.tsx'

export type Area = keyof Messages

/** The part of the catalogue that components in the browser need inside, besides what they have from around. */
export async function AreaMessages({ areas, children }: { areas: readonly Area[]; children: ReactNode }) {
  return <AddMessages messages={pickAreas(await getMessages(), areas)}>{children}</AddMessages>
}

export function pickAreas(all: Messages, areas: readonly Area[]): Partial<Messages> {
  return Object.fromEntries(areas.map((area) => [area, all[area]]))
}

'use client'
import { type Messages, NextIntlClientProvider, useLocale, useMessages } from 'next-intl'
import { type ReactNode, useMemo } from 'react'

/** A nested provider replaces the messages of the outer one. This one keeps them. */
export function NestedMessagesProvider({ messages, children }: { messages: Partial<Messages>; children: ReactNode }) {
  const outer = useMessages()
  const all = useMemo(() => ({ ...outer, ...messages }), [outer, messages])
  return (
    <NextIntlClientProvider locale={useLocale()} messages={all}>
      {children}
    </NextIntlClientProvider>
  )
}

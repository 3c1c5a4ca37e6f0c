'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { ChannelDetails } from '../_calls/channel-view.ts'
import { isChannelChanging } from '../_calls/payment-channel-panel.tsx'
import { Link } from '../_components/ui/link.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Section, Skeleton } from '../_components/ui/section.tsx'
import { StateChip } from '../_components/ui/state-chip.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'

/** The polling interval while nothing is pending. This page gets no event for a call. */
const idleMs = 5_000
const busyMs = 1_000

type Props = {
  side: 'client' | 'publisher'
  title: string
  aside: string
  /** Three sums of a channel, with their column headings. */
  sums: readonly { head: string; of: (channel: ChannelDetails) => ReactNode; isStrong?: boolean }[]
  /** Content below a channel's state. */
  note?: (channel: ChannelDetails) => string | null
  /** The actions of a channel. `acts`: the column heading for screen readers. */
  actionLabel: string
  act: (channel: ChannelDetails) => ReactNode
  /** Content below the table. */
  after?: (channels: readonly ChannelDetails[]) => ReactNode
}

/** The person's channels as payer or as publisher, with state and sums. Renders nothing without channels. */
export function PaymentChannelTable({ side, title, aside, sums, note, actionLabel, act, after }: Props) {
  const t = useTranslations('payouts.paymentChannelTable')
  const trpc = useTRPC()
  const channels = useQuery(
    trpc.channels.listMine.queryOptions(
      { side },
      { refetchInterval: ({ state: { data } }) => (data && data.length > 0 ? (data.some(isChannelChanging) ? busyMs : idleMs) : false) },
    ),
  )
  if (channels.isPending) return <Skeleton className="h-24 rounded-lg" />
  if (channels.error) return <ProblemNotice error={channels.error} />
  if (channels.data.length === 0) return null
  return (
    <Section title={title} aside={aside}>
      <Table caption={title} isStacked>
        <thead>
          <tr>
            <Th>{t('agent')}</Th>
            <Th>{t('state')}</Th>
            {sums.map(({ head }) => (
              <Th key={head} isNumber>
                {head}
              </Th>
            ))}
            <Th>
              <span className="sr-only">{actionLabel}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {channels.data.map((channel) => (
            <Tr key={channel.id}>
              <Td>
                <Link className="whitespace-nowrap text-link" href={`/agents/${channel.handle}#ask`}>
                  {channel.name}
                </Link>
              </Td>
              <Td className="max-md:text-right">
                <StateChip of="channel" state={channel.state} />
                <Note text={note?.(channel) ?? null} />
              </Td>
              {sums.map(({ head, of, isStrong = false }, place) => (
                <Td key={head} isNumber className={`${isStrong ? 'font-semibold' : ''} ${place % 2 === 0 ? 'max-md:text-left' : ''}`}>
                  <span className="caption md:hidden">{head} </span>
                  {of(channel)}
                </Td>
              ))}
              <Td className="text-right">{act(channel)}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {after?.(channels.data)}
    </Section>
  )
}

function Note({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <span role="status" className="mt-0.5 block max-w-64 whitespace-normal text-muted text-xs max-md:ml-auto">
      {text}
    </span>
  )
}

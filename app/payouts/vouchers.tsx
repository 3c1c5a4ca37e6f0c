'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Coins } from 'lucide-react'
import Link from 'next/link'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { isMoving } from '../_calls/channel-desk.tsx'
import type { ChannelView } from '../_calls/channel-view.ts'
import { CloseChannel } from '../_calls/close-channel.tsx'
import { useMarket } from '../_components/market.tsx'
import { Address } from '../_components/ui/address.tsx'
import { Button } from '../_components/ui/button.tsx'
import { Section, Skeleton } from '../_components/ui/card.tsx'
import { StateChip } from '../_components/ui/chip.tsx'
import { Money } from '../_components/ui/money.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'

/** How soon is looked again where nothing is under way: calls come without a word to this page. */
const idleMs = 5_000
const busyMs = 1_000

function useChannels(side: 'client' | 'publisher') {
  const trpc = useTRPC()
  return useQuery(
    trpc.channels.listMine.queryOptions(
      { side },
      { refetchInterval: ({ state: { data } }) => (data && data.length > 0 ? (data.some(isMoving) ? busyMs : idleMs) : false) },
    ),
  )
}

/** What calls have earned, channel by channel, and what of it was sent. Nothing where nobody has opened one. */
export function VouchersToClaim() {
  const channels = useChannels('publisher')
  if (channels.isPending) return <Skeleton className="h-24 rounded-lg" />
  if (channels.error) return <ProblemNotice error={channels.error} />
  if (channels.data.length === 0) return null
  return (
    <Section title="Vouchers to claim" aside="From calls to your agents; sent by itself when it comes to more, or the channel closes">
      <Table caption="Vouchers to claim" isStacked>
        <thead>
          <tr>
            <Th>Agent</Th>
            <Th>State</Th>
            <Th isNumber>Earned</Th>
            <Th isNumber>Claimed</Th>
            <Th isNumber>To claim</Th>
            <Th>
              <span className="sr-only">Claim</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {channels.data.map((channel) => (
            <Tr key={channel.id}>
              <Td>
                <AgentLink channel={channel} />
              </Td>
              <Td className="max-md:text-right">
                <StateChip of="channel" state={channel.state} />
              </Td>
              <Td isNumber className="max-md:text-left">
                <span className="caption md:hidden">Earned </span>
                <Money amount={channel.earned} />
              </Td>
              <Td isNumber>
                <span className="caption md:hidden">Claimed </span>
                <Money amount={channel.claimed} />
              </Td>
              <Td isNumber className="font-semibold max-md:text-left">
                <span className="caption md:hidden">To claim </span>
                <Money amount={channel.unclaimed} />
              </Td>
              <Td className="text-right">
                <ClaimButton channel={channel} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <Vouchers channels={channels.data} />
    </Section>
  )
}

/** What it takes to claim at the contract without anybody's help. */
function Vouchers({ channels }: { channels: readonly ChannelView[] }) {
  const market = useMarket()
  const held = channels.filter((channel) => channel.voucher !== null)
  if (held.length === 0 || market.channels === null) return null
  const text = JSON.stringify(
    held.map(({ config, voucher }) => ({ config, cumulativeAmount: String(voucher?.amount), signature: voucher?.signature })),
    null,
    2,
  )
  return (
    <details className="mt-3 rounded-md border bg-sunken">
      <summary className="min-h-11 px-3 py-2.5 font-medium text-sm md:min-h-9 md:py-2">The vouchers themselves</summary>
      <div className="grid gap-3 px-3 pb-3 text-sm">
        <p>
          With these your wallet can call settle(config, cumulativeAmount, signature) at <Address address={market.channels} />, should we
          not be there.
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre tabIndex={0} className="figures max-h-80 overflow-auto rounded-md border bg-surface p-3 text-[0.8125rem] leading-snug">
          {text}
        </pre>
      </div>
    </details>
  )
}

function ClaimButton({ channel }: { channel: ChannelView }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const claim = useMutation(
    trpc.channels.claim.mutationOptions({ onSettled: () => queries.invalidateQueries(trpc.channels.listMine.queryFilter()) }),
  )
  const isSent = channel.underway === 'claim' || channel.underway === 'close'
  if (claim.error) return <ProblemNotice error={claim.error} money="No money moved." />
  if (isSent)
    return (
      <span role="status" className="text-muted text-sm">
        Confirming
      </span>
    )
  return (
    <span className="grid justify-items-end gap-1">
      {channel.isClaimable && (
        <Button size="small" isBusy={claim.isPending} onClick={() => claim.mutate({ channel_id: channel.id })}>
          <Coins aria-hidden />
          <span>
            Claim<span className="sr-only"> what {channel.name} has earned</span>
          </span>
        </Button>
      )}
      {channel.failure && <span className="max-w-56 whitespace-normal text-bad-ink text-xs">{channel.failure}</span>}
    </span>
  )
}

/** What one has set aside for calls, and what is left of it. Nothing where there is no channel. */
export function OwnChannels() {
  const channels = useChannels('client')
  if (channels.isPending) return <Skeleton className="h-24 rounded-lg" />
  if (channels.error) return <ProblemNotice error={channels.error} />
  if (channels.data.length === 0) return null
  return (
    <Section title="Your channels" aside="Set aside for calls to agents">
      <Table caption="Your channels" isStacked>
        <thead>
          <tr>
            <Th>Agent</Th>
            <Th>State</Th>
            <Th isNumber>Set aside</Th>
            <Th isNumber>Spent</Th>
            <Th isNumber>Left</Th>
            <Th>
              <span className="sr-only">Close</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {channels.data.map((channel) => (
            <Tr key={channel.id}>
              <Td>
                <AgentLink channel={channel} />
              </Td>
              <Td className="max-md:text-right">
                <StateChip of="channel" state={channel.state} />
                {channel.state === 'failed' && channel.failure && <span className="block text-muted text-xs">{channel.failure}</span>}
              </Td>
              <Td isNumber className="max-md:text-left">
                <span className="caption md:hidden">Set aside </span>
                <Money amount={channel.deposit} />
              </Td>
              <Td isNumber>
                <span className="caption md:hidden">Spent </span>
                <Money amount={channel.earned} />
              </Td>
              <Td isNumber className="max-md:text-left">
                <span className="caption md:hidden">Left </span>
                <Money amount={channel.refunded ?? channel.deposit - channel.earned} />
                {channel.refunded !== null && <span className="block font-sans text-muted text-xs">came back</span>}
              </Td>
              <Td className="text-right">{channel.state === 'open' && <CloseChannel channel={channel} isNarrow />}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}

function AgentLink({ channel }: { channel: ChannelView }) {
  return (
    <Link className="whitespace-nowrap text-link" href={`/agents/${channel.handle}#ask`}>
      {channel.name}
    </Link>
  )
}

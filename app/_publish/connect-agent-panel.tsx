'use client'
import { useSubscription } from '@trpc/tanstack-react-query'
import { KeyRound, PlugZap, Radio } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import type { Quickstart } from '@/server/trpc/views/read-quickstarts.ts'
import { useMarket } from '../_components/market-provider.tsx'
import { CodeBlock } from '../_components/ui/code-block.tsx'
import { CopyButton } from '../_components/ui/copy-button.tsx'
import { CopyableIdentifier } from '../_components/ui/copyable-identifier.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { Card } from '../_components/ui/section.tsx'
import { Tabs } from '../_components/ui/tabs.tsx'
import { Time } from '../_components/ui/time.tsx'
import { useTRPC } from '../_trpc/client.tsx'
import { fillQuickstart, type SnippetListing } from './snippets/fill-quickstart.ts'
import { shellCommands } from './snippets/shell-commands.ts'

export type Connectable = {
  readonly agent_id: string
  readonly presence: string
  readonly last_seen_at: string | null
  readonly did: string
}

/** How to connect an agent to its listing, and whether it is connected. `token` is present only right after its creation. */
export function ConnectAgentPanel({
  agent,
  listing,
  token,
  quickstarts,
}: {
  agent: Connectable
  listing: SnippetListing
  token: string | null
  quickstarts: readonly Quickstart[]
}) {
  const t = useTranslations('publish.connectAgentPanel')
  const { hubUrl, publicUrl } = useMarket()
  return (
    <div className="grid gap-6">
      {token && <TokenOnce token={token} />}
      <Waiting agent={agent} />
      {quickstarts.length > 0 && (
        <Tabs
          label={t('language')}
          tabs={quickstarts
            .map((quickstart) => fillQuickstart(quickstart, listing))
            .map((one) => ({
              value: one.language,
              label: one.language,
              content: (
                <div className="grid gap-4">
                  <CodeBlock label={one.file} code={one.code} />
                  <CodeBlock label={t('inTerminal')} code={shellCommands(one, { publicUrl, hubUrl, token: token ?? `<${t('token')}>` })} />
                  <p className="text-muted text-sm">{t('servesSkillsOfListing')}</p>
                </div>
              ),
            }))}
        />
      )}
    </div>
  )
}

function TokenOnce({ token }: { token: string }) {
  const t = useTranslations('publish.connectAgentPanel')
  return (
    <Notice kind="warning" title={t('connectToken')}>
      <p>{t('whoHasCanConnectAsAgent')}</p>
      <p className="mt-2 flex flex-wrap items-center gap-2">
        <code className="figures break-all rounded-sm border border-amber bg-surface px-2 py-1 text-ink">{token}</code>
        <CopyButton text={token} label={t('copyToken')} />
      </p>
    </Notice>
  )
}

function Waiting({ agent }: { agent: Connectable }) {
  const t = useTranslations('publish.connectAgentPanel')
  const trpc = useTRPC()
  const [now, setNow] = useState(agent)
  useSubscription(
    trpc.registry.watch.subscriptionOptions({ agent: agent.agent_id }, { onData: (seen) => setNow({ ...seen, agent_id: agent.agent_id }) }),
  )
  const isHere = now.presence === 'online'
  const hasKey = now.did.startsWith('did:key:')
  return (
    <Card className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <p role="status" className="flex items-center gap-3 font-medium">
        {isHere ? <Radio aria-hidden className="size-5 text-good" /> : <PlugZap aria-hidden className="size-5 animate-pulse text-amber" />}
        {isHere ? t('yourAgentConnected') : t('waitingForYourAgent')}
      </p>
      <p className="flex items-center gap-2 text-muted text-sm">
        <KeyRound aria-hidden className="size-4" />
        {hasKey ? (
          <>
            {t('speaksWithOwnKey')} <CopyableIdentifier text={now.did} />
          </>
        ) : (
          t('noKeyOfOwnYet')
        )}
      </p>
      {!isHere && now.last_seen_at && (
        <p className="text-muted text-sm">{t.rich('lastSeen', { time: fillEmptyTag(<Time at={now.last_seen_at} />) })}</p>
      )}
    </Card>
  )
}

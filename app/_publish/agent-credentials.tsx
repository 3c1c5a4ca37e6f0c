'use client'
import { KeyRound, RotateCcwKey } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Quickstart } from '@/server/trpc/views/read-quickstarts.ts'
import { Button } from '../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../_components/ui/dialog.tsx'
import { Card } from '../_components/ui/section.tsx'
import { useTRPCClient } from '../_trpc/client.tsx'
import { SigningTrouble, useTypedDataSigning } from '../_wallet/use-typed-data-signing.tsx'
import { ConnectAgentPanel, type Connectable } from './connect-agent-panel.tsx'
import type { SnippetListing } from './snippets/fill-quickstart.ts'

type Props = { agent: Connectable; listing: SnippetListing; quickstarts: readonly Quickstart[] }

/** Tokens and keys of one listing: create a new token, or unbind the agent's key. */
export function AgentCredentials({ agent, listing, quickstarts }: Props) {
  const t = useTranslations('publish.agentCredentials')
  const api = useTRPCClient()
  const [token, setToken] = useState<string | null>(null)
  const [asked, setAsked] = useState<'token' | 'key' | null>(null)
  const signing = useTypedDataSigning()

  async function rotateKey(unbind: boolean): Promise<void> {
    const about = { agent_id: agent.agent_id as `agt_${string}`, unbind }
    const isDone = await signing.sign(
      () => api.registry.getKeyTerms.query(about),
      async (signature, { deadline }) => setToken((await api.registry.rotateKey.mutate({ ...about, deadline, signature })).token),
    )
    if (isDone) setAsked(null)
  }
  return (
    <div className="grid gap-6">
      <ConnectAgentPanel agent={agent} listing={listing} token={token} quickstarts={quickstarts} />
      <Card className="flex flex-wrap items-center gap-2">
        <p className="mb-2 basis-full text-muted text-sm">{t('tokenBringsAgentToListingBinds')}</p>
        <Button onClick={() => setAsked('token')}>
          <KeyRound aria-hidden />
          {t('newToken')}
        </Button>
        <Button tone="danger" onClick={() => setAsked('key')}>
          <RotateCcwKey aria-hidden />
          {t('forgetKey')}
        </Button>
      </Card>
      <Dialog
        isOpen={asked !== null && !signing.isAsking}
        onOpenChange={(isOpen) => !isOpen && !signing.isBusy && setAsked(null)}
        title={asked === 'key' ? t('forgetAgentsKey') : t('makeNewTokenTitle')}
        description={asked === 'key' ? t('connectionEndsAtOnceNextKey') : t('oldTokenEndsAtOnce')}
      >
        <SigningTrouble error={signing.error} />
        <DialogActions>
          <Button onClick={() => setAsked(null)}>{t('keep')}</Button>
          <Button tone={asked === 'key' ? 'danger' : 'primary'} isBusy={signing.isBusy} onClick={() => void rotateKey(asked === 'key')}>
            {asked === 'key' ? t('forgetKeyMakeToken') : t('makeNewTokenAnswer')}
          </Button>
        </DialogActions>
      </Dialog>
    </div>
  )
}

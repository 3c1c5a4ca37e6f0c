'use client'
import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../_components/ui/button.tsx'
import { Field, Input } from '../../_components/ui/field.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'

const empty = { origin: '', server_did: '', hub_url: '' }

/** Adds a peer by its address and its server's key. */
export function PeerForm() {
  const t = useTranslations('admin.peerForm')
  const trpc = useTRPC()
  const router = useRouter()
  const [peer, setPeer] = useState(empty)
  const add = useMutation(
    trpc.federation.addPeer.mutationOptions({
      onSuccess: () => {
        setPeer(empty)
        router.refresh()
      },
    }),
  )
  const set = (field: keyof typeof empty) => (event: { target: { value: string } }) =>
    setPeer({ ...peer, [field]: event.target.value.trim() })
  const { origin, server_did, hub_url } = peer
  return (
    <form
      className="grid max-w-xl gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate({ origin, server_did, ...(hub_url !== '' && { hub_url }) })
      }}
    >
      <Field label={t('address')} hint={t('agentsHandlesEndWithHost')}>
        <Input value={origin} onChange={set('origin')} placeholder={t('httpsMarketExample')} required />
      </Field>
      <Field label={t('serversDid')} hint={t('askOperatorByAnotherWayThan')}>
        <Input value={server_did} onChange={set('server_did')} placeholder={t('didKeyZ6mk')} required />
      </Field>
      <Field label={t('hubsAddress')} hint={t('onlyWhereAnotherOne')} isOptional>
        <Input value={hub_url} onChange={set('hub_url')} />
      </Field>
      {add.error && <ProblemNotice error={add.error} />}
      <div>
        <Button type="submit" tone="primary" isBusy={add.isPending}>
          {!add.isPending && <Plus aria-hidden />} {t('addPeer')}
        </Button>
      </div>
    </form>
  )
}

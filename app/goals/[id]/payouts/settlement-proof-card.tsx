import { useTranslations } from 'next-intl'
import { CopyableAddress, CopyableIdentifier, TxLink } from '../../../_components/ui/copyable-identifier.tsx'
import { Card } from '../../../_components/ui/section.tsx'

type Proof = {
  readonly escrow: string
  readonly planId: string
  readonly charterVersion: number
  readonly charterHash: string | null
  readonly charterAuthorized: boolean
  readonly conclusionHash: string | null
  readonly fundedTx: string | null
  readonly sealedTx: string | null
  readonly settledTx: string | null
}

/** Facts that anyone can verify without this server. */
export function SettlementProofCard({ proof }: { proof: Proof }) {
  const t = useTranslations('run.settlementProofCard')
  const rows = [
    { label: t('escrow'), value: <CopyableAddress address={proof.escrow} /> },
    { label: t('plan'), value: <CopyableIdentifier text={proof.planId} /> },
    { label: t('fundedBy'), value: proof.fundedTx && <TxLink hash={proof.fundedTx} /> },
    {
      label: t('charterVersion', { charterVersion: proof.charterVersion }),
      value: proof.charterHash && <CopyableIdentifier text={proof.charterHash} />,
    },
    {
      label: t('binding'),
      value: proof.sealedTx && (proof.charterAuthorized ? t('signedByAllMembersApprovedBy') : t('signedByAllMembersProposedNot')),
    },
    { label: t('sealedBy'), value: proof.sealedTx && <TxLink hash={proof.sealedTx} /> },
    { label: t('conclusionHash'), value: proof.conclusionHash && <CopyableIdentifier text={proof.conclusionHash} /> },
    { label: t('settledBy'), value: proof.settledTx && <TxLink hash={proof.settledTx} /> },
  ].filter((row) => row.value)
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[12rem_minmax(0,1fr)]">
        {rows.map((row) => (
          <div key={row.label} className="contents">
            <dt className="text-muted text-sm sm:leading-9">{row.label}</dt>
            <dd className="min-w-0 pb-2 sm:pb-0 sm:leading-9">{row.value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

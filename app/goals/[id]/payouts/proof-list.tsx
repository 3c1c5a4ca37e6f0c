import { Address, Identifier, TxLink } from '../../../_components/ui/address.tsx'
import { Card } from '../../../_components/ui/card.tsx'

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

/** What anybody can look up without asking us. */
export function ProofList({ proof }: { proof: Proof }) {
  const rows = [
    { label: 'Escrow', value: <Address address={proof.escrow} /> },
    { label: 'Plan', value: <Identifier text={proof.planId} /> },
    { label: 'Funded by', value: proof.fundedTx && <TxLink hash={proof.fundedTx} /> },
    { label: `Charter, version ${proof.charterVersion}`, value: proof.charterHash && <Identifier text={proof.charterHash} /> },
    {
      label: 'Binding',
      value:
        proof.sealedTx &&
        (proof.charterAuthorized ? 'Signed by all members, approved by the client' : 'Signed by all members, proposed and not vetoed'),
    },
    { label: 'Sealed by', value: proof.sealedTx && <TxLink hash={proof.sealedTx} /> },
    { label: 'Conclusion hash', value: proof.conclusionHash && <Identifier text={proof.conclusionHash} /> },
    { label: 'Settled by', value: proof.settledTx && <TxLink hash={proof.settledTx} /> },
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

import { Ban, Hourglass } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Chip, StateChip } from '../../../_components/ui/state-chip.tsx'

type Props = {
  hold: { readonly state: string; readonly isSigned: boolean; readonly fundedTx: string | null }
  goalState: string
}

/** The state of a goal's hold. Nothing before a signature or a payment. */
export function HoldChip({ hold, goalState }: Props) {
  const t = useTranslations('run.holdChip')
  if (hold.fundedTx === null && goalState === 'canceled') return <Chip icon={Ban}>{t('neverSetAside')}</Chip>
  if (hold.state === 'authorizing' && !hold.isSigned) return <Chip icon={Hourglass}>{t('notSetAsideYet')}</Chip>
  return <StateChip of="hold" state={hold.state} />
}

import {
  Check,
  CheckCheck,
  CircleAlert,
  CircleHelp,
  Clock,
  Hourglass,
  type LucideIcon,
  PencilLine,
  Play,
  RotateCcw,
  Scale,
  Undo2,
} from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Chip, type ChipTone } from '../../../../_components/ui/state-chip.tsx'
import type { StepStatus } from './step-status.ts'

export const stepLooks: { readonly [status in StepStatus]: { readonly tone: ChipTone; readonly icon: LucideIcon } } = {
  waiting: { tone: 'plain', icon: Hourglass },
  ready: { tone: 'blue', icon: Clock },
  working: { tone: 'accent', icon: Play },
  asking: { tone: 'amber', icon: CircleHelp },
  done: { tone: 'amber', icon: Check },
  accepted: { tone: 'good', icon: Check },
  revising: { tone: 'amber', icon: PencilLine },
  returned: { tone: 'bad', icon: RotateCcw },
  failed: { tone: 'bad', icon: CircleAlert },
  submitted: { tone: 'amber', icon: Hourglass },
  disputed: { tone: 'bad', icon: Scale },
  paid: { tone: 'good', icon: CheckCheck },
  split: { tone: 'good', icon: CheckCheck },
  refunded: { tone: 'plain', icon: Undo2 },
}

export function StepChip({ status, done }: { status: StepStatus; done?: number | null }) {
  const t = useTranslations('views.stepStatus')
  const { tone, icon } = stepLooks[status]
  return (
    <Chip tone={tone} icon={icon}>
      {t(status)}
      {status === 'working' && done ? ` ${done} %` : ''}
    </Chip>
  )
}

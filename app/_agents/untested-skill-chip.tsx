import { CircleHelp } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Chip } from '../_components/ui/state-chip.tsx'

/** A skill has passed no test task of its publisher as it is now. */
export function UntestedSkillChip() {
  const t = useTranslations('agents.untestedSkillChip')
  return <Chip icon={CircleHelp}>{t('untested')}</Chip>
}

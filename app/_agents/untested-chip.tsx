import { CircleHelp } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Chip } from '../_components/ui/chip.tsx'

/** A skill has passed no test task of its publisher as it is now. */
export function UntestedChip() {
  const t = useTranslations('agents.untestedChip')
  return <Chip icon={CircleHelp}>{t('untested')}</Chip>
}

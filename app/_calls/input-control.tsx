import { useTranslations } from 'next-intl'
import { Input, Select, Textarea } from '../_components/ui/field.tsx'
import type { InputField } from './call-inputs.ts'

/** The control for one input of a skill, by the schema of its value. */
export function InputControl({ field, value, onChange }: { field: InputField; value: string; onChange: (text: string) => void }) {
  const t = useTranslations('calls.askForm')
  if (field.kind === 'choice')
    return (
      <Select value={value || field.fallback} onChange={(event) => onChange(event.target.value)}>
        {field.fallback === '' && <option value="">–</option>}
        {field.choices.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </Select>
    )
  if (field.property === null) return <Textarea value={value} onChange={(event) => onChange(event.target.value)} />
  const mode = field.kind === 'integer' ? ('decimal' as const) : ('text' as const)
  const hint = field.kind === 'list' ? t('severalWithCommasBetween') : ''
  return (
    <Input
      value={value}
      inputMode={mode}
      autoComplete="off"
      placeholder={field.fallback || hint}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

import { formatAmount, parseAmount } from '@parley/protocol'
import { Plus, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useMarket } from '../_components/market-provider.tsx'
import { Button, IconButton } from '../_components/ui/button.tsx'
import { Checkbox, Field, Input, Textarea } from '../_components/ui/field.tsx'
import { artifactTypeOptionsId } from './artifact-type-options.tsx'
import { newPort, type PortForm, type SkillForm } from './listing-form-mapping.ts'

type Props = {
  skill: SkillForm
  number: number
  canRemove: boolean
  faultOf: (field: string) => string | undefined
  touch: (field: string) => void
  onChange: (part: Partial<SkillForm>) => void
  onRemove: () => void
  /** Below the fields. */
  children: ReactNode
}

export function SkillEditor({ skill, number, canRemove, faultOf, touch, onChange, onRemove, children }: Props) {
  const t = useTranslations('publish.skillEditor')
  const { symbol } = useMarket()
  return (
    <fieldset className="grid gap-5 rounded-lg border bg-surface p-4 md:p-5">
      <legend className="float-left w-full">
        <span className="flex items-center justify-between gap-2">
          <span className="font-semibold">{skill.name || t('skill', { number })}</span>
          {canRemove && (
            <IconButton label={t('removeSkill', { number })} onClick={onRemove}>
              <Trash2 aria-hidden />
            </IconButton>
          )}
        </span>
      </legend>
      <div className="grid gap-5 md:grid-cols-2">
        <Field label={t('id')} error={faultOf('id')} hint={t('suchAsTextTranslate')}>
          <Input
            value={skill.id}
            maxLength={80}
            autoCapitalize="none"
            spellCheck={false}
            className="figures"
            onChange={(event) => onChange({ id: event.target.value })}
            onBlur={() => touch('id')}
          />
        </Field>
        <Field label={t('name')} error={faultOf('name')}>
          <Input
            value={skill.name}
            maxLength={80}
            onChange={(event) => onChange({ name: event.target.value })}
            onBlur={() => touch('name')}
          />
        </Field>
      </div>
      <Field label={t('whatDoes')} isOptional error={faultOf('description')}>
        <Textarea
          value={skill.description}
          maxLength={1_000}
          className="min-h-16"
          onChange={(event) => onChange({ description: event.target.value })}
        />
      </Field>
      <div className="grid gap-5 md:grid-cols-2">
        <Field label={t('priceOfTask', { symbol })} error={faultOf('price')} hint={<Share price={skill.price} />}>
          <Input
            value={skill.price}
            inputMode="decimal"
            placeholder="0.50"
            className="figures"
            onChange={(event) => onChange({ price: event.target.value })}
            onBlur={() => touch('price')}
          />
        </Field>
        <Field label={t('tags')} isOptional error={faultOf('tags')} hint={t('separatedByCommas')}>
          <Input value={skill.tags} onChange={(event) => onChange({ tags: event.target.value })} />
        </Field>
      </div>
      <Ports
        title={t('inputs')}
        field="inputs"
        ports={skill.inputs}
        faultOf={faultOf}
        touch={touch}
        onChange={(inputs) => onChange({ inputs })}
      />
      <Ports
        title={t('outputs')}
        field="outputs"
        ports={skill.outputs}
        faultOf={faultOf}
        touch={touch}
        onChange={(outputs) => onChange({ outputs })}
      />
      {children}
    </fieldset>
  )
}

/** The client pays the fee on top, so the publisher receives the listed price. */
function Share({ price }: { price: string }) {
  const t = useTranslations('publish.skillEditor')
  const { decimals, symbol, feeBps } = useMarket()
  try {
    const amount = parseAmount(price, decimals)
    return <>{t('youReceiveAll', { amount: formatAmount(amount, decimals), symbol, feeBps: feeBps / 100 })}</>
  } catch {
    return <>{t('youReceiveAllOf', { feeBps: feeBps / 100 })}</>
  }
}

function Ports({
  title,
  field,
  ports,
  faultOf,
  touch,
  onChange,
}: {
  title: string
  field: 'inputs' | 'outputs'
  ports: readonly PortForm[]
  faultOf: (field: string) => string | undefined
  touch: (field: string) => void
  onChange: (ports: PortForm[]) => void
}) {
  const t = useTranslations('publish.skillEditor')
  const replace = (index: number, part: Partial<PortForm>) =>
    onChange(ports.map((port, at) => (at === index ? { ...port, ...part } : port)))
  const min = field === 'outputs' ? 1 : 0
  return (
    <fieldset className="grid gap-3 border-t pt-4">
      <legend className="caption float-left w-full">{title}</legend>
      {ports.map((port, index) => (
        <div key={port.key} className="grid gap-3 border-l-2 pl-3 md:grid-cols-[9rem_1fr_auto] md:items-start">
          <Field label={t('name')} error={faultOf(`${field}.${index}.name`)}>
            <Input
              value={port.name}
              maxLength={40}
              autoCapitalize="none"
              spellCheck={false}
              className="figures"
              onChange={(event) => replace(index, { name: event.target.value })}
              onBlur={() => touch(`${field}.${index}.name`)}
            />
          </Field>
          <Field label={t('type')} error={faultOf(`${field}.${index}.type`)}>
            <Input
              value={port.type}
              maxLength={80}
              list={artifactTypeOptionsId}
              autoCapitalize="none"
              spellCheck={false}
              placeholder={t('tableSeries')}
              className="figures"
              onChange={(event) => replace(index, { type: event.target.value })}
              onBlur={() => touch(`${field}.${index}.type`)}
            />
          </Field>
          <div className="flex items-center gap-2 md:pt-6">
            {field === 'inputs' && (
              <Checkbox
                label={t('optional')}
                checked={port.isOptional}
                onChange={(event) => replace(index, { isOptional: event.target.checked })}
              />
            )}
            {ports.length > min && (
              <IconButton
                label={t('remove', { name: port.name || t('number', { index: index + 1 }) })}
                onClick={() => onChange(ports.filter((_, at) => at !== index))}
              >
                <Trash2 aria-hidden />
              </IconButton>
            )}
          </div>
          <Field label={t('what')} isOptional className="md:col-span-2">
            <Input value={port.description} maxLength={400} onChange={(event) => replace(index, { description: event.target.value })} />
          </Field>
        </div>
      ))}
      {ports.length < 16 && (
        <Button size="small" className="justify-self-start" onClick={() => onChange([...ports, newPort()])}>
          <Plus aria-hidden />
          {field === 'inputs' ? t('addInput') : t('addOutput')}
        </Button>
      )}
    </fieldset>
  )
}

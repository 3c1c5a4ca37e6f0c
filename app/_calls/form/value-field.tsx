'use client'
import { CircleAlert, Plus, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button, IconButton } from '../../_components/ui/button.tsx'
import { Field, Input, Select, Textarea } from '../../_components/ui/field.tsx'
import { emptyFormValue, type FormValue, formItems, valuesByName, writtenText } from './form-value.ts'
import { choiceText, type FormNode } from './schema-to-form-node.ts'
import type { FormFaults } from './validate-form-value.ts'

type Props = {
  node: FormNode
  /** Names and places, joined by points: the key of its fault. */
  path: string
  value: FormValue | undefined
  faults: FormFaults
  onChange: (value: FormValue) => void
}

/** The controls for a value, by its schema. Groups and lists contain further fields. */
export function ValueField({ node, path, value, faults, onChange }: Props) {
  if (node.kind === 'group') return <GroupField node={node} path={path} value={value} faults={faults} onChange={onChange} />
  if (node.kind === 'list') return <ListField node={node} path={path} value={value} faults={faults} onChange={onChange} />
  return (
    <Field label={node.label} hint={node.hint} isOptional={!node.isRequired} error={faults[path]}>
      <ScalarControl node={node} text={writtenText(value)} onChange={onChange} />
    </Field>
  )
}

type GroupProps = Omit<Props, 'node'> & { node: Extract<FormNode, { kind: 'group' }> }

function GroupField({ node, path, value, faults, onChange }: GroupProps) {
  const members = valuesByName(value)
  return (
    <Group label={node.label} hint={node.hint} isRequired={node.isRequired}>
      {node.fields.map(([name, field]) => (
        <ValueField
          key={name}
          node={field}
          path={`${path}.${name}`}
          value={members[name]}
          faults={faults}
          onChange={(next) => onChange({ ...members, [name]: next })}
        />
      ))}
    </Group>
  )
}

function Group({ label, hint, isRequired, children }: { label: string; hint: string; isRequired: boolean; children: ReactNode }) {
  const t = useTranslations('ui.field')
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-md border border-line-strong p-3">
      <legend className="px-1 font-medium text-sm">
        {label}
        {!isRequired && <span className="font-normal text-faint"> {t('optional')}</span>}
      </legend>
      {hint && <p className="text-muted text-sm leading-snug">{hint}</p>}
      {children}
    </fieldset>
  )
}

type ListProps = Omit<Props, 'node'> & { node: Extract<FormNode, { kind: 'list' }> }

/** Items that the person adds and removes. The focus follows to the new item, or to the button that adds one. */
function ListField({ node, path, value, faults, onChange }: ListProps) {
  const t = useTranslations('calls.callForm')
  const items = formItems(value)
  const list = useRef<HTMLOListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const wanted = useRef<'item' | 'add' | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once after the number of items has changed
  useEffect(() => {
    const last = list.current?.lastElementChild?.querySelector<HTMLElement>('input, select, textarea')
    const target = wanted.current === 'item' ? last : wanted.current === 'add' ? add.current : null
    wanted.current = null
    target?.focus()
  }, [items.length])
  const change = (next: readonly FormValue[], focus: 'item' | 'add'): void => {
    wanted.current = focus
    onChange(next)
  }
  const itemName = (index: number) => t('itemNumber', { name: node.label, number: index + 1 })
  return (
    <Group label={node.label} hint={node.hint} isRequired={node.isRequired}>
      <ol ref={list} className="grid gap-3 empty:hidden">
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity while they are written
          <li key={index} className="flex min-w-0 items-start gap-1">
            <div className="min-w-0 flex-1">
              <ValueField
                node={{ ...node.item, label: itemName(index) }}
                path={`${path}.${index}`}
                value={item}
                faults={faults}
                onChange={(next) => onChange(items.map((one, at) => (at === index ? next : one)))}
              />
            </div>
            <IconButton
              label={t('removeItem', { item: itemName(index) })}
              onClick={() =>
                change(
                  items.filter((_, at) => at !== index),
                  'add',
                )
              }
            >
              <Trash2 aria-hidden />
            </IconButton>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          ref={add}
          size="small"
          disabled={items.length >= node.max}
          onClick={() => change([...items, emptyFormValue(node.item)], 'item')}
        >
          <Plus aria-hidden /> {t('addItem', { name: node.label })}
        </Button>
        <p aria-live="polite" className="flex items-center gap-1.5 text-bad-ink text-sm empty:hidden">
          {faults[path] && (
            <>
              <CircleAlert aria-hidden className="size-4" /> {faults[path]}
            </>
          )}
        </p>
      </div>
    </Group>
  )
}

const inputTypes = { date: 'date', 'date-time': 'datetime-local', time: 'time', email: 'email', uri: 'url' } as const

type ScalarProps = { node: Exclude<FormNode, { kind: 'group' | 'list' }>; text: string; onChange: (text: string) => void }

function ScalarControl({ node, text, onChange }: ScalarProps) {
  const t = useTranslations('calls.callForm')
  const common = { value: text, onChange: (event: { target: { value: string } }) => onChange(event.target.value) }
  const required = node.isRequired ? { 'aria-required': true } : {}
  switch (node.kind) {
    case 'choice':
      return (
        <Select {...required} {...common} value={text || node.fallback}>
          {node.fallback === '' && <option value="">–</option>}
          {node.choices.map((one) => (
            <option key={choiceText(one)} value={choiceText(one)}>
              {typeof one === 'boolean' ? t(one ? 'yes' : 'no') : choiceText(one)}
            </option>
          ))}
        </Select>
      )
    case 'lines':
      return <Textarea {...required} {...common} rows={2} placeholder={t('oneInEachLine')} />
    case 'json':
      return <Textarea {...required} {...common} rows={3} placeholder={t('asJson')} className="font-mono text-sm" />
    case 'number':
      return (
        <Input
          {...required}
          {...common}
          inputMode={node.isInteger ? 'numeric' : 'decimal'}
          autoComplete="off"
          placeholder={node.fallback}
        />
      )
    case 'text':
      if (node.isLong) return <Textarea {...required} {...common} />
      return (
        <Input
          {...required}
          {...common}
          type={node.format ? inputTypes[node.format] : 'text'}
          autoComplete="off"
          placeholder={node.fallback}
        />
      )
    default:
      return node satisfies never
  }
}

'use client'
import { type GivenValue, type Json, type SkillPort, sha256 } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useState } from 'react'
import { type GivenInputs, type InputField, inputFaultsOf, inputFieldsOf, inputLines, readInputs } from '../_calls/call-inputs.ts'
import { toFormValue } from '../_calls/form/form-value.ts'
import { InputFields } from '../_calls/input-fields.tsx'
import { Button } from '../_components/ui/button.tsx'
import type { Quote } from './use-request-quote.ts'

type Question = Extract<Quote['quote'], { outcome: 'question' }>
type Need = Question['needs'][number]

type NeededProps = {
  needs: readonly Need[]
  values: readonly GivenValue[]
  onGive: (values: readonly GivenValue[]) => void
}

/** A form for the inputs that the words of a goal do not give. It begins with what they give. */
export function MissingInputForm({ needs, values, onGive }: NeededProps) {
  const t = useTranslations('ui.missingInputForm')
  const tAsk = useTranslations('calls.callForm')
  const fields = inputFieldsOf({ inputs: needs.map(toPort) })
  const [given, setGiven] = useState<GivenInputs>(() => beginning(needs, fields))
  const [isTried, setTried] = useState(false)
  const [need] = needs
  if (!need) return null
  const faults = inputFaultsOf(fields, given, tAsk)

  async function give(): Promise<void> {
    setTried(true)
    if (Object.keys(faults).length > 0) return
    const { inputs } = await readInputs(fields, given, sha256)
    const read = inputs.flatMap(({ type, data }): GivenValue[] => (data ? [{ type, data }] : []))
    onGive([...values.filter((one) => !read.some(({ type }) => type === one.type)), ...read])
  }
  // The form of the goal around it must not be sent.
  function giveOnEnter(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    void give()
  }
  return (
    <fieldset className="mt-3 grid min-w-0 gap-4" onKeyDown={giveOnEnter}>
      <legend className="mb-2 font-medium text-sm">{t('title', { skill: need.skill, agent: need.handle })}</legend>
      <InputFields fields={fields} given={given} faults={isTried ? faults : {}} onChange={setGiven} />
      <Button className="justify-self-start" onClick={() => void give()}>
        {t('use')}
      </Button>
    </fieldset>
  )
}

const toPort = ({ port, type, schema }: Need): SkillPort => ({ name: port, type, schema, description: '', optional: false })

/** What the words or the former value give, by the keys of the fields. */
function beginning(needs: readonly Need[], fields: readonly InputField[]): GivenInputs {
  const known = fields.flatMap(({ key, port, property, node }) => {
    const data: { readonly [name: string]: Json } = needs.find((need) => need.port === port.name)?.data ?? {}
    if (property === null) return Object.keys(data).length > 0 ? [[key, toFormValue(node, data)] as const] : []
    return Object.hasOwn(data, property) ? [[key, toFormValue(node, data[property])] as const] : []
  })
  return Object.fromEntries(known)
}

/** The values that go with a goal, and the way to remove them. */
export function GivenValueList({ values, onRemove }: { values: readonly GivenValue[]; onRemove: () => void }) {
  const t = useTranslations('ui.missingInputForm')
  if (values.length === 0) return null
  const lines = inputLines(values.map(({ type, data }) => ({ port: type, type, data })))
  return (
    <div className="grid gap-1 rounded-md border border-line-strong bg-surface p-3 text-sm">
      <p className="text-muted">{t('given')}</p>
      <ul className="grid gap-1">
        {lines.map((line) => (
          <li key={line} className="[overflow-wrap:anywhere]">
            {line}
          </li>
        ))}
      </ul>
      <div>
        <Button size="small" tone="quiet" className="-ml-3" onClick={onRemove}>
          {t('remove')}
        </Button>
      </div>
    </div>
  )
}

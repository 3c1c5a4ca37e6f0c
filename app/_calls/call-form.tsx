'use client'
import { type Listing, sha256 } from '@parley/protocol'
import { Send } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '../_components/ui/button.tsx'
import { Field, Select } from '../_components/ui/field.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { type GivenInputs, inputFaultsOf, inputFieldsOf, readInputs } from './call-inputs.ts'
import type { ChannelDetails } from './channel-view.ts'
import { InputFields } from './input-fields.tsx'
import { useSendCall } from './use-send-call.ts'

/** The next question: a skill, its inputs as fields, and its price. The voucher is signed in this browser without a dialog. */
export function CallForm({ channel, listing }: { channel: ChannelDetails; listing: Listing }) {
  const t = useTranslations('calls.callForm')
  const sendCall = useSendCall()
  const [skillId, setSkillId] = useState(listing.skills[0]?.id ?? '')
  const [given, setGiven] = useState<GivenInputs>({})
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const skill = listing.skills.find((one) => one.id === skillId)
  if (!skill) return null
  const fields = inputFieldsOf(skill)
  const faults = isTried ? inputFaultsOf(fields, given, t) : {}
  const amount = channel.earned + BigInt(skill.price)
  const isCovered = amount <= channel.deposit
  const asked = { skill_id: skill.id, price: BigInt(skill.price) }

  async function ask() {
    setTried(true)
    if (Object.keys(inputFaultsOf(fields, given, t)).length > 0) return
    setBusy(true)
    setError(null)
    try {
      await sendCall(channel, { ...asked, ...(await readInputs(fields, given, sha256)) })
      setGiven({})
      setTried(false)
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      noValidate
      className="grid gap-4 border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        void ask()
      }}
    >
      {listing.skills.length > 1 && <SkillSelect skills={listing.skills} value={skillId} onChange={setSkillId} />}
      <InputFields key={skillId} fields={fields} given={given} faults={faults} onChange={setGiven} />
      {listing.presence !== 'online' && <p className="text-muted text-sm">{t('agentNotOnlineNow')}</p>}
      {!isCovered && (
        <p role="status" className="text-muted text-sm">
          {t('whatLeftDoesNotCoverCall')}
        </p>
      )}
      {error !== null && <ProblemNotice error={error} money={t('noMoneyMoved')} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" tone="primary" isBusy={isBusy || channel.isCallOpen} disabled={!isCovered}>
          <Send aria-hidden /> {channel.isCallOpen ? t('waitingForAnswer') : t('ask')}
        </Button>
        <span className="text-muted text-sm">{t.rich('paidWhenAnswered', { money: () => <MoneyAmount amount={skill.price} /> })}</span>
      </div>
    </form>
  )
}

function SkillSelect({ skills, value, onChange }: { skills: Listing['skills']; value: string; onChange: (id: string) => void }) {
  const t = useTranslations('calls.callForm')
  return (
    <Field label={t('skill')}>
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        {skills.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </Select>
    </Field>
  )
}

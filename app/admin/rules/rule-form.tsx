'use client'
import { type ContentTag, contentTags, type RulePoint, type RuleSubject, resourceKinds, rulePoints } from '@parley/protocol'
import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../_components/ui/button.tsx'
import { Checkbox, Field, Input, Select } from '../../_components/ui/field.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'

type Draft = {
  effect: 'deny' | 'ask' | 'allow'
  points: RulePoint[]
  reason: string
  who: string
  kind: string
  host: string
  tag: string
  region: string
}
const empty: Draft = { effect: 'deny', points: [], reason: '', who: '', kind: '', host: '', tag: '', region: '' }

/** One field for an agent's id or a DID: operators paste what they have. */
function subjectOf({ who, kind, host, tag, region }: Draft): RuleSubject {
  return {
    ...(who !== '' && (who.startsWith('agt_') ? { agent_id: who as `agt_${string}` } : { did: who as `did:key:${string}` })),
    ...(kind !== '' && { kind: kind as RuleSubject['kind'] }),
    ...(host !== '' && { host }),
    ...(tag !== '' && { tag: tag as ContentTag }),
    ...(region !== '' && { outside_region: region }),
  }
}

/** Creates a rule: deny, ask or allow. Without a target, it matches everything. */
export function RuleForm() {
  const t = useTranslations('admin.ruleForm')
  const tPoint = useTranslations('admin.policyPoint')
  const trpc = useTRPC()
  const router = useRouter()
  const [draft, setDraft] = useState(empty)
  const set = useMutation(
    trpc.policy.createRule.mutationOptions({
      onSuccess: () => {
        setDraft(empty)
        router.refresh()
      },
    }),
  )
  const take: Take = (field) => (event) => setDraft({ ...draft, [field]: event.target.value.trimStart() })
  const turn = (point: RulePoint) => () =>
    setDraft({ ...draft, points: draft.points.includes(point) ? draft.points.filter((one) => one !== point) : [...draft.points, point] })
  const { effect, points, reason } = draft
  return (
    <form
      className="grid max-w-2xl gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        set.mutate({ rule: { effect, points, subject: subjectOf(draft), reason } })
      }}
    >
      <Field label={t('whatHappens')}>
        <Select value={effect} onChange={take('effect')}>
          <option value="deny">{t('deny')}</option>
          <option value="ask">{t('ask')}</option>
          <option value="allow">{t('allow')}</option>
        </Select>
      </Field>
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-medium text-sm">{t('when')}</legend>
        {rulePoints.map((point) => (
          <Checkbox key={point} label={tPoint(point)} checked={points.includes(point)} onChange={turn(point)} />
        ))}
      </fieldset>
      <SubjectFields draft={draft} take={take} />
      <Field label={t('reason')} hint={t('toldToWhomStops')}>
        <Input value={reason} onChange={take('reason')} required maxLength={300} />
      </Field>
      {set.error && <ProblemNotice error={set.error} />}
      <div>
        <Button type="submit" tone="primary" isBusy={set.isPending} disabled={points.length === 0}>
          {!set.isPending && <Plus aria-hidden />} {t('createRule')}
        </Button>
      </div>
    </form>
  )
}

type Take = (field: keyof Draft) => (event: { target: { value: string } }) => void

/** To whom and to what the rule applies. */
function SubjectFields({ draft, take }: { draft: Draft; take: Take }) {
  const t = useTranslations('admin.ruleForm')
  const tTag = useTranslations('admin.tag')
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Field label={t('agentOrIdentifier')} hint={t('agtOrDid')} isOptional>
        <Input value={draft.who} onChange={take('who')} />
      </Field>
      <Field label={t('host')} hint={t('whereResourceAnswers')} isOptional>
        <Input value={draft.host} onChange={take('host')} placeholder={t('toolsExample')} />
      </Field>
      <Field label={t('kind')} isOptional>
        <Select value={draft.kind} onChange={take('kind')}>
          <option value="">{t('any')}</option>
          {resourceKinds.map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </Select>
      </Field>
      <Field label={t('contentLooksLike')} isOptional>
        <Select value={draft.tag} onChange={take('tag')}>
          <option value="">{t('any')}</option>
          {contentTags.map((tag) => (
            <option key={tag} value={tag}>
              {tTag(tag)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('notInRegion')} hint={t('resourcesStateAnotherOneOrNone')} isOptional>
        <Input value={draft.region} onChange={take('region')} placeholder={t('eu')} />
      </Field>
    </div>
  )
}

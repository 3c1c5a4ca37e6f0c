'use client'
import { type ContentTag, contentTags, type RulePoint, type RuleSubject, resourceKinds, rulePoints } from '@parley/protocol'
import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { Button } from '../../_components/ui/button.tsx'
import { Checkbox, Field, Input, Select } from '../../_components/ui/field.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { pointWords, tagWords } from './rule-words.ts'

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

/** One word for an agent's id or an identifier: operators paste what they have. */
function subjectOf({ who, kind, host, tag, region }: Draft): RuleSubject {
  return {
    ...(who !== '' && (who.startsWith('agt_') ? { agent_id: who as `agt_${string}` } : { did: who as `did:key:${string}` })),
    ...(kind !== '' && { kind: kind as RuleSubject['kind'] }),
    ...(host !== '' && { host }),
    ...(tag !== '' && { tag: tag as ContentTag }),
    ...(region !== '' && { outside_region: region }),
  }
}

/** Forbids, holds or allows. Nothing named is everything. */
export function RuleForm() {
  const trpc = useTRPC()
  const router = useRouter()
  const [draft, setDraft] = useState(empty)
  const set = useMutation(
    trpc.policy.setRule.mutationOptions({
      onSuccess: () => {
        setDraft(empty)
        router.refresh()
      },
    }),
  )
  const take = (field: keyof Draft) => (event: { target: { value: string } }) =>
    setDraft({ ...draft, [field]: event.target.value.trimStart() })
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
      <Field label="What happens">
        <Select value={effect} onChange={take('effect')}>
          <option value="deny">It is forbidden</option>
          <option value="ask">It is held until an operator allows it</option>
          <option value="allow">It is allowed, where it would be held</option>
        </Select>
      </Field>
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-medium text-sm">When</legend>
        {rulePoints.map((point) => (
          <Checkbox key={point} label={pointWords[point]} checked={points.includes(point)} onChange={turn(point)} />
        ))}
      </fieldset>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Agent or identifier" hint="agt_… or did:…; of an owner, all of its agents." isOptional>
          <Input value={draft.who} onChange={take('who')} />
        </Field>
        <Field label="Host" hint="Where a resource answers." isOptional>
          <Input value={draft.host} onChange={take('host')} placeholder="tools.example" />
        </Field>
        <Field label="Kind" isOptional>
          <Select value={draft.kind} onChange={take('kind')}>
            <option value="">Any</option>
            {resourceKinds.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </Select>
        </Field>
        <Field label="Content that looks like" isOptional>
          <Select value={draft.tag} onChange={take('tag')}>
            <option value="">Any</option>
            {contentTags.map((tag) => (
              <option key={tag} value={tag}>
                {tagWords[tag]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Not in this region" hint="Resources that state another one, or none." isOptional>
          <Input value={draft.region} onChange={take('region')} placeholder="eu" />
        </Field>
      </div>
      <Field label="Reason" hint="Told to whom it stops.">
        <Input value={reason} onChange={take('reason')} required maxLength={300} />
      </Field>
      {set.error && <ProblemNotice error={set.error} />}
      <div>
        <Button type="submit" tone="primary" isBusy={set.isPending} disabled={points.length === 0}>
          {!set.isPending && <Plus aria-hidden />} Set the rule
        </Button>
      </div>
    </form>
  )
}

'use client'
import { type AgentId, type Listing, prefixedId, sha256, uuidv7 } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type GivenInputs, inputFaultsOf, inputFieldsOf, readInputs } from '../../_calls/call-inputs.ts'
import { InputFields } from '../../_calls/input-fields.tsx'
import { Button } from '../../_components/ui/button.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { Card } from '../../_components/ui/section.tsx'
import { useTRPC, useTRPCClient } from '../../_trpc/client.tsx'
import { sampleValues } from './sample-values.ts'
import { SkillTestResult } from './skill-test-result.tsx'

const pollMs = 1_500
/** Planning needs a goal, which a test task does not have. */
const planning = 'goal.plan'

/** A free test task for each skill of the person's own agent, with the last result. */
export function SkillTestTaskPanel({ listing }: { listing: Listing }) {
  const t = useTranslations('publish.skillTestTaskPanel')
  const trpc = useTRPC()
  const { data, error, refetch } = useQuery(
    trpc.skillTests.list.queryOptions(
      { agent_id: listing.agent_id as AgentId },
      { refetchInterval: ({ state }) => (state.data?.some((one) => one.state === 'requested') ? pollMs : false) },
    ),
  )
  const skills = listing.skills.filter(({ id }) => id !== planning)
  return (
    <div className="grid gap-4">
      <p className="text-muted">{t('sendFreeTask')}</p>
      {error && <ProblemNotice error={error} />}
      {skills.map((skill) => {
        const tests = data?.filter((one) => one.skill_id === skill.id) ?? []
        const last = tests.find((one) => one.is_current)
        return (
          <Card key={skill.id} className="grid gap-4">
            <h3 className="font-semibold">{skill.name}</h3>
            <TestForm listing={listing} skill={skill} isOpen={last?.state === 'requested'} onSent={() => void refetch()} />
            {last ? (
              <SkillTestResult test={last} />
            ) : (
              data && <p className="text-muted text-sm">{tests.length > 0 ? t('newVersion') : t('notTestedYet')}</p>
            )}
          </Card>
        )
      })}
    </div>
  )
}

type FormProps = { listing: Listing; skill: Listing['skills'][number]; isOpen: boolean; onSent: () => void }

function TestForm({ listing, skill, isOpen, onSent }: FormProps) {
  const t = useTranslations('publish.skillTestTaskPanel')
  const tAsk = useTranslations('calls.callForm')
  const api = useTRPCClient()
  const fields = inputFieldsOf(skill)
  const [given, setGiven] = useState<GivenInputs>(() => sampleValues(skill, fields))
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const faults = inputFaultsOf(fields, given, tAsk)
  const send = async () => {
    setTried(true)
    if (Object.keys(faults).length > 0) return
    setBusy(true)
    setError(null)
    try {
      const call_id = prefixedId('cal', uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10))))
      const about = { call_id, agent_id: listing.agent_id as AgentId, skill_id: skill.id }
      await api.skillTests.start.mutate({ ...about, ...(await readInputs(fields, given, sha256)) })
      onSent()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <InputFields fields={fields} given={given} faults={isTried ? faults : {}} onChange={setGiven} />
      {error !== null && <ProblemNotice error={error} />}
      <Button type="submit" className="justify-self-start" isBusy={isBusy || isOpen}>
        <Play aria-hidden /> {isOpen ? t('waiting') : t('runTest')}
      </Button>
    </form>
  )
}

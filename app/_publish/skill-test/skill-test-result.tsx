import type { inferRouterOutputs } from '@trpc/server'
import { Check, Hourglass, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { inputLines } from '../../_calls/call-inputs.ts'
import { CallFile } from '../../_calls/call-list.tsx'
import { Chip } from '../../_components/ui/state-chip.tsx'
import { Time } from '../../_components/ui/time.tsx'

type Test = inferRouterOutputs<AppRouter>['skillTests']['list'][number]

const looks = { requested: ['amber', Hourglass], passed: ['good', Check], failed: ['bad', X] } as const

/** The last test of a skill: request, response, duration and errors. */
export function SkillTestResult({ test }: { test: Test }) {
  const t = useTranslations('publish.skillTestResult')
  const [tone, icon] = looks[test.state]
  const words = { requested: t('requested'), passed: t('passed'), failed: t('failed') }
  return (
    <div className="grid gap-3 border-t pt-4">
      <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
        <Chip tone={tone} icon={icon}>
          {words[test.state]}
        </Chip>
        {test.duration_ms !== null && <span>{t('seconds', { seconds: (test.duration_ms / 1_000).toFixed(1) })}</span>}
        <span>{t.rich('versionAt', { version: test.version, time: () => <Time at={test.requested_at} /> })}</span>
      </p>
      {test.faults.length > 0 && (
        <ul className="grid gap-1 text-bad-ink text-sm">
          {test.faults.map((fault) => (
            <li key={fault} className="[overflow-wrap:anywhere]">
              {fault}
            </li>
          ))}
        </ul>
      )}
      <Side title={t('request')} callId={test.call_id} lines={inputLines(test.inputs)} files={test.attachments} />
      {test.state !== 'requested' && (
        <Side title={t('response')} callId={test.call_id} lines={test.text === '' ? [] : [test.text]} files={test.artifacts} />
      )}
    </div>
  )
}

function Side({ title, callId, lines, files }: { title: string; callId: string; lines: readonly string[]; files: Test['artifacts'] }) {
  if (lines.length + files.length === 0) return null
  return (
    <div className="grid min-w-0 gap-2">
      <h4 className="caption">{title}</h4>
      {lines.map((line) => (
        <p key={line} className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
          {line}
        </p>
      ))}
      {files.map((file) => (
        <CallFile key={`${file.sha256} ${file.name}`} callId={callId} file={file} isOpen />
      ))}
    </div>
  )
}

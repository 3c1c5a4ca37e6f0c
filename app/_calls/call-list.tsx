'use client'
import type { Listing } from '@parley/protocol'
import { Download, FileText } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { FilePreview } from '../_components/content/file-preview.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { Card, Section } from '../_components/ui/section.tsx'
import { StateChip } from '../_components/ui/state-chip.tsx'
import { Time } from '../_components/ui/time.tsx'
import { inputLines } from './call-inputs.ts'
import type { CallDetails } from './channel-view.ts'

/** The calls of a channel, newest first; the newest answer is open to read. */
export function CallList({ calls, skills }: { calls: readonly CallDetails[]; skills: Listing['skills'] }) {
  const t = useTranslations('calls.callList')
  return (
    <Section title={t('questionsAnswers')} level={3}>
      <ol className="grid gap-3">
        {calls.map((call, index) => (
          <li key={call.call_id}>
            <Card className="grid gap-3">
              <div className="flex flex-wrap items-center justify-between gap-2">
                <span className="font-medium">{skills.find((skill) => skill.id === call.skill_id)?.name ?? call.skill_id}</span>
                <span className="flex flex-wrap items-center gap-2">
                  <span className="text-muted text-sm">
                    {call.state === 'answered' ? <MoneyAmount amount={call.price} /> : call.state === 'requested' ? null : t('notPaid')}
                  </span>
                  <StateChip of="call" state={call.state} />
                </span>
              </div>
              <p className="text-faint text-xs">{t.rich('asked', { time: () => <Time at={call.requested_at} /> })}</p>
              {inputLines(call.inputs).map((line) => (
                <p key={line} className="whitespace-pre-wrap [overflow-wrap:anywhere]">
                  {line}
                </p>
              ))}
              {call.attachments.map((file) => (
                <CallFile key={`${file.sha256} ${file.name}`} callId={call.call_id} file={file} isOpen={index === 0} />
              ))}
              {(call.reason || call.text || call.artifacts.length > 0) && <p className="caption">{t('answer')}</p>}
              {call.reason && <p>{call.reason}</p>}
              {call.text && <p>{call.text}</p>}
              {call.artifacts.map((file) => (
                <CallFile key={`${file.sha256} ${file.name}`} callId={call.call_id} file={file} isOpen={index === 0} />
              ))}
            </Card>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** A file of a question or an answer. `isOpen`: with its content. */
export function CallFile({ callId, file, isOpen }: { callId: string; file: CallDetails['artifacts'][number]; isOpen: boolean }) {
  const t = useTranslations('calls.callList')
  const address = `/api/calls/${callId}/${file.sha256}`
  return (
    <details className="rounded-md border bg-surface" open={isOpen}>
      <summary className="flex min-h-11 items-center gap-2.5 px-3 py-1.5">
        <FileText aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate font-medium text-sm">{file.name}</span>
      </summary>
      <div className="grid gap-3 border-t p-3">
        <FilePreview address={address} mediaType={file.media_type} name={file.name} />
        <a className="inline-flex min-h-9 items-center gap-2 text-link text-sm" href={`${address}?download=1`} download={file.name}>
          <Download aria-hidden className="size-4" /> {t('download')}
        </a>
      </div>
    </details>
  )
}

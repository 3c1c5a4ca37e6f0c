'use client'
import { shownName } from '@parley/protocol'
import { FileText, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Translate } from '@/app/_messages/translate.ts'
import { IconButton } from '../../../_components/ui/button.tsx'
import { Field, Input, Select } from '../../../_components/ui/field.tsx'
import { acceptedEndings, attachmentFault, convertToUtf8, mediaTypeOfFile } from '../../../_views/attachment.ts'
import { type DraftAttachment, maxAttachments } from '../../../_views/goal-draft.ts'

type Readers = 'team' | 'everyone'
type Props = {
  files: readonly DraftAttachment[]
  onChange: (files: readonly DraftAttachment[]) => void
  readers: Readers
  onReaders: (readers: Readers) => void
  error: string | undefined
}

const readerWords = {
  team: 'youAgentsOfTeamOwnersOf',
  everyone: 'everyoneWhoMayReadRoomCan',
} as const satisfies Record<Readers, string>

/** Files for the agents. Only the team can read them, unless the client allows everyone. */
export function AttachmentsField({ files, onChange, readers, onReaders, error }: Props) {
  const t = useTranslations('post.attachmentsField')
  const tFile = useTranslations('views.attachment')
  const [refusal, setRefusal] = useState<string>()
  async function add(list: FileList | null) {
    const chosen = [...(list ?? [])]
    const read = await Promise.all(chosen.map((file) => readAttachment(file, tFile)))
    const good = read.flatMap((one) => (typeof one === 'string' ? [] : [one]))
    const kept = [...files.filter((old) => !good.some((one) => one.name === old.name)), ...good]
    const faults = read.filter((one) => typeof one === 'string')
    if (kept.length > maxAttachments) faults.push(t('goalTakesAtMostFiles', { maxAttachments }))
    else if (good.length > 0) onChange(kept)
    setRefusal(faults.join('\n') || undefined)
  }
  return (
    <div className="grid gap-2">
      <Field label={t('filesToWorkWith')} isOptional hint={`${tFile('accepted')} ${t(readerWords[readers])}`} error={refusal ?? error}>
        <Input
          type="file"
          multiple
          accept={acceptedEndings}
          className="py-2 file:mr-3 file:rounded-sm file:border-0 file:bg-plain-soft file:px-2.5 file:py-1 file:text-sm"
          onChange={(event) => {
            void add(event.target.files)
            event.target.value = ''
          }}
        />
      </Field>
      {files.length > 0 && (
        <Field label={t('whoMayReadTheseFiles')} hint={t('theirNamesStandInRoomIn')}>
          <Select value={readers} onChange={(event) => onReaders(event.target.value === 'everyone' ? 'everyone' : 'team')}>
            <option value="team">{t('youTeamOwnersOfAgentsOperators')}</option>
            <option value="everyone">{t('everyoneWhoMayReadRoom')}</option>
          </Select>
        </Field>
      )}
      {files.length > 0 && (
        <ul className="grid gap-1">
          {files.map((file) => (
            <li key={file.name} className="flex items-center gap-2.5 rounded-md border bg-surface py-1 pr-1 pl-3">
              <FileText aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1 truncate text-sm">{shownName(file.name)}</span>
              {file.isConverted && <span className="text-muted text-xs">{t('converted')}</span>}
              <span className="figures text-faint text-xs">{t('sizeB', { size: file.size })}</span>
              <IconButton label={t('remove', { name: shownName(file.name) })} onClick={() => onChange(files.filter((one) => one !== file))}>
                <Trash2 aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The file, or the reason for its rejection. */
async function readAttachment(file: File, t: Translate<'views.attachment'>): Promise<DraftAttachment | string> {
  const read = new Uint8Array(await file.arrayBuffer())
  const converted = convertToUtf8(file.name, read)
  const bytes = converted ?? read
  const fault = attachmentFault(file.name, bytes, t)
  if (fault !== null) return fault
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  const mediaType = mediaTypeOfFile(file.name, bytes) ?? 'text/plain'
  return { name: file.name, mediaType, content: btoa(binary), size: bytes.length, ...(converted && { isConverted: true }) }
}

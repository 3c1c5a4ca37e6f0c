'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Field, Input, Select } from '../../../_components/ui/field.tsx'
import { addFiles } from '../../../_quote/files/add-files.ts'
import { AttachedFiles } from '../../../_quote/files/attached-files.tsx'
import { convertedEndings } from '../../../_quote/files/convert-document.ts'
import { type DraftAttachment, maxAttachments } from '../_draft/draft-attachment.ts'
import { acceptedEndings } from './attachment-policy.ts'

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
  const tList = useTranslations('views.attachedFiles')
  const tFile = useTranslations('views.attachment')
  const [refusal, setRefusal] = useState<string>()
  async function add(list: FileList | null) {
    const tooMany = tList('goalTakesAtMostFiles', { maxAttachments })
    const added = await addFiles(files, [...(list ?? [])], { max: maxAttachments, tooMany, t: tFile })
    if (added.files !== files) onChange(added.files)
    setRefusal(added.faults.join('\n') || undefined)
  }
  return (
    <div className="grid gap-2">
      <Field label={t('filesToWorkWith')} isOptional hint={`${tFile('accepted')} ${t(readerWords[readers])}`} error={refusal ?? error}>
        <Input
          type="file"
          multiple
          accept={`${acceptedEndings},${convertedEndings}`}
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
      <AttachedFiles files={files} onChange={onChange} />
    </div>
  )
}

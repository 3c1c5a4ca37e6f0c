'use client'
import { Paperclip } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { Button } from '../../_components/ui/button.tsx'
import { addFiles } from '../../_quote/files/add-files.ts'
import { AttachedFiles } from '../../_quote/files/attached-files.tsx'
import { convertedEndings } from '../../_quote/files/convert-document.ts'
import { type DraftAttachment, maxAttachments } from '../../goals/new/_draft/draft-attachment.ts'
import { acceptedEndings } from '../../goals/new/_wizard/attachment-policy.ts'

type Props = { readonly files: readonly DraftAttachment[]; onChange(files: readonly DraftAttachment[]): void }

/** Files for the question. Only the agent that answers receives them. */
export function AttachFiles({ files, onChange }: Props) {
  const t = useTranslations('home.attachFiles')
  const tField = useTranslations('views.attachedFiles')
  const tFile = useTranslations('views.attachment')
  const input = useRef<HTMLInputElement>(null)
  const [faults, setFaults] = useState<readonly string[]>([])
  async function add(list: FileList | null) {
    const tooMany = tField('goalTakesAtMostFiles', { maxAttachments })
    const added = await addFiles(files, [...(list ?? [])], { max: maxAttachments, tooMany, t: tFile })
    if (added.files !== files) onChange(added.files)
    setFaults(added.faults)
  }
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button size="small" onClick={() => input.current?.click()}>
          <Paperclip aria-hidden /> {t('attach')}
        </Button>
        {files.length > 0 && <span className="text-muted text-sm">{t('readers')}</span>}
        <input
          ref={input}
          type="file"
          multiple
          accept={`${acceptedEndings},${convertedEndings}`}
          aria-label={t('attach')}
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            void add(event.target.files)
            event.target.value = ''
          }}
        />
      </div>
      <AttachedFiles files={files} onChange={onChange} />
      {faults.length > 0 && (
        <p role="alert" className="whitespace-pre-line text-bad-ink text-sm">
          {faults.join('\n')}
        </p>
      )}
    </div>
  )
}

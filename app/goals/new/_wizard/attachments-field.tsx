'use client'
import { shownName } from '@parley/protocol'
import { FileText, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../_components/ui/button.tsx'
import { Field, Input, Select } from '../../../_components/ui/field.tsx'
import { acceptedEndings, acceptedWords, attachmentFault, mediaTypeOf } from '../../../_views/attachment.ts'
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
  team: 'You, the agents of the team, the owners of those agents, and operators can read them.',
  everyone: 'Everyone who may read the room can read them.',
} as const satisfies Record<Readers, string>

/** Files that the agents work with. They go with the goal; only its team can read them, unless its client lets everyone. */
export function AttachmentsField({ files, onChange, readers, onReaders, error }: Props) {
  const [refusal, setRefusal] = useState<string>()
  async function add(list: FileList | null) {
    const chosen = [...(list ?? [])]
    const read = await Promise.all(chosen.map(readAttachment))
    const good = read.flatMap((one) => (typeof one === 'string' ? [] : [one]))
    const kept = [...files.filter((old) => !good.some((one) => one.name === old.name)), ...good]
    const faults = read.filter((one) => typeof one === 'string')
    if (kept.length > maxAttachments) faults.push(`A goal takes at most ${maxAttachments} files. Nothing was added.`)
    else if (good.length > 0) onChange(kept)
    setRefusal(faults.join('\n') || undefined)
  }
  return (
    <div className="grid gap-2">
      <Field label="Files to work with" isOptional hint={`${acceptedWords}. ${readerWords[readers]}`} error={refusal ?? error}>
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
        <Field label="Who may read these files" hint="Their names stand in the room in any case.">
          <Select value={readers} onChange={(event) => onReaders(event.target.value === 'everyone' ? 'everyone' : 'team')}>
            <option value="team">You, the team, the owners of its agents, and operators</option>
            <option value="everyone">Everyone who may read the room</option>
          </Select>
        </Field>
      )}
      {files.length > 0 && (
        <ul className="grid gap-1">
          {files.map((file) => (
            <li key={file.name} className="flex items-center gap-2.5 rounded-md border bg-surface py-1 pr-1 pl-3">
              <FileText aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1 truncate text-sm">{shownName(file.name)}</span>
              <span className="figures text-faint text-xs">{file.size} B</span>
              <IconButton label={`Remove ${shownName(file.name)}`} onClick={() => onChange(files.filter((one) => one !== file))}>
                <Trash2 aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The file, or why it is not taken. */
async function readAttachment(file: File): Promise<DraftAttachment | string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const fault = attachmentFault(file.name, bytes)
  if (fault !== null) return fault
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return { name: file.name, mediaType: mediaTypeOf(file.name) ?? 'text/plain', content: btoa(binary), size: file.size }
}

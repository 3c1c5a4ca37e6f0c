'use client'
import { FileText, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../_components/ui/button.tsx'
import { Field, Input, Select } from '../../../_components/ui/field.tsx'
import { type DraftAttachment, maxAttachmentBytes, maxAttachments } from '../../../_views/goal-draft.ts'

type Readers = 'team' | 'everyone'
type Props = {
  files: readonly DraftAttachment[]
  onChange: (files: readonly DraftAttachment[]) => void
  readers: Readers
  onReaders: (readers: Readers) => void
  error: string | undefined
}

const readerWords = {
  team: 'You, the agents of the team with their owners, and auditors can read them.',
  everyone: 'Everyone who may read the room can read them.',
} as const satisfies Record<Readers, string>

const types: { readonly [ending: string]: string } = { csv: 'text/csv', json: 'application/json', txt: 'text/plain', md: 'text/markdown' }

/** Files that the agents work with. They go with the goal; only its team can read them, unless its client lets everyone. */
export function AttachmentsField({ files, onChange, readers, onReaders, error }: Props) {
  const [refusal, setRefusal] = useState<string>()
  async function add(list: FileList | null) {
    const chosen = [...(list ?? [])]
    const tooLarge = chosen.find((file) => file.size > maxAttachmentBytes)
    if (tooLarge) return setRefusal(`${tooLarge.name} is larger than 2 MiB.`)
    if (files.length + chosen.length > maxAttachments) return setRefusal(`At most ${maxAttachments} files.`)
    setRefusal(undefined)
    const read = await Promise.all(chosen.map(readAttachment))
    onChange([...files.filter((old) => !read.some((one) => one.name === old.name)), ...read])
  }
  return (
    <div className="grid gap-2">
      <Field
        label="Files to work with"
        isOptional
        hint={`CSV, JSON, text or Markdown, up to 2 MiB each. ${readerWords[readers]}`}
        error={refusal ?? error}
      >
        <Input
          type="file"
          multiple
          accept=".csv,.json,.txt,.md"
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
            <option value="team">You, the team and auditors</option>
            <option value="everyone">Everyone who may read the room</option>
          </Select>
        </Field>
      )}
      {files.length > 0 && (
        <ul className="grid gap-1">
          {files.map((file) => (
            <li key={file.name} className="flex items-center gap-2.5 rounded-md border bg-surface py-1 pr-1 pl-3">
              <FileText aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1 truncate text-sm">{file.name}</span>
              <span className="figures text-faint text-xs">{file.size} B</span>
              <IconButton label={`Remove ${file.name}`} onClick={() => onChange(files.filter((one) => one !== file))}>
                <Trash2 aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

async function readAttachment(file: File): Promise<DraftAttachment> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  const ending = file.name.split('.').pop()?.toLowerCase() ?? ''
  return { name: file.name.slice(0, 120), mediaType: types[ending] ?? 'text/plain', content: btoa(binary), size: file.size }
}

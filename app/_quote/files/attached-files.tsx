import { shownName } from '@parley/protocol'
import { FileText, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { IconButton } from '../../_components/ui/button.tsx'
import type { DraftAttachment } from '../../goals/new/_draft/draft-attachment.ts'

type Props = { readonly files: readonly DraftAttachment[]; onChange(files: readonly DraftAttachment[]): void }

/** The chosen files, each with a button that removes it. */
export function AttachedFiles({ files, onChange }: Props) {
  const t = useTranslations('views.attachedFiles')
  if (files.length === 0) return null
  return (
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
  )
}

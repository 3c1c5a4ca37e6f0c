'use client'
import { Download, FileText } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import type { Translate } from '@/app/_messages/translate-types.ts'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { FilePreview } from '../../../../_components/content/file-preview.tsx'
import { CopyButton } from '../../../../_components/ui/copy-button.tsx'
import { Section } from '../../../../_components/ui/section.tsx'
import { Time } from '../../../../_components/ui/time.tsx'
import type { People } from '../to-run-view.ts'

/** Attachments and artifacts, each with a preview and its hash. */
export function FilesPanel({ run, people }: { run: Run; people: People }) {
  const t = useTranslations('run.filesPanel')
  const files = [...run.artifacts].reverse()
  const isEnded = run.goal.state === 'paid' || run.goal.state === 'refunded' || run.goal.state === 'canceled'
  const [open, setOpen] = useState<string | null>(null)
  useEffect(() => {
    // A message's link to a file opens it here.
    const follow = () => {
      const asked = /^#file-([0-9a-f]{12})$/.exec(window.location.hash)?.[1]
      if (asked) setOpen(asked)
    }
    follow()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  return (
    <Section title={t('files')} aside={files.length > 0 ? files.length : undefined}>
      {files.length === 0 ? (
        <p className="text-muted text-sm">{isEnded ? t('nothingAttachedOrMade') : t('noneYet')}</p>
      ) : (
        <ul className="grid gap-2">
          {files.map((file) => {
            const key = file.sha256.slice(0, 12)
            const address = `/api/artifacts/${run.goal.id}/${file.sha256}`
            return (
              <li key={`${file.sha256}-${file.name}`} id={`file-${key}`} className="rounded-md border bg-surface">
                <details
                  open={open === key}
                  onToggle={(event) => event.currentTarget.open !== (open === key) && setOpen(event.currentTarget.open ? key : null)}
                >
                  <summary className="flex min-h-11 items-center gap-2.5 px-3 py-1.5">
                    <FileText aria-hidden className="size-4 shrink-0 text-muted" />
                    <span className="min-w-0 flex-1">
                      <span className="block truncate font-medium text-sm">{file.name}</span>
                      <span className="block truncate text-faint text-xs">
                        {file.artifact_type} · {file.erased_at ? t('erased') : sizeOf(file.size, t)} · {people.speakerOf(file.by).name}
                      </span>
                    </span>
                  </summary>
                  {open === key && (
                    <div className="grid gap-3 border-t p-3">
                      {file.erased_at ? (
                        <p className="text-muted text-sm">{t.rich('fileErased', { time: fillEmptyTag(<Time at={file.erased_at} />) })}</p>
                      ) : (
                        <FilePreview address={address} mediaType={file.media_type} name={file.name} />
                      )}
                      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
                        {!file.erased_at && (
                          <a
                            className="inline-flex min-h-9 items-center gap-2 text-link"
                            href={`${address}?download=1`}
                            download={file.name}
                          >
                            <Download aria-hidden className="size-4" /> {t('download')}
                          </a>
                        )}
                        <span className="flex items-center gap-1 text-faint text-xs">
                          <span className="figures" title={file.sha256}>
                            {t('sha256', { key })}
                          </span>
                          <CopyButton text={file.sha256} label={t('copyHash')} isIconOnly />
                        </span>
                      </div>
                    </div>
                  )}
                </details>
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}

function sizeOf(bytes: number, t: Translate<'run.filesPanel'>): string {
  return bytes < 1_024
    ? `${bytes} B`
    : bytes < 1_048_576
      ? t('kb', { bytes: (bytes / 1_024).toFixed(1) })
      : t('mb', { bytes: (bytes / 1_048_576).toFixed(1) })
}

'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { cn } from '../ui/cn.ts'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/section.tsx'
import { Table, Td, Th, Tr } from '../ui/table.tsx'
import { type FileRows, readFileRows } from './read-file-rows.ts'
import { ServerParsedMarkdown } from './server-parsed-markdown.tsx'

/** Larger files are downloaded, not shown. Bytes. */
const shownCharacters = 60_000

/** The timeout of a download of at most 2 MiB. */
const fileMs = 60_000

/** A file that this reader may not read. Attachments are for the team, unless the goal is public. */
class NotYours extends Error {
  override readonly name = 'NotYours'
}

/** The text of a file. It is fetched once, because its URL contains its hash. */
export function useFileText(address: string | null) {
  return useQuery({
    queryKey: ['file', address],
    enabled: address !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (count, error) => count < 2 && !(error instanceof NotYours),
    queryFn: async ({ signal }) => {
      const response = await fetch(address ?? '', { signal: AbortSignal.any([signal, AbortSignal.timeout(fileMs)]) })
      if (response.status === 404) throw new NotYours()
      if (!response.ok) throw new TypeError(`the file answered ${response.status}`)
      return response.text()
    },
  })
}

type PreviewProps = {
  address: string
  mediaType: string
  name: string
  /** Without a limit of height. */
  isFull?: boolean
}

export function FilePreview({ address, mediaType, name, isFull = false }: PreviewProps) {
  const t = useTranslations('ui.filePreview')
  const isImage = /^image\/(svg\+xml|png|jpeg|webp)/.test(mediaType)
  const isText = /^text\/|json|markdown|csv/.test(mediaType) && !isImage
  const { data, error } = useFileText(isText ? address : null)
  if (isImage)
    return (
      // biome-ignore lint/performance/noImgElement: served with a policy of its own and never resized
      <img
        src={address}
        alt={name}
        className={cn('w-full rounded-md border bg-white object-contain', isFull ? 'max-h-[70vh]' : 'max-h-96')}
      />
    )
  if (!isText) return <p className="text-muted text-sm">{t('noPreviewOfKindOfFile')}</p>
  if (error instanceof NotYours) return <Notice kind="info" title={t('onlyClientAgentsOfTeamTheir')} />
  if (error) return <Notice kind="bad" title={t('fileCouldNotRead')} />
  if (data === undefined) return <Skeleton className="h-32" />
  const shown = data.slice(0, shownCharacters)
  const isLong = data.length > shownCharacters
  return (
    <>
      <FileText text={shown} mediaType={mediaType} name={name} isFull={isFull} />
      {isLong && <p className="text-muted text-sm">{t('onlyBeginningShown')}</p>}
    </>
  )
}

function FileText({ text, mediaType, name, isFull }: { text: string; mediaType: string; name: string; isFull: boolean }) {
  if (mediaType.startsWith('text/markdown'))
    return (
      <ServerParsedMarkdown text={text} className={isFull ? 'rounded-lg border bg-surface p-4 md:p-6' : 'max-h-[32rem] overflow-auto'} />
    )
  const rows = readFileRows(text, mediaType)
  if (rows) return <RowsTable rows={rows} name={name} />
  const look = cn('figures overflow-auto rounded-md bg-sunken p-3 text-xs leading-snug', isFull ? 'max-h-[70vh]' : 'max-h-96')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre tabIndex={0} className={look}>
      {mediaType.includes('json') ? indented(text) : text}
    </pre>
  )
}

function RowsTable({ rows, name }: { rows: FileRows; name: string }) {
  const t = useTranslations('ui.filePreview')
  return (
    <>
      <Table caption={name}>
        <thead>
          <tr>
            {rows.columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
              <Th key={index} isNumber={rows.isNumber[index] ?? false}>
                {column}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.cells.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
            <Tr key={row}>
              {cells.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name
                <Td key={index} isNumber={rows.isNumber[index] ?? false}>
                  {cell}
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
      {rows.total > rows.cells.length && (
        <p className="mt-1 text-muted text-sm">{t('rowsShown', { count: rows.cells.length, total: rows.total })}</p>
      )}
    </>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

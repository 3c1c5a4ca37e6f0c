'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Skeleton } from './card.tsx'
import { LazyMarkdown } from './lazy-markdown.tsx'
import { Notice } from './notice.tsx'

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

export function FilePreview({ address, mediaType, name }: { address: string; mediaType: string; name: string }) {
  const t = useTranslations('ui.filePreview')
  const isImage = /^image\/(svg\+xml|png|jpeg|webp)/.test(mediaType)
  const isText = /^text\/|json|markdown|csv/.test(mediaType) && !isImage
  const { data, error } = useFileText(isText ? address : null)
  if (isImage)
    return (
      // biome-ignore lint/performance/noImgElement: served with a policy of its own and never resized
      <img src={address} alt={name} className="max-h-96 w-full rounded-md border bg-white object-contain" />
    )
  if (!isText) return <p className="text-muted text-sm">{t('noPreviewOfKindOfFile')}</p>
  if (error instanceof NotYours) return <Notice kind="info" title={t('onlyClientAgentsOfTeamTheir')} />
  if (error) return <Notice kind="bad" title={t('fileCouldNotRead')} />
  if (data === undefined) return <Skeleton className="h-32" />
  const shown = data.slice(0, shownCharacters)
  return (
    <>
      {mediaType.startsWith('text/markdown') ? (
        <LazyMarkdown text={shown} className="max-h-[32rem] overflow-auto" />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre tabIndex={0} className="figures max-h-96 overflow-auto rounded-md bg-sunken p-3 text-xs leading-snug">
          {mediaType.includes('json') ? indented(shown) : shown}
        </pre>
      )}
      {data.length > shownCharacters && <p className="text-muted text-sm">{t('onlyBeginningShown')}</p>}
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

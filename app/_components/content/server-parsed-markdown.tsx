'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPCClient } from '@/app/_trpc/client.tsx'
import { Markdown } from './markdown.tsx'

/** Whether a text contains Markdown syntax. */
const hasMarks = /[*_`#[\]|~<>\\]|&[#\w]|https?:\/\/|www\.|^[ \t]{0,3}(?:[-+=]|\d{1,9}[.)])|\n/m

/** Markdown on client-rendered pages. The server parses it; until then the plain text is shown. */
export function ServerParsedMarkdown({ text, className }: { text: string; className?: string }) {
  const client = useTRPCClient()
  const { data } = useQuery({
    queryKey: ['markdown', text],
    queryFn: () => client.markdown.format.mutate({ text }),
    enabled: hasMarks.test(text),
    staleTime: Number.POSITIVE_INFINITY,
    // Too many texts are queued. Retry later.
    refetchInterval: ({ state }) => (state.data?.isBusy ? 2_000 : false),
  })
  return <Markdown text={text} tree={data?.tree ?? null} {...(className === undefined ? {} : { className })} />
}

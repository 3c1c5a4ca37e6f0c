'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPCClient } from '@/app/_trpc/client.tsx'
import { Markdown } from './markdown.tsx'

/** Whether there is anything in a text that Markdown would show in another way than as it stands. */
const hasMarks = /[*_`#[\]|~<>\\]|&[#\w]|https?:\/\/|www\.|^[ \t]{0,3}(?:[-+=]|\d{1,9}[.)])|\n/m

/** Markdown on pages that live in the browser: the server parses it, and until it has, the text is shown as it stands. */
export function LazyMarkdown({ text, className }: { text: string; className?: string }) {
  const client = useTRPCClient()
  const { data } = useQuery({
    queryKey: ['markdown', text],
    queryFn: () => client.markdown.format.mutate({ text }),
    enabled: hasMarks.test(text),
    staleTime: Number.POSITIVE_INFINITY,
    // Too many texts wait for now: it is asked again.
    refetchInterval: ({ state }) => (state.data?.isBusy ? 2_000 : false),
  })
  return <Markdown text={text} tree={data?.tree ?? null} {...(className === undefined ? {} : { className })} />
}

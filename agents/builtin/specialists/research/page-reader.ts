/** Finds and reads pages of the web for a question: by addresses that the client names, and by a search engine. */

import { htmlToText } from '../../tools/formats/html-to-markdown-or-text.ts'
import { fetchRobotsRules } from '../../web/api/discover-api-and-robots-rules.ts'
import type { Lookup } from '../../web/egress/egress-policy.ts'
import { systemLookupAll } from '../../web/egress/egress-policy.ts'
import { createOriginThrottle, createSiteClient, type SiteResponse } from '../../web/egress/site-client.ts'

export type PageText = { readonly url: string; readonly title: string; readonly text: string; readonly readAt: string }

export type PageReaderOptions = {
  /** Address of the search engine with `{query}`. Undefined: Wikipedia's search. */
  readonly searchUrl: string | undefined
  /** Origins inside this machine's network that may be read. */
  readonly local: readonly string[]
  readonly lookup?: Lookup
}

export type PageReader = {
  /** Addresses for a query, best first. Empty if the search engine does not answer. */
  search(query: string, signal: AbortSignal): Promise<string[]>
  /** The text of a page, or why it cannot be read. */
  read(url: string, signal: AbortSignal): Promise<PageText | { readonly refused: string }>
}

/** At most four requests per second to one site. */
const gapMs = 250
const maxRedirects = 3
const maxFound = 6
const wikipediaSearch = 'https://en.wikipedia.org/w/api.php?action=query&list=search&srlimit=6&format=json&srsearch={query}'

export function createPageReader({ searchUrl, local, lookup = systemLookupAll }: PageReaderOptions): PageReader {
  const pace = createOriginThrottle(gapMs)
  const clientOf = (origin: string) => createSiteClient({ sites: [origin], local, lookup }, pace)
  const rules = new Map<string, Promise<(path: string) => boolean>>()

  async function mayRead({ origin, pathname, search }: URL): Promise<boolean> {
    const known = rules.get(origin) ?? fetchRobotsRules(origin, clientOf(origin))
    rules.set(origin, known)
    return (await known)(pathname + search)
  }

  async function get(url: string, signal: AbortSignal): Promise<(SiteResponse & { readonly url: string }) | { readonly refused: string }> {
    let at = url
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const parsed = URL.parse(at)
      if (!parsed || !/^https?:$/.test(parsed.protocol)) return { refused: `${at.slice(0, 100)} is no address.` }
      if (!(await mayRead(parsed))) return { refused: `The robots.txt of ${parsed.host} does not allow programs there.` }
      const response = await clientOf(parsed.origin)({ method: 'GET', url: at, signal })
      if ('refused' in response) return response
      const next = response.status >= 300 && response.status < 400 ? URL.parse(response.location, at)?.href : undefined
      if (next === undefined) return { ...response, url: at }
      at = next
    }
    return { refused: `${url.slice(0, 100)} redirects more than ${maxRedirects} times.` }
  }

  return {
    async search(query, signal) {
      const address = (searchUrl ?? wikipediaSearch).replace('{query}', encodeURIComponent(query))
      const { origin } = new URL(address)
      // The operator chose this address for programs, so robots.txt does not apply.
      const response = await clientOf(origin)({ method: 'GET', url: address, signal })
      return 'refused' in response || response.status !== 200 ? [] : addressesIn(response.text).slice(0, maxFound)
    },
    async read(url, signal) {
      const response = await get(url, signal)
      if ('refused' in response) return response
      if (response.status !== 200) return { refused: `${url.slice(0, 100)} answered with status ${response.status}.` }
      const isHtml = /html/.test(response.type) || /^\s*<(?:!doctype|html)/i.test(response.text)
      if (!isHtml && !/^text\/|json/.test(response.type)) return { refused: `${url.slice(0, 100)} is no text.` }
      const text = (isHtml ? htmlToText(response.text) : response.text).replace(/\n{3,}/g, '\n\n').trim()
      if (text === '') return { refused: `${url.slice(0, 100)} has no text.` }
      return {
        url: response.url,
        title: isHtml ? titleOf(response.text, response.url) : response.url,
        text,
        readAt: new Date().toISOString(),
      }
    },
  }
}

const titleOf = (html: string, url: string): string =>
  htmlToText(/<title[^>]*>([^<]{1,300})/i.exec(html)?.[1] ?? '')
    .replace(/\s+/g, ' ')
    .trim() || url

/** The addresses in an answer of SearXNG, or of Wikipedia's API. */
function addressesIn(text: string): string[] {
  const answer = parseJson(text) as { results?: unknown; query?: { search?: unknown } } | undefined
  const results = Array.isArray(answer?.results) ? answer.results : []
  const titles = Array.isArray(answer?.query?.search) ? answer.query.search : []
  const urls = [
    ...results.map((one: { url?: unknown }) => one?.url),
    ...titles.map(
      (one: { title?: unknown }) =>
        typeof one?.title === 'string' && `https://en.wikipedia.org/wiki/${encodeURIComponent(one.title.replaceAll(' ', '_'))}`,
    ),
  ]
  return [...new Set(urls.filter((url) => typeof url === 'string' && /^https?:\/\//.test(url)) as string[])]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a site says of itself where programs look: its robots.txt and the document of its API. */

import type { SiteClient } from '../egress/site-client.ts'
import { type Api, readApi } from './openapi.ts'

export type SiteRules = { readonly api: Api | undefined; mayVisit(path: string): boolean }

const agentName = 'parleywebagent'
const places = ['/.well-known/openapi.json', '/openapi.json', '/api/openapi.json', '/swagger.json', '/api-docs', '/v3/api-docs']

/** `document`: where the API's document is, if that is known; on the same site. */
export async function findApi(origin: string, ask: SiteClient, document?: string): Promise<Api | undefined> {
  const start = document ? undefined : await ask({ method: 'GET', url: `${origin}/` })
  const said = start && !('refused' in start) ? /<([^>]+)>\s*;[^,]*\brel="?service-desc\b/.exec(start.link)?.[1] : undefined
  for (const place of document ? [document] : [...(said ? [said] : []), ...places]) {
    const url = URL.parse(place, origin)?.href
    const told = url ? await ask({ method: 'GET', url }) : undefined
    const api = url && told && !('refused' in told) && told.status === 200 ? readApi(parsed(told.text), url) : undefined
    if (api) return api
  }
  return undefined
}

export async function findRobots(origin: string, ask: SiteClient): Promise<(path: string) => boolean> {
  const told = await ask({ method: 'GET', url: `${origin}/robots.txt` })
  return readRobots('refused' in told || told.status !== 200 || !told.type.startsWith('text/plain') ? '' : told.text)
}

/** By RFC 9309: the group of our name, else that of everybody; the longest rule that fits decides, and of equals the one that allows. */
export function readRobots(text: string): (path: string) => boolean {
  const groups = new Map<string, { allows: boolean; path: string }[]>()
  let names: string[] = []
  let isHead = false
  for (const line of text.slice(0, 500_000).split(/\r?\n/)) {
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? []
    const word = key.toLowerCase()
    if (word === 'user-agent') {
      names = isHead ? [...names, value.toLowerCase()] : [value.toLowerCase()]
      isHead = true
      for (const name of names) if (!groups.has(name)) groups.set(name, [])
    } else if (word === 'allow' || word === 'disallow') {
      isHead = false
      if (value) for (const name of names) groups.get(name)?.push({ allows: word === 'allow', path: value })
    }
  }
  const rules = groups.get(agentName) ?? groups.get('*') ?? []
  return (path) => {
    const hit = rules
      .filter((rule) => fitsRule(path, rule.path))
      .sort((a, b) => b.path.length - a.path.length || Number(b.allows) - Number(a.allows))[0]
    return hit?.allows ?? true
  }
}

/** `*` stands for anything, `$` at the end for the end. Walked through piece by piece, so that no pattern takes long. */
function fitsRule(path: string, rule: string): boolean {
  const isWhole = rule.endsWith('$')
  const pieces = (isWhole ? rule.slice(0, -1) : rule).split('*')
  const [first = '', ...rest] = pieces
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return !isWhole || at === path.length || (rest.length > 0 && path.endsWith(rest.at(-1) ?? ''))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The site's robots.txt and OpenAPI document. */

import type { SiteClient } from '../egress/site-client.ts'
import { type Api, parseOpenApi } from './parse-openapi.ts'

export type SiteRules = { readonly api: Api | undefined; mayVisit(path: string): boolean }

const agentName = 'parleywebagent'
/** Characters of a robots.txt that are read: at least the 500 KiB of RFC 9309. */
const maxRobots = 512_000
const places = ['/.well-known/openapi.json', '/openapi.json', '/api/openapi.json', '/swagger.json', '/api-docs', '/v3/api-docs']

/** @param document URL of the OpenAPI document, if it is known */
export async function discoverApi(origin: string, ask: SiteClient, document?: string): Promise<Api | undefined> {
  const start = document ? undefined : await ask({ method: 'GET', url: `${origin}/` })
  const descriptionUrl = start && !('refused' in start) ? /<([^>]+)>\s*;[^,]*\brel="?service-desc\b/.exec(start.link)?.[1] : undefined
  for (const place of document ? [document] : [...(descriptionUrl ? [descriptionUrl] : []), ...places]) {
    const url = URL.parse(place, origin)?.href
    const response = url ? await ask({ method: 'GET', url }) : undefined
    const api =
      url && response && !('refused' in response) && response.status === 200 ? parseOpenApi(parsed(response.text), url) : undefined
    if (api) return api
  }
  return undefined
}

export async function fetchRobotsRules(origin: string, ask: SiteClient): Promise<(path: string) => boolean> {
  const response = await ask({ method: 'GET', url: `${origin}/robots.txt` })
  return parseRobots('refused' in response || response.status !== 200 || !response.type.startsWith('text/plain') ? '' : response.text)
}

/**
 * RFC 9309: the group of this agent, or `*`. The longest matching rule decides; of equal ones, the one that allows.
 * The package robots-parser lets other records end a group, and takes seconds for rules of many stars.
 */
export function parseRobots(text: string): (path: string) => boolean {
  const groups = new Map<string, { allows: boolean; path: string }[]>()
  let names: string[] = []
  let isHead = false
  for (const line of text.slice(0, maxRobots).split(/\r\n?|\n/)) {
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? []
    const word = key.toLowerCase()
    if (word === 'user-agent') {
      const name = /^(?:\*|[\w-]*)/.exec(value)?.[0].toLowerCase() ?? ''
      names = isHead ? [...names, name] : [name]
      isHead = true
      if (!groups.has(name)) groups.set(name, [])
    } else if (word === 'allow' || word === 'disallow') {
      isHead = false
      if (value) for (const name of names) groups.get(name)?.push({ allows: word === 'allow', path: normalizePath(value) })
    }
  }
  const rules = groups.get(agentName) ?? groups.get('*') ?? []
  return (given) => {
    const path = normalizePath(given)
    const hit = rules
      .filter((rule) => fitsRule(path, rule.path))
      .sort((a, b) => b.path.length - a.path.length || Number(b.allows) - Number(a.allows))[0]
    return hit?.allows ?? true
  }
}

/** The same octets in one spelling: non-printable and non-ASCII ones encoded, unreserved ones decoded, hex digits in upper case. */
function normalizePath(path: string): string {
  const encoded = path.toWellFormed().replace(/[^ -~]+/g, encodeURIComponent)
  return encoded.replace(/%[0-9a-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : code.toUpperCase()
  })
}

/** Matches `*` and a final `$` without a regular expression, so that no pattern is slow. */
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

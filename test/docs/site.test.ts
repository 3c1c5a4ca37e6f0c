// The built site: its links, its copies for programs, and what the browser may run.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { docsFolder, ensureDocs } from '../../server/embedded/docs/build-docs.ts'
import { readDocsPages } from '../../server/embedded/docs/docs-pages.ts'
import { type BuiltFiles, inlineScriptHashes } from '../../server/embedded/docs/index-built-files.ts'
import { navigation } from '../../server/embedded/docs/navigation.ts'
import { pageHref, twinHref } from '../../server/embedded/docs/stage-site.ts'
import { answerDocsFile } from '../../server/trpc/answer-docs-file.ts'

const root = path.join(import.meta.dirname, '../..')
const folder = path.join(root, docsFolder)
const pages = readDocsPages(root)
const origin = 'http://localhost:3000'
let built: BuiltFiles
/** The text of each HTML page, by its path below `/docs`. */
let html: Map<string, string>

beforeAll(async () => {
  await ensureDocs(root, path.join(root, '.parley'))
  built = JSON.parse(readFileSync(path.join(folder, 'index.json'), 'utf8')) as BuiltFiles
  const files = Object.entries(built.files).filter(([, { file }]) => file.endsWith('.html'))
  html = new Map(files.map(([at, { file }]) => [at, readFileSync(path.join(folder, file), 'utf8')]))
})

const get = (at: string, headers: Record<string, string> = {}) =>
  answerDocsFile(new Request(`${origin}/docs/${at}`, { headers }), at === '' ? [] : at.split('/'), folder)
const idsIn = (text: string) => new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))
/** The links of a page's content, without those of the navigation. */
const linksIn = (text: string) =>
  [...text.matchAll(/<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))

/** Why a link leads nowhere, or null. */
function linkFault(from: string, link: string): string | null {
  const { origin: target, pathname, hash } = new URL(link, `${origin}${pageHref(from)}`)
  if (target !== origin) return null
  if (!/^\/docs(\/|$)/.test(pathname)) return isOfApp(pathname) ? null : `${from}: ${link} is no page of the web`
  const at = decodeURIComponent(pathname).replace(/^\/docs\/?/, '')
  const found = built.files[at]
  if (!found) return `${from}: ${link} is no page`
  if (hash === '' || !found.file.endsWith('.html')) return null
  return idsIn(html.get(at) ?? '').has(decodeURIComponent(hash.slice(1))) ? null : `${from}: ${link} has no such heading`
}

const ofApp = ['/', '/icon.svg', '/publish/new', '/agents/types']
function isOfApp(pathname: string): boolean {
  if (!pathname.startsWith('/protocol/')) return ofApp.includes(pathname)
  return readFileSync(path.join(root, pathname.slice(1))).length > 0
}

describe('the documentation site', () => {
  it('has every document of docs/ once in its sidebar, and no other', () => {
    const routes = navigation.flatMap((group) => group.routes)
    expect(routes.length).toBeGreaterThan(90)
    expect([...routes].sort()).toEqual(pages.flatMap(({ route }) => (route === '' ? [] : [route])).sort())
  })

  it('has a page and a title for each of them', () => {
    expect(pages.filter(({ route }) => !html.has(route)).map(({ route }) => route)).toEqual([])
    const titles = pages.map(({ title }) => title)
    expect(titles.filter((title) => title.length < 3)).toEqual([])
  })

  it('has no link to a page, a file or a heading that is not there', () => {
    const links = [...html].flatMap(([from, text]) => linksIn(text).map((link) => [from, link] as const))
    expect(links.length).toBeGreaterThan(5_000)
    expect([...new Set(links.flatMap(([from, link]) => linkFault(from, link) ?? []))]).toEqual([])
    expect(linkFault('start', '/docs/start#no-such-heading')).not.toBeNull()
    expect(linkFault('start', '/docs/no-such-page')).not.toBeNull()
  })

  it('has no link of the form of its source', () => {
    const left = [...html].flatMap(([at, text]) => linksIn(text).flatMap((link) => (/\.md(#|$)/.test(link) ? [`${at}: ${link}`] : [])))
    expect(left).toEqual([])
  })

  it('loads nothing from another origin', () => {
    const loaded = [...html].flatMap(([at, text]) =>
      [...text.matchAll(/<(?:img|link|script|iframe|source)\b[^>]*?\s(?:href|src)="(https?:[^"]+)"/g)].map(([, link]) => `${at}: ${link}`),
    )
    expect(loaded).toEqual([])
    const styles = Object.values(built.files).filter(({ file }) => file.endsWith('.css'))
    expect(styles.length).toBeGreaterThan(0)
    for (const { file } of styles) expect(readFileSync(path.join(folder, file), 'utf8')).not.toMatch(/url\(["']?https?:/)
  })

  it('names each inline script in its policy by its hash', async () => {
    const policy = (await get('start')).headers.get('content-security-policy') ?? ''
    expect(policy).not.toMatch(/script-src[^;]*unsafe|\*/)
    for (const [at, text] of html) {
      const hashes = inlineScriptHashes(text)
      expect(hashes.length, at).toBeLessThan(5)
      for (const hash of hashes) expect(policy, at).toContain(hash)
      expect(text, at).not.toMatch(/\son(click|load|error)=/)
    }
  })
})

describe('its copies for programs', () => {
  it('are Markdown with the title, for each page', async () => {
    for (const { route, title } of pages) {
      const response = await get(twinHref(route).slice('/docs/'.length))
      expect([response.status, response.headers.get('content-type')], route).toEqual([200, 'text/markdown; charset=utf-8'])
      const text = await response.text()
      expect(text.replaceAll(/[`*]/g, ''), route).toContain(`# ${title}`)
      expect(text, route).not.toMatch(/^---\n/)
    }
  })

  it('link to each other', async () => {
    const faults: string[] = []
    for (const { route } of pages) {
      const text = await (await get(twinHref(route).slice('/docs/'.length))).text()
      const links = [...text.replace(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/\]\((\/docs[^)\s]*)\)/g)].map(
        ([, link = '']) => link.split('#')[0],
      )
      for (const link of links) if (!((link ?? '').replace(/^\/docs\/?/, '') in built.files)) faults.push(`${route}: ${link}`)
    }
    expect(faults).toEqual([])
  })

  it('are all in llms.txt', async () => {
    const text = await (await get('llms.txt')).text()
    const listed = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\)/gm)].map(([, link]) => link)
    expect([...listed].sort()).toEqual(pages.map(({ route }) => twinHref(route)).sort())
    expect(listed.length).toBeGreaterThan(90)
  })
})

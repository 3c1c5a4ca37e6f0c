import fs from 'node:fs'
import path from 'node:path'

/** A page of the documentation site. `route`: its path below `/docs`, empty for the first page. `source`: its file, from the root. */
export type DocsPage = {
  readonly route: string
  readonly source: string
  /** The text as it is in the source. */
  readonly markdown: string
  readonly title: string
  /** The first sentence of the text. */
  readonly description: string
}

/** Documents outside of `docs/` that the site shows, each with its route. */
const outsideDocs: Readonly<Record<string, string>> = {
  'README.md': 'readme',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'security',
  'CHANGELOG.md': 'changelog',
  'CODE_OF_CONDUCT.md': 'code-of-conduct',
  'protocol/SPEC.md': 'reference/specification',
  'protocol/README.md': 'reference/protocol-package',
  'agents/README.md': 'reference/typescript-library',
  'agents/python/README.md': 'reference/python-library',
  'agents/cli/README.md': 'guides/command-line',
  'agents/builtin/README.md': 'reference/built-in-agents',
  'contracts/README.md': 'reference/contracts',
  'server/search/meaning/weights/README.md': 'appendix/embedder-model-card',
}

/** The documents outside of `docs/`, from the root. */
export const outsideSources = Object.keys(outsideDocs)

/** All pages of the site, sorted by route. */
export function readDocsPages(root: string): DocsPage[] {
  const inDocs = markdownBelow(root, 'docs').map((source) => [source, source.slice('docs/'.length, -'.md'.length)] as const)
  return [...inDocs, ...Object.entries(outsideDocs)]
    .map(([source, route]) => readDocsPage(root, source, route === 'index' ? '' : route))
    .sort((a, b) => (a.route < b.route ? -1 : 1))
}

function readDocsPage(root: string, source: string, route: string): DocsPage {
  const markdown = fs.readFileSync(path.join(root, source), 'utf8')
  const body = withoutFrontmatter(markdown)
  const setting = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(markdown.slice(0, markdown.length - body.length))?.[1]
  const title = /^# (.+)$/m.exec(body)?.[1] ?? setting('title') ?? route
  return { route, source, markdown, title: plainText(title), description: setting('description') ?? firstSentence(body) }
}

function markdownBelow(root: string, folder: string): string[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const at = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name.startsWith('.') ? [] : markdownBelow(root, at)
    return entry.name.endsWith('.md') ? [at] : []
  })
}

/** The Markdown after the settings at its head. */
export const withoutFrontmatter = (markdown: string): string => markdown.replace(/^---\n[\s\S]*?\n---\n+/, '')

/** The first paragraph below the title, up to the end of its first sentence. */
function firstSentence(body: string): string {
  const [, below = ''] = body.split(/^# .+\n/m)
  const paragraph = below.split(/\n\s*\n/).find((block) => /^[\p{L}`*[“"]/u.test(block.trim())) ?? ''
  return plainText(/^[\s\S]*?\.(?=\s|$)/.exec(paragraph.trim())?.[0] ?? paragraph.trim())
}

/** Markdown without its marks, on one line. */
const plainText = (markdown: string): string =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

import fs from 'node:fs'
import path from 'node:path'
import { type DocsPage, withoutFrontmatter } from './docs-pages.ts'
import { navigation } from './navigation.ts'
import { type LinkMap, replaceLinks, resolveLink } from './resolve-links.ts'
import { siteConfig } from './site-config.ts'

/** The path below which the web serves the site. */
export const docsBase = '/docs'

/** The address of a page, without the host. */
export const pageHref = (route: string): string => (route === '' ? docsBase : `${docsBase}/${route}`)
/** The address of a page's Markdown. */
export const twinHref = (route: string): string => `${docsBase}/${route === '' ? 'index' : route}.md`

/** Files of `docs/` that are not pages: figures, and records of runs. From the root. */
export function docsFiles(root: string, folder = 'docs'): string[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const at = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name.startsWith('.') ? [] : docsFiles(root, at)
    return entry.name.endsWith('.md') ? [] : [at]
  })
}

export function linkMapOf(root: string, pages: readonly DocsPage[]): LinkMap {
  return {
    routes: new Map(pages.map(({ source, route }) => [source, route])),
    files: new Map(docsFiles(root).map((file) => [file, `/${file}`])),
  }
}

/**
 * Writes the input of the site's generator into `folder`: each page with links that are valid on the site, the theme, the settings, and
 * the other files as they are.
 */
export function stageSite(root: string, folder: string, pages: readonly DocsPage[], out: string): void {
  fs.rmSync(folder, { recursive: true, force: true })
  const map = linkMapOf(root, pages)
  const write = (file: string, text: string) => {
    const target = path.join(folder, file)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, text)
  }
  for (const page of pages) write(`${page.route || 'index'}.md`, siteMarkdown(root, page, map))
  for (const file of docsFiles(root)) {
    const target = path.join(folder, 'public', file.slice('docs/'.length))
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.copyFileSync(path.join(root, file), target)
  }
  for (const page of pages) write(`public/${page.route || 'index'}.md`, twinMarkdown(page, map))
  write('public/llms.txt', llmsIndex(pages))
  fs.cpSync(path.join(root, 'docs/.vitepress/theme'), path.join(folder, '.vitepress/theme'), { recursive: true })
  for (const [font, name] of Object.entries(fonts))
    fs.copyFileSync(path.join(root, 'node_modules/@fontsource-variable', font), path.join(folder, '.vitepress/theme', name))
  fs.copyFileSync(path.join(root, 'app/icon.svg'), path.join(folder, 'public/icon.svg'))
  // The generator would read that of the checkout.
  write('tsconfig.json', '{}\n')
  const config = siteConfig(pages, { out, cache: path.join(folder, '.vitepress/cache') })
  write('.vitepress/config.mjs', configModule(config))
}

const fonts = {
  'geist/files/geist-latin-wght-normal.woff2': 'sans.woff2',
  'geist-mono/files/geist-mono-latin-wght-normal.woff2': 'mono.woff2',
}

/**
 * The settings, with those that are functions. Anchors are those of other viewers of the same Markdown. The generator's first page has no
 * landmark for its content.
 */
const configModule = (config: object): string =>
  `import { headingSlug } from ${JSON.stringify(path.join(import.meta.dirname, 'heading-slug.ts'))}

export default {
  ...${JSON.stringify(config, null, 2)},
  markdown: { anchor: { slugify: headingSlug } },
  transformHtml: (html) => html.replace('<div class="VPHome ', '<div role="main" class="VPHome '),
}
`

/** The page as the generator reads it. Links are absolute, because the first page has no slash at its end. */
export function siteMarkdown(root: string, page: DocsPage, map: LinkMap): string {
  return replaceLinks(page.markdown, ({ isImage, text, target }) => {
    const found = resolveLink(page.source, target, map)
    if (isImage && found.kind === 'file')
      return target.endsWith('.svg') && target.includes('diagrams/')
        ? inlineDiagram(root, found.href.slice(1))
        : `![${text}](${found.href.slice(docsBase.length)})`
    switch (found.kind) {
      case 'page':
        return `[${text}](/${found.route}${found.anchor})`
      case 'file':
        return `<a href="${found.href}" target="_self">${text}</a>`
      case 'source':
        return sourceText(text, found.file)
      case 'other':
        return `[${text}](${target})`
      default:
        return found satisfies never
    }
  })
}

/** The page as programs read it: the same Markdown, with links to the Markdown of other pages. */
export function twinMarkdown(page: DocsPage, map: LinkMap): string {
  const body = replaceLinks(withoutFrontmatter(page.markdown), ({ isImage, text, target }) => {
    const mark = isImage ? '!' : ''
    const found = resolveLink(page.source, target, map)
    if (found.kind === 'page') return `[${text}](${twinHref(found.route)}${found.anchor})`
    if (found.kind === 'file') return `${mark}[${text}](${found.href})`
    return found.kind === 'source' ? sourceText(text, found.file) : `${mark}[${text}](${target})`
  })
  return /^# /m.test(body) ? body : `# ${page.title}\n\n${body}`
}

/** A file that only the repository has: its path, once. */
const sourceText = (text: string, file: string): string => (text.includes(path.posix.basename(file)) ? text : `${text} (\`${file}\`)`)

/** A diagram as part of the page, so that it has the colors of the theme. Its own styles are for other viewers. */
function inlineDiagram(root: string, file: string): string {
  const svg = fs.readFileSync(path.join(root, file), 'utf8').replace(/<style>[\s\S]*?<\/style>/, '')
  // A blank line would end the block.
  return `<div class="diagram">${svg.replace(/\n\s*/g, ' ').trim()}</div>`
}

/** The list of all pages for programs, in the groups of the sidebar. @see https://llmstxt.org */
export function llmsIndex(pages: readonly DocsPage[]): string {
  const byRoute = new Map(pages.map((page) => [page.route, page]))
  const lineOf = (route: string) => {
    const { title = route, description = '' } = byRoute.get(route) ?? {}
    return `- [${title}](${twinHref(route)})${description === '' ? '' : `: ${description}`}`
  }
  const groups = navigation.map(({ title, routes }) => `## ${title}\n\n${routes.map(lineOf).join('\n')}\n`)
  const head = '# Parley\n\n> Documentation of Parley, a marketplace for software agents. Each page is Markdown.\n'
  return [head, `${lineOf('')}\n`, ...groups].join('\n')
}

import path from 'node:path'

/** Where a link of a page leads. `page`: a route of the site. `file`: a path of this origin. `source`: a file that the site does not show. */
export type LinkTarget =
  | { readonly kind: 'page'; readonly route: string; readonly anchor: string }
  | { readonly kind: 'file'; readonly href: string }
  | { readonly kind: 'source'; readonly file: string }
  | { readonly kind: 'other' }

/** What links need of the site. `routes`: the route of each shown document, by its file. `files`: other served files, by their file. */
export type LinkMap = { readonly routes: ReadonlyMap<string, string>; readonly files: ReadonlyMap<string, string> }

/** Folders whose documents the site shows, each with the page that stands for it. */
const folderPages: Readonly<Record<string, string>> = {
  'docs/operations': 'docs/operations.md',
  'agents/python': 'agents/python/README.md',
  protocol: 'protocol/README.md',
  contracts: 'contracts/README.md',
}

/** Finds the target of a link in a document. `source`: the document, from the root. */
export function resolveLink(source: string, link: string, { routes, files }: LinkMap): LinkTarget {
  if (/^([a-z][a-z0-9+.-]*:|#|\/)/i.test(link)) return { kind: 'other' }
  const [target = '', anchor] = link.split('#', 2)
  const file = path.posix.join(path.posix.dirname(source), target).replace(/(?<!\/)\/+$/, '')
  const route = routes.get(folderPages[file] ?? file)
  if (route !== undefined) return { kind: 'page', route, anchor: anchor === undefined ? '' : `#${anchor}` }
  const served = files.get(file) ?? (/^protocol\/(schemas|vectors)\/.+\.json$/.test(file) ? `/${file}` : undefined)
  return served === undefined ? { kind: 'source', file } : { kind: 'file', href: served }
}

/** A fenced block, a link or image, or inline code, whichever begins first. Of a link: the mark of an image, the text, the target. */
const blockOrLinkOrCode = /^ *```[\s\S]*?^ *```$|(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)|`[^`\n]+`/gm

/** Replaces each link outside of code by what `replace` returns. */
export function replaceLinks(markdown: string, replace: (link: { isImage: boolean; text: string; target: string }) => string): string {
  return markdown.replace(blockOrLinkOrCode, (whole, mark: string | undefined, text: string, target: string | undefined) =>
    target === undefined ? whole : replace({ isImage: mark === '!', text, target }),
  )
}

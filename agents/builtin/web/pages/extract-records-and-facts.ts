/** Extracts records from a page's lists and tables, and facts about its subject. */

import { findByRole, type TreeNode, visibleTextOf, walk } from '../steps/accessibility-tree.ts'
import type { Page } from '../steps/step.ts'
import { nameSimilarity } from '../task/name-similarity.ts'
import type { SiteRecord, Value } from '../task/site-record.ts'

/** Parts of a page that are not about its subject. */
const besides = ['banner', 'navigation', 'contentinfo', 'search']

export function findMain({ tree }: Page): TreeNode {
  return findByRole(tree, 'main')[0] ?? tree
}

export const listLinks = (node: TreeNode): TreeNode[] => findByRole(node, 'link').filter((one) => one.ref && visibleTextOf(one))

/** Records from tables, and from list entries with a link. */
export function extractRecords(page: Page): SiteRecord[] {
  const main = findMain(page)
  const isBeside = new Set(findByRole(main, ...besides).flatMap((one) => [...walk(one)]))
  const rows = findByRole(main, 'table', 'grid').flatMap((table) => (isBeside.has(table) ? [] : rowsOf(table, page.url)))
  const entries = findByRole(main, 'listitem', 'article').filter(
    (one) => !isBeside.has(one) && findByRole(one, 'listitem', 'article').length === 1,
  )
  return [...rows, ...entries.flatMap((entry) => entryOf(entry, page.url))]
}

function rowsOf(table: TreeNode, at: string): SiteRecord[] {
  const heads = findByRole(table, 'columnheader').map(visibleTextOf)
  return findByRole(table, 'row').flatMap((row) => {
    const cells = findByRole(row, 'cell', 'gridcell', 'rowheader')
    if (cells.length === 0) return []
    const facts = Object.fromEntries(cells.map((cell, index) => [heads[index] || `column ${index + 1}`, visibleTextOf(cell)]))
    const link = listLinks(row)[0]
    const title = heads.find((head) => nameSimilarity('title', head) > 0)
    const name = link ? visibleTextOf(link) : String((title && facts[title]) ?? visibleTextOf(cells[0] ?? row))
    return [{ name, facts, ...linked(link, at) }]
  })
}

function entryOf(entry: TreeNode, at: string): SiteRecord[] {
  const link = listLinks(entry)[0]
  if (!link) return []
  const name = visibleTextOf(link)
  const texts = textsIn(entry).filter((text) => text !== name)
  return [{ name, facts: Object.assign({}, ...texts.map(parseFacts)), ...linked(link, at) }]
}

function linked(link: TreeNode | undefined, at: string): Pick<SiteRecord, 'ref' | 'url'> {
  const url = link?.url && URL.parse(link.url, at)?.href
  return { ...(link?.ref && { ref: link.ref }), ...(url && { url }) }
}

/** Texts of the leaves, in page order. */
function textsIn(node: TreeNode): string[] {
  return [...walk(node)]
    .filter((one) => one.children.length === 0 && !one.role.startsWith('/'))
    .map(visibleTextOf)
    .filter(Boolean)
}

/** Facts about the page's subject: definitions, row headers, labelled values, and sentences. */
export function extractFacts(page: Page): SiteRecord {
  const main = findMain(page)
  const facts: { [label: string]: Value } = {}
  for (const text of textsIn(main))
    if (text.length <= 200) for (const [label, value] of Object.entries(parseFacts(text))) facts[label] ??= value
  for (const row of findByRole(main, 'row')) {
    const [head, cell] = [findByRole(row, 'rowheader')[0], findByRole(row, 'cell')[0]]
    if (head && cell) facts[visibleTextOf(head)] = visibleTextOf(cell)
  }
  for (const node of walk(main)) {
    node.children.forEach((child, index) => {
      const next = node.children[index + 1]
      if (child.role === 'term' && next?.role === 'definition') facts[visibleTextOf(child)] = visibleTextOf(next)
    })
  }
  const heading = findByRole(main, 'heading')[0]
  return { name: heading ? visibleTextOf(heading) : page.title, facts, url: page.url }
}

/** Facts in a text, such as "by ann · 12 replies · in Gardening" or "Price: $4.20". */
export function parseFacts(text: string): { [label: string]: Value } {
  const facts: { [label: string]: Value } = {}
  for (const piece of text.split(/\s*[·|•;]\s*|, /)) {
    const labelled = /^([\p{L}][\p{L} -]{0,30}):\s+(.{1,120})$/u.exec(piece)
    if (labelled?.[1] && labelled[2]) facts[labelled[1]] = labelled[2]
    const counted = /^(\d[\d,.]*) ([\p{L}]+)$/u.exec(piece)
    if (counted?.[1] && counted[2]) facts[counted[2]] = counted[1]
    const by = /(?:^|\s)by ([\w.@-]+)/.exec(piece)
    if (by?.[1]) facts.author = by[1]
    const within = /(?:^|\s)in ([\p{Lu}][\p{L} -]{1,40})$/u.exec(piece)
    if (within?.[1]) facts.category = within[1]
    if (/^[$€£]\s?\d[\d,.]*$/.test(piece)) facts.price = piece
    if (/^\d{4}-\d\d-\d\d/.test(piece)) facts.date = piece
  }
  return facts
}

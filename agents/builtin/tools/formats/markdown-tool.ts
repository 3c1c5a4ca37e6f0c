/** `format.markdown`: converts Markdown to safe HTML or plain text, and HTML to Markdown or plain text. */
import { init, mdToHtml } from 'md4w'
import { requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { formatResponse, formatResultType, formatToolPorts, readSourceGoal, requireSource } from './format-tool-ports.ts'
import { htmlToMarkdown, htmlToText } from './html-to-markdown-or-text.ts'
import { parseSafeHtml, writeHtml } from './parse-safe-html.ts'
import { type Lexicon, type RoleWord, readWordRoles } from './read-word-roles.ts'
import { findSourceFile, splitGoalMaterial } from './split-goal-material.ts'

const type = 'query.markdown'
const actions = ['markdown_to_html', 'markdown_to_text', 'html_to_markdown', 'html_to_text'] as const
type Action = (typeof actions)[number]

const skill: ToolSkill = {
  id: 'format.markdown',
  name: 'Convert Markdown and HTML',
  description:
    'Converts Markdown (CommonMark with tables, task lists and strike-through) to safe HTML or plain text, and HTML to Markdown or plain text. Scripts, styles and unsafe addresses are left out.',
  inputs: formatToolPorts(type, 'The text and the conversion.', { action: { enum: actions, default: 'markdown_to_html' } }),
  outputs: [{ name: 'result', type: formatResultType, description: 'The converted text.', optional: false }],
  price: '100000',
  tags: ['markdown', 'html', 'convert', 'strip tags', 'plain text'],
  samples: [{ title: 'Markdown', input: { text: 'Hello **world**' }, output: '<p>Hello <strong>world</strong></p>' }],
}

type Role = 'markdown' | 'html' | 'plain' | 'to' | 'from' | 'convert' | 'strip' | 'tags' | 'formatting'
const lexicon: Lexicon<Role> = {
  markdown: 'markdown md',
  html: 'html html5 webpage',
  plain: 'text plaintext plain-text',
  to: 'to into as in',
  from: 'from',
  convert: 'convert conversion transform translate change turn render converter extract plain',
  strip: 'strip remove delete drop without',
  tags: 'tags tag markup',
  formatting:
    'table tables real proper website site web page keep kept keeping blog cms formatting syntax code document snippet file all every clean safe readme page notes content contents valid below',
}
const sourceWords = /\b(?:text|string) (?:below|above|here)\b/gi

function actionOf(roles: readonly RoleWord<Role>[]): Action | undefined {
  const has = (role: Role) => roles.some((word) => word.role === role)
  const isTarget = (role: Role) =>
    roles.some(
      (word, index) =>
        word.role === role &&
        roles
          .slice(Math.max(0, index - 2), index)
          .some(
            (before, at, all) =>
              before.role === 'to' &&
              all
                .slice(at + 1)
                .every(({ word: between }) => between === 'plain' || between === 'clean' || between === 'valid' || between === 'safe'),
          ),
    )
  const isSource = (role: Role) => roles.some((word, index) => word.role === role && roles[index - 1]?.role === 'from')
  if (has('strip')) {
    if (has('to') && !isTarget('plain')) return undefined
    if (has('html') && has('tags') && !has('markdown')) return 'html_to_text'
    return has('markdown') && !has('html') && (has('formatting') || has('tags')) ? 'markdown_to_text' : undefined
  }
  if (has('markdown') && has('html')) {
    const toHtml = isTarget('html') || isSource('markdown')
    const toMarkdown = isTarget('markdown') || isSource('html')
    return toHtml === toMarkdown ? undefined : toHtml ? 'markdown_to_html' : 'html_to_markdown'
  }
  // "The plain text of this HTML" names the target first.
  const isFirst =
    roles.findIndex(({ word }) => word === 'plaintext') >= 0 &&
    roles.findIndex(({ word }) => word === 'plaintext') < roles.findIndex(({ role }) => role === 'html' || role === 'markdown')
  if (!isTarget('plain') && !isFirst) return undefined
  return has('markdown') ? 'markdown_to_text' : has('html') ? 'html_to_text' : undefined
}

/** The source by its look, where the words name only the target. */
function actionOfTarget(roles: readonly RoleWord<Role>[], text: string | undefined, name: string): Action | undefined {
  const isHtml =
    /\.html?$/i.test(name) ||
    (text !== undefined && /<\/?(?:p|h[1-6]|ul|ol|li|a|div|b|i|strong|em|br|table|span|blockquote)\b[^>]{0,500}>/i.test(text))
  const isMarkdown =
    /\.(?:md|markdown)$/i.test(name) ||
    (text !== undefined && !isHtml && /^#{1,6} |^[-*+] |\*\*[^*\n]+\*\*|\[[^\]\n]+\]\([^)\n]+\)|^>|^\d+\. |`[^`\n]+`/m.test(text))
  const last = roles.map(({ role }) => role).filter((role) => role === 'to' || role === 'markdown' || role === 'html')
  if (last.join(' ') === 'to html') return isMarkdown ? 'markdown_to_html' : undefined
  if (last.join(' ') === 'to markdown') return isHtml ? 'html_to_markdown' : undefined
  return undefined
}

function readGoal(goal: ToolGoal): ToolReading {
  if (goal.files.length > 1) return undefined
  const split = /<[a-z!/]/i.test(goal.text) ? splitMarkup(goal.text) : splitGoalMaterial(goal.text)
  const file = findSourceFile(goal)
  const [text] = split.items
  if (split.items.length > 1 || (text !== undefined && goal.files.length > 0)) return undefined
  const roles = readWordRoles(
    split.words
      .replace(sourceWords, ' ')
      .replace(/->|=>|→/g, ' to ')
      .replace(/\bplain[ -]text\b/gi, 'plaintext'),
    lexicon,
  )
  const action = roles && (actionOf(roles) ?? actionOfTarget(roles, text, file?.name ?? ''))
  if (!action) return undefined
  return readSourceGoal(goal, text, { action }, summaries[action])
}

/** HTML can follow the words without any mark. */
function splitMarkup(text: string): ReturnType<typeof splitGoalMaterial> {
  const split = splitGoalMaterial(text)
  const at = text.search(/<[a-z!/]/i)
  const before = text.slice(0, at)
  if (split.items.length === 1 && /^\s*</.test(split.items[0] ?? '') && split.words.length <= before.length) return split
  if (/```|\n|:\s/.test(before.trimEnd().replace(/:$/, ''))) return split
  const mark = /["'`“]\s*$/.exec(before)?.[0]
  const end = text.lastIndexOf('>') + 1
  const rest = text.slice(end)
  if (mark) return { words: `${before.slice(0, -mark.length)} ${rest.replace(/^\s*["'`”]/, '')}`, items: [text.slice(at, end)] }
  return { words: before, items: [text.slice(at).trim()] }
}

const summaries: { readonly [action in Action]: string } = {
  markdown_to_html: 'I convert the Markdown to HTML.',
  markdown_to_text: 'I convert the Markdown to plain text.',
  html_to_markdown: 'I convert the HTML to Markdown.',
  html_to_text: 'I take the text out of the HTML.',
}

/** Flags of md4c: autolinks, tables, strike-through, task lists; no raw HTML. */
const parseFlags = 0x0004 | 0x0100 | 0x0200 | 0x0400 | 0x0800 | 0x0020 | 0x0040
let ready: Promise<unknown> | undefined

/** Markdown as HTML without scripts, handlers or unsafe addresses. */
export async function markdownToHtml(text: string): Promise<string> {
  if (text.trim() === '') return '\n'
  ready ??= init('fast')
  await ready
  // The parser adds an empty link to each heading.
  const markup = mdToHtml(text, { parseFlags }).replace(/ ?<a [^<>]{0,300}class="anchor"[^<>]{0,300}><\/a>/g, '')
  return `${writeHtml(parseSafeHtml(markup)).trim()}\n`
}

async function run(work: SkillRequest): Promise<SkillResponse> {
  const data = requireData(work, type)
  const action = actions.find((one) => one === data.action) ?? 'markdown_to_html'
  const source = requireSource(work, type)
  if (action === 'markdown_to_html')
    return formatResponse('As HTML:', { name: 'result.html', media_type: 'text/html', text: await markdownToHtml(source) })
  if (action === 'html_to_markdown')
    return formatResponse('As Markdown:', { name: 'result.md', media_type: 'text/markdown', text: htmlToMarkdown(source) })
  const text = htmlToText(action === 'html_to_text' ? source : await markdownToHtml(source))
  return formatResponse('As plain text:', { name: 'result.txt', media_type: 'text/plain', text })
}

export const markdownTool: Tool = { skill, readGoal, run }

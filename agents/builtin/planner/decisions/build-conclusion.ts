/** The answer: a Markdown file with the outputs of all steps, and the parts of the conclusion. */
import type { ArtifactRef, Charter, GoalOffer, Part } from '@parley/protocol'
import { formatList } from '../../format-numbers-and-lists.ts'
import { parseVerdict, type ReviewVerdict } from '../../reviewer/review-work.ts'
import { bundleType } from '../charter/build-charter.ts'
import { findOutput, lastAttempt, type PlannerRoomState } from '../room/planner-room-state.ts'

/** Artifact types whose text is quoted in the answer, and the maximum size in bytes. */
const quotedTypes = /^(report\.|text\.|chart\.text$|document\.)/
const maxQuoted = 40_000

export type AnswerFile = { readonly step: number; readonly title: string; readonly agent: string; readonly artifact: ArtifactRef }

/** The newest file of each type, in the order of the charter's steps. */
export function listAnswerFiles(room: PlannerRoomState, charter: Charter): AnswerFile[] {
  return charter.steps
    .filter((step) => step.sender_id !== charter.principal_id)
    .flatMap((step) =>
      (lastAttempt(room, step.step)?.artifacts ?? [])
        .filter((artifact) => findOutput(room, artifact.artifact_type)?.sha256 === artifact.sha256)
        .map((artifact) => ({ step: step.step, title: step.title, agent: step.sender_id, artifact })),
    )
}

/** SHA-256 of the files that the answer quotes. */
export function listQuotedHashes(room: PlannerRoomState, charter: Charter): string[] {
  const pieces = listAnswerFiles(room, charter)
  const hasReport = pieces.some((piece) => piece.artifact.artifact_type.startsWith('report.'))
  return pieces
    .filter(({ artifact }) => artifact.media_type.startsWith('text/') && artifact.size <= maxQuoted)
    .filter(({ artifact }) => (hasReport ? artifact.artifact_type.startsWith('report.') : quotedTypes.test(artifact.artifact_type)))
    .map((piece) => piece.artifact.sha256)
}

/** SHA-256 of the review: by rule, or by a model with its evidence. Both have the same shape. */
export const findVerdictHash = (room: PlannerRoomState): string | undefined =>
  (findOutput(room, 'review.verdict') ?? findOutput(room, 'review.evidence'))?.sha256

export function parseVerdictText(text: string | undefined): ReviewVerdict | undefined {
  if (text === undefined) return undefined
  try {
    return parseVerdict(text)
  } catch {
    return undefined
  }
}

const inline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/([\\`*_[\]<>#|])/g, '\\$1')
    .trim()

export function renderAnswer(offer: GoalOffer, room: PlannerRoomState, charter: Charter, files: ReadonlyMap<string, string>): string {
  const pieces = listAnswerFiles(room, charter)
  const verdict = parseVerdictText(files.get(findVerdictHash(room) ?? ''))
  const quoted = new Set(listQuotedHashes(room, charter))
  const sections = ['# Answer', `> ${inline(offer.text)}`]
  for (const { artifact } of pieces.filter((piece) => quoted.has(piece.artifact.sha256))) {
    const text = files.get(artifact.sha256)
    if (text === undefined) continue
    // A report keeps its Markdown, with headings one level deeper. Other text is quoted in a code block.
    if (artifact.media_type.startsWith('text/markdown')) sections.push(deeper(text.trim()))
    else sections.push(`## ${inline(artifact.name)}`, fenced(text))
  }
  if (verdict) sections.push('## Review of the acceptance criteria', reviewTable(verdict))
  const rows = pieces.map(
    ({ step, title, artifact }) =>
      `| ${step} | ${inline(title)} | ${inline(artifact.name)} | ${inline(artifact.artifact_type)} | \`${artifact.sha256}\` |`,
  )
  sections.push('## Files', ['| Step | Made by | File | Type | SHA-256 |', '| ---: | --- | --- | --- | --- |', ...rows].join('\n'))
  return `${sections.join('\n\n')}\n`
}

function reviewTable(verdict: ReviewVerdict): string {
  const rows = verdict.criteria.map((one) => `| ${inline(one.text)} | ${one.status} | ${inline(one.evidence)} |`)
  return ['| Criterion | Verdict | Evidence |', '| --- | --- | --- |', ...rows].join('\n')
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text.trimEnd()}\n${fence}`
}

/** Headings one level down, outside code blocks. */
function deeper(text: string): string {
  let fence = ''
  return text
    .split('\n')
    .map((line) => {
      const mark = /^(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
      if (fence === '' && mark !== '') fence = mark
      else if (fence !== '' && mark.startsWith(fence)) fence = ''
      return fence === '' && /^#{1,5} /.test(line) ? `#${line}` : line
    })
    .join('\n')
}

/** The longest answer that the conclusion repeats, UTF-16 units. */
const maxShortAnswer = 800

/** The words of the last agent, which are the answer itself if its file is no report. */
function shortAnswer(room: PlannerRoomState, charter: Charter): string | undefined {
  const last = charter.steps.findLast((step) => step.sender_id !== charter.principal_id)
  const text = last && lastAttempt(room, last.step)?.text.trim()
  return text && text.length <= maxShortAnswer ? text : undefined
}

/** The parts of the conclusion: a summary, then references to all files. */
export function buildConclusion(room: PlannerRoomState, charter: Charter, files: ReadonlyMap<string, string>): Part[] {
  const pieces = listAnswerFiles(room, charter)
  const bundle = findOutput(room, bundleType)
  const report = pieces.find((piece) => piece.artifact.artifact_type.startsWith('report.'))
  const lead = report
    ? (files.get(report.artifact.sha256) ?? '').split('\n').find((line) => line.trim() !== '' && !line.startsWith('#'))
    : shortAnswer(room, charter)
  const verdict = parseVerdictText(files.get(findVerdictHash(room) ?? ''))
  const unchecked = verdict?.criteria.filter((one) => one.status === 'unchecked').length ?? 0
  const review = !verdict
    ? ''
    : ` The reviewer found ${verdict.criteria.filter((one) => one.status === 'met').length} of ${verdict.criteria.length} points met${unchecked > 0 ? `, and ${unchecked} that only you can judge` : ''}.`
  // A short answer needs no list of files beside it.
  const list = `The work is done: ${formatList(pieces.map((piece) => piece.artifact.name))}.`
  const text = `${[lead?.trim(), lead && !report ? undefined : list].filter(Boolean).join(' ')}${review}`
  const refs = [...(bundle ? [bundle] : []), ...pieces.map((piece) => piece.artifact)].slice(0, 60)
  return [{ text }, ...refs.map((artifact): Part => ({ artifact }))]
}

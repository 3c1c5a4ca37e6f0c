import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { childEnvironment } from '../../server/embedded/install/child-environment.mjs'

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof categories)[number]

/** From 0 to 100. */
export type Scores = { readonly [category in Category]: number }

/** One audit. `failed`: the audits below their full score, with what they measured. */
export type PageAudit = { readonly scores: Scores; readonly failed: readonly string[] }

type Report = {
  readonly categories: { readonly [name: string]: { readonly score: number | null } }
  readonly audits: {
    readonly [name: string]: { readonly score: number | null; readonly displayValue?: string; readonly scoreDisplayMode: string }
  }
}

const timeoutMs = 120_000

/** Loads a page as a middling phone does: Lighthouse's own default of a slow network and processor, simulated. */
export async function auditPage(program: string, chromium: string, url: string): Promise<PageAudit> {
  const args = [
    ...[program, url, '--output=json', '--quiet', `--only-categories=${categories.join(',')}`],
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    ...{ timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 },
    env: childEnvironment({ CHROME_PATH: chromium }),
  })
  const report = JSON.parse(stdout) as Report
  const scoreOf = (category: Category) => Math.round((report.categories[category]?.score ?? 0) * 100)
  const failed = Object.entries(report.audits).filter(
    ([, { score, scoreDisplayMode }]) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative',
  )
  return {
    scores: Object.fromEntries(categories.map((category) => [category, scoreOf(category)])) as Scores,
    failed: failed.map(([name, { displayValue }]) => (displayValue ? `${name}: ${displayValue}` : name)),
  }
}

/** The median of each category over an odd number of audits. */
export function medianScores(audits: readonly PageAudit[]): Scores {
  const middle = (category: Category): number => {
    const sorted = audits.map(({ scores }) => scores[category]).sort((a, b) => a - b)
    return sorted[(sorted.length - 1) / 2] ?? 0
  }
  return Object.fromEntries(categories.map((category) => [category, middle(category)])) as Scores
}

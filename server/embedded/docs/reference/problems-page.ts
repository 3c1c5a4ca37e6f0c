import fs from 'node:fs'
import path from 'node:path'
import { problems } from '@parley/protocol'

type Explanations = { readonly [noun: string]: { readonly [reason: string]: { readonly meaning: string; readonly remedy: string } } }

/** The page of all problem codes, from the protocol and the texts of the web's page of each code. */
export function problemsPage(root: string): string {
  const catalogue = path.join(root, 'app/_messages/en/problems.json')
  const { explanations } = JSON.parse(fs.readFileSync(catalogue, 'utf8')) as { explanations: Explanations }
  const sections = Object.entries(problems).map(([code, { status, retry }]) => {
    const [noun = '', reason = ''] = code.split('.')
    const { meaning, remedy } = explanations[noun]?.[reason] ?? { meaning: '', remedy: '' }
    return [`## ${code}`, `HTTP ${status}. Retry: \`${retry}\`.`, meaning, remedy].filter(Boolean).join('\n\n')
  })
  return `# Errors

Every refused request has one of these ${sections.length} codes. Let a program check \`code\`, not the text. This page is generated from
\`protocol/src/problem.ts\`. [The specification](../../protocol/SPEC.md#problems) has the fields of a problem.

| retry | the sender |
| --- | --- |
| \`never\` | must not send the same request again |
| \`later\` | may send the same request again, after \`retry_after\` seconds if present |
| \`after_change\` | must change the request, or the state that it names, first |

${sections.join('\n\n')}
`
}

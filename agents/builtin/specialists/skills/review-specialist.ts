/** Reviews deliverables against acceptance criteria. A verdict without words of a deliverable as evidence does not count. */
import { z } from 'zod'
import { modelSkillTag } from '../../model/is-model-skill.ts'
import { taskPrompts } from '../../model/prompts.ts'
import { refuse, requireData } from '../../skill.ts'
import { hasQuotation } from '../has-quotation.ts'
import { filePort, listFiles, type NamedText, outputPort } from '../query-and-file-ports.ts'
import type { Specialist } from '../specialist.ts'

const Criteria = z.looseObject({
  text: z.string().default(''),
  criteria: z
    .array(z.union([z.string(), z.looseObject({ text: z.string() })]))
    .max(50)
    .default([]),
})
const Review = z.object({
  answers_goal: z.boolean(),
  verdicts: z.array(
    z.object({
      criterion: z.number().int(),
      status: z.enum(['met', 'failed', 'unchecked']),
      reason: z.string().max(1_000),
      quotes: z.array(z.object({ deliverable: z.number().int(), quote: z.string() })).max(6),
    }),
  ),
})
type Review = z.infer<typeof Review>

/** What can be reviewed: the texts that agents deliver. */
export const reviewedTypes = [
  'text.written',
  'text.summarised',
  'text.translated',
  'text.document_answer',
  'text.table_answer',
  'text.computed_answer',
  'text.general_answer',
  'text.javascript',
  'data.extracted',
  'data.classified',
  'report.research',
  'report.markdown',
] as const

function reviewFault({ verdicts }: Review, count: number, files: readonly NamedText[]): string | undefined {
  if (verdicts.length !== count || verdicts.some(({ criterion }, index) => criterion !== index + 1))
    return `Each of the ${count} criteria is returned once, in order, with its number.`
  for (const { criterion, status, quotes } of verdicts) {
    if (status === 'met' && quotes.length === 0) return `Criterion ${criterion} is met without a quote.`
    const wrong = quotes.find(({ deliverable, quote }) => !hasQuotation(files[deliverable - 1]?.text ?? '', quote))
    if (wrong) return `Deliverable ${wrong.deliverable} does not have these words: “${wrong.quote.slice(0, 100)}”.`
  }
  return undefined
}

export const reviewSpecialist: Specialist = {
  skill: {
    id: 'reviewing.evidence',
    name: 'Review with evidence',
    description: 'Judges each acceptance criterion, and cites the words of the deliverable that show it. Says if nothing answers the goal.',
    inputs: [
      { name: 'criteria', type: 'goal.criteria', description: "The goal's text and its acceptance criteria.", optional: false },
      ...reviewedTypes.map((type) => filePort(type.replace('.', '_'), type, 'A deliverable.', true)),
    ],
    outputs: [outputPort('review', 'review.evidence', 'Each criterion with its verdict and quotations, as JSON.')],
    tags: [modelSkillTag, 'review', 'evidence', 'acceptance criteria'],
    samples: [],
  },
  budgetFactor: 1,
  async run(work, task) {
    const asked = Criteria.safeParse(requireData(work, 'goal.criteria'))
    if (!asked.success) return refuse('The criteria are not in the shape of goal.criteria.')
    const files = listFiles(work, reviewedTypes)
    if (files.length === 0) refuse('There is no deliverable to review.')
    const criteria = asked.data.criteria.map((one) => (typeof one === 'string' ? one : one.text))
    const review = await task.askValue(
      taskPrompts.review,
      {
        goal: asked.data.text,
        criteria: criteria.map((text, index) => ({ criterion: index + 1, text })),
        deliverables: files.map((file, index) => ({ deliverable: index + 1, ...file })),
      },
      { name: 'review', schema: Review, faultOf: (one) => reviewFault(one, criteria.length, files) },
    )
    const verdict = toVerdict(review, criteria, files)
    const counts = (['met', 'failed', 'unchecked'] as const).map(
      (status) => `${verdict.criteria.filter((one) => one.status === status).length} ${status}`,
    )
    return {
      files: [
        {
          name: 'review.json',
          media_type: 'application/json',
          artifact_type: 'review.evidence',
          text: `${JSON.stringify(verdict, null, 1)}\n`,
        },
      ],
      text: `${verdict.pass ? 'Passed' : 'Not passed'}: ${counts.join(', ')}.${review.answers_goal ? '' : ' No deliverable answers the goal.'}`,
      author: 'model',
    }
  },
}

/** In the shape of the rule-based reviewer's verdict, with the goal itself as the first point. */
function toVerdict({ answers_goal, verdicts }: Review, criteria: readonly string[], files: readonly NamedText[]) {
  const judged = verdicts.map(({ status, reason, quotes }, index) => ({
    text: criteria[index] ?? '',
    status,
    pass: status === 'unchecked' ? null : status === 'met',
    evidence: [
      reason,
      ...quotes.map(({ deliverable, quote }) => `${files[deliverable - 1]?.name ?? ''}: “${quote.replace(/\s+/g, ' ').trim()}”`),
    ].join(' '),
    concerns: [],
  }))
  const whole = {
    text: 'A deliverable answers the goal.',
    status: answers_goal ? ('met' as const) : ('failed' as const),
    pass: answers_goal,
    evidence: answers_goal
      ? `Judged from ${files.map(({ name }) => name).join(', ')}.`
      : 'Not answered: no deliverable has what the goal asks for.',
    concerns: [],
  }
  return { pass: answers_goal && judged.every(({ status }) => status !== 'failed'), criteria: [whole, ...judged] }
}

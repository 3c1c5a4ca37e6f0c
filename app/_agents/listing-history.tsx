import type { Score } from '@parley/protocol'
import Link from 'next/link'
import type { ShownFeedback } from '@/server/trpc/views/read-feedback.ts'
import { Identifier, shorten } from '../_components/ui/address.tsx'
import { Money } from '../_components/ui/money.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { Time } from '../_components/ui/time.tsx'
import { plural } from './facts.ts'

export function FeedbackList({ feedback, score }: { feedback: readonly ShownFeedback[]; score: Score }) {
  if (feedback.length === 0) {
    return <p className="text-muted">Nobody has judged this agent yet. Only those whom a settled, paid step served can.</p>
  }
  return (
    <>
      <p className="mb-3 text-muted text-sm">
        {plural(score.n, 'judgement')}
        {score.mean !== null && `, plain mean ${Math.round(score.mean)} of 100`}. The score counts each judge once and leans towards the
        market’s mean while there are few.
      </p>
      <ul className="divide-y rounded-lg border bg-surface">
        {feedback.map((one) => (
          <li key={one.feedback_id} className="px-4 py-3">
            <div className="flex flex-wrap items-center gap-x-3 text-sm">
              <span className="figures font-semibold">{one.value} of 100</span>
              <Time at={one.given_at} className="text-muted" />
              {one.by !== null && <Identifier text={one.by} />}
              {one.goal_id === null ? (
                <span className="text-muted">a private goal</span>
              ) : (
                <Link href={`/goals/${one.goal_id}`} className="text-link">
                  the goal
                </Link>
              )}
            </div>
            {one.text && <p className="mt-1 break-words">{one.text}</p>}
          </li>
        ))}
      </ul>
    </>
  )
}

export type Change = {
  readonly what: string
  readonly skill?: string
  readonly from?: string
  readonly to?: string
}
export type Revision = {
  readonly version: number
  readonly at: string
  readonly changes: readonly Change[]
  readonly isReadable: boolean
}

const words: { readonly [what: string]: string } = {
  skill_added: 'added',
  skill_removed: 'removed',
  inputs: 'takes something else',
  outputs: 'gives something else',
  description: 'description changed',
  samples: 'samples changed',
  name: 'Name',
  summary: 'Summary',
  readme: 'Text',
  policy: 'Terms',
  payout: 'Payout address',
  royalties: 'Royalties',
}

/** Each version with what it changed, as the registry saw it; an old price is struck out beside the new one. */
export function VersionHistory({ revisions }: { revisions: readonly Revision[] }) {
  return (
    <Table caption="Versions of this listing">
      <thead>
        <Tr>
          <Th>Version</Th>
          <Th>When</Th>
          <Th>Change</Th>
        </Tr>
      </thead>
      <tbody>
        {revisions.map(({ version, at, changes, isReadable }) => (
          <Tr key={version}>
            <Td className="figures">{version}</Td>
            <Td className="whitespace-nowrap">
              <Time at={at} />
            </Td>
            <Td>
              {changes.length === 0 ? (
                <span className="text-muted">
                  {!isReadable ? 'Can’t be read' : version === 1 ? 'Published' : 'Nothing that can be seen'}
                </span>
              ) : (
                <ul className="grid gap-1">
                  {changes.map((change) => (
                    <li key={`${change.what} ${change.skill ?? ''}`} className="flex flex-wrap gap-x-2">
                      <ChangeLine change={change} />
                    </li>
                  ))}
                </ul>
              )}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

function ChangeLine({ change }: { change: Change }) {
  if (change.what === 'price' && change.from && change.to) {
    return (
      <>
        <span className="figures">{change.skill}</span>
        <del className="text-faint">
          <span className="sr-only">before: </span>
          <Money amount={change.from} />
        </del>
        <Money amount={change.to} />
      </>
    )
  }
  return (
    <>
      {change.skill && <span className="figures">{change.skill}</span>}
      <span className="text-muted">{words[change.what] ?? change.what}</span>
      {change.from && change.to && (
        <span className="figures text-muted">
          {shorten(change.from)} → {shorten(change.to)}
        </span>
      )}
    </>
  )
}

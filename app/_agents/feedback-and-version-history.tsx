import type { Score } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import type { ShownFeedback } from '@/server/trpc/views/read-feedback.ts'
import { CopyableIdentifier, shorten } from '../_components/ui/copyable-identifier.tsx'
import { Link } from '../_components/ui/link.tsx'
import { MoneyAmount } from '../_components/ui/money.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { Time } from '../_components/ui/time.tsx'

export function FeedbackList({ feedback, score }: { feedback: readonly ShownFeedback[]; score: Score }) {
  const t = useTranslations('agents.feedbackAndVersionHistory')
  if (feedback.length === 0) {
    return <p className="text-muted">{t('noFeedbackYet')}</p>
  }
  return (
    <>
      <p className="mb-3 text-muted text-sm">
        {score.mean !== null ? t('ratingsPlainMeanOf100', { n: score.n, round: Math.round(score.mean) }) : t('ratings', { n: score.n })}
      </p>
      <ul className="divide-y rounded-lg border bg-surface">
        {feedback.map((one) => (
          <li key={one.feedback_id} className="px-4 py-3">
            <div className="flex flex-wrap items-center gap-x-3 text-sm">
              <span className="figures font-semibold">{t('of100', { value: one.value })}</span>
              <Time at={one.given_at} className="text-muted" />
              {one.by !== null && <CopyableIdentifier text={one.by} />}
              {one.goal_id === null ? (
                <span className="text-muted">{t('privateGoal')}</span>
              ) : (
                <Link href={`/goals/${one.goal_id}`} className="text-link">
                  {t('goal')}
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
export type HistoryEntry = {
  readonly version: number
  readonly at: string
  readonly changes: readonly Change[]
  readonly isReadable: boolean
}

const words = {
  skill_added: 'added',
  skill_removed: 'removed',
  inputs: 'inputsChanged',
  outputs: 'outputsChanged',
  description: 'descriptionChanged',
  samples: 'samplesChanged',
  name: 'name',
  summary: 'summary',
  readme: 'text',
  policy: 'terms',
  payout: 'payoutAddress',
  royalties: 'royalties',
} as const

const isKnown = (what: string): what is keyof typeof words => Object.hasOwn(words, what)

/** Each version with its changes. An old price is struck out beside the new one. */
export function VersionHistory({ revisions }: { revisions: readonly HistoryEntry[] }) {
  const t = useTranslations('agents.feedbackAndVersionHistory')
  return (
    <Table caption={t('versionsOfListing')}>
      <thead>
        <Tr>
          <Th>{t('version')}</Th>
          <Th>{t('when')}</Th>
          <Th>{t('change')}</Th>
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
                <span className="text-muted">{!isReadable ? t('cantRead') : version === 1 ? t('published') : t('nothingCanSeen')}</span>
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
  const t = useTranslations('agents.feedbackAndVersionHistory')
  if (change.what === 'price' && change.from && change.to) {
    return (
      <>
        <span className="figures">{change.skill}</span>
        <del className="text-faint">
          <span className="sr-only">{t('before')} </span>
          <MoneyAmount amount={change.from} />
        </del>
        <MoneyAmount amount={change.to} />
      </>
    )
  }
  return (
    <>
      {change.skill && <span className="figures">{change.skill}</span>}
      <span className="text-muted">{isKnown(change.what) ? t(words[change.what]) : change.what}</span>
      {change.from && change.to && (
        <span className="figures text-muted">
          {shorten(change.from)} → {shorten(change.to)}
        </span>
      )}
    </>
  )
}

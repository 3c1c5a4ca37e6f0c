import { useTranslations } from 'next-intl'
import type { People } from '../_run/to-run-view.ts'
import type { MessageBlock } from './message-view.ts'
import { shortHash } from './message-view.ts'

/** A proposed charter: agents, steps and amounts. */
export function ProposedCharter({ charter, people }: { charter: Extract<MessageBlock, { kind: 'charter' }>; people: People }) {
  const t = useTranslations('run.proposedCharter')
  return (
    <details open className="rounded-md border bg-surface">
      <summary className="px-3 py-2 font-medium text-sm">
        {t.rich('charterVersion', {
          version: charter.version,
          hash: () => <span className="figures font-normal text-faint text-xs">{shortHash(charter.hash)}</span>,
        })}
      </summary>
      <ol className="border-t text-sm">
        {charter.steps.map((step) => (
          <li
            key={step.step}
            className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-baseline gap-x-3 border-b px-3 py-1.5 last:border-b-0 sm:grid-cols-[1.25rem_minmax(0,1fr)_auto_auto]"
          >
            <span className="figures text-faint">{step.step}</span>
            <span className="min-w-0">
              {step.title} <span className="text-muted">· {people.nameOf(step.agentId)}</span>
            </span>
            <span className="text-faint text-xs max-sm:order-last max-sm:col-start-2">{step.mode === 'sync' ? t('sync') : t('async')}</span>
            <span className="figures">{step.amount}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}

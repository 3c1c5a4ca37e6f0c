import type { DeliveredEnvelope } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import { StateChip } from '../../../../_components/ui/state-chip.tsx'
import { MessageEntry, SignatureChip } from '../../_message/message-entry.tsx'
import type { MessageView } from '../../_message/message-view.ts'
import type { People } from '../../_run/to-run-view.ts'
import { CopyMessageLink } from './copy-message-link.tsx'
import { EraseMessageButton } from './erase-message-button.tsx'

type Props = { goalId: string; message: DeliveredEnvelope; view: MessageView; people: People; erasing: 'own' | 'order' | null }

/** A message with the data for an audit: its state, signature, link and bytes. */
export function AuditedMessage({ goalId, message, view, people, erasing }: Props) {
  const t = useTranslations('run.auditedMessage')
  return (
    <li
      id={`m-${view.seq}`}
      tabIndex={-1}
      className="border-b px-4 py-3 outline-none last:border-b-0 target:bg-accent-soft target:shadow-[inset_3px_0_0_var(--accent)]"
    >
      <MessageEntry
        view={view}
        people={people}
        filesAt={`/goals/${goalId}`}
        foot={
          <>
            <StateChip of="conversation" state={view.state} />
            <SignatureChip signature={view.signature} />
            {view.taskId && <span className="figures text-faint text-xs" title={view.taskId}>{`${view.taskId.slice(0, 12)}…`}</span>}
            <CopyMessageLink seq={view.seq} />
            {erasing && <EraseMessageButton roomId={message.room_id} seq={view.seq} asksOrder={erasing === 'order'} />}
            <details className="contents">
              <summary className="inline-flex min-h-9 items-center px-1 text-faint text-xs hover:text-ink">{t('rawJson')}</summary>
              <pre className="figures max-h-96 w-full overflow-auto whitespace-pre-wrap break-all rounded-md border bg-sunken p-3 text-xs">
                {JSON.stringify(message, null, 2)}
              </pre>
            </details>
          </>
        }
      />
    </li>
  )
}

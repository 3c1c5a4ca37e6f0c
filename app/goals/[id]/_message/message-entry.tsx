import { FileText, Landmark, ShieldAlert, ShieldCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { ServerParsedMarkdown } from '../../../_components/content/server-parsed-markdown.tsx'
import { Avatar } from '../../../_components/ui/avatar.tsx'
import { cn } from '../../../_components/ui/cn.ts'
import { TxLink } from '../../../_components/ui/copyable-identifier.tsx'
import { Chip } from '../../../_components/ui/state-chip.tsx'
import { Time } from '../../../_components/ui/time.tsx'
import type { People } from '../_run/to-run-view.ts'
import type { MessageBlock, MessageView, Speaker } from './message-view.ts'
import { ProposedCharter } from './proposed-charter.tsx'

const roleWords = {
  server: 'server',
  client: 'client',
  principal: 'planner',
  member: 'agent',
  unknown: 'formerMember',
} as const satisfies { readonly [role in Speaker['role']]: string }

/** One message of the team chat. `foot`: the page's addition below it. `filesAt`: the page with the files, if it is another. */
export function MessageEntry({
  view,
  people,
  foot,
  filesAt = '',
}: {
  view: MessageView
  people: People
  foot?: ReactNode
  filesAt?: string
}) {
  const t = useTranslations('run.messageEntry')
  const tAct = useTranslations('views.speechAct')
  const role = t(roleWords[view.speaker.role])
  const isServer = view.speaker.role === 'server'
  const addressed = view.to.map((did) => people.speakerOf(did).name)
  return (
    <div className={cn('flex gap-3', isServer && 'rounded-md bg-sunken px-3 py-2')}>
      {isServer ? (
        <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-md border bg-surface text-muted">
          <Landmark className="size-4.5" />
        </span>
      ) : (
        <Avatar name={view.speaker.name} />
      )}
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-sm">
          <span className="font-semibold">{view.speaker.name}</span>
          {role !== view.speaker.name && <span className="text-faint text-xs">{role}</span>}
          {view.act !== 'discussion' && <span className="text-accent-ink text-xs">{tAct(view.act)}</span>}
          {addressed.length > 0 && <span className="text-faint text-xs">{t('to', { addressed: addressed.join(', ') })}</span>}
          <span className="ml-auto flex items-baseline gap-2 text-faint text-xs">
            {view.signature === 'none' && <ShieldAlert aria-label={t('unsigned')} className="size-3.5 self-center text-bad-ink" />}
            <Time at={view.at} />
            <span className="figures">#{view.seq}</span>
          </span>
        </p>
        <div className="mt-0.5 grid gap-2">
          {view.blocks.map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a signed message never move
            <Block key={index} block={block} people={people} filesAt={filesAt} />
          ))}
        </div>
        {(view.money || view.asks || foot) && (
          <div className="mt-2 flex flex-wrap items-center gap-2 text-sm">
            {view.money && (
              <Chip tone="amber">
                <span className="figures">{view.money.label}</span>
              </Chip>
            )}
            {view.money?.tx && <TxLink hash={view.money.tx} className="text-xs" />}
            {view.asks && <Chip tone="amber">{t('asksForAnswer')}</Chip>}
            {foot}
          </div>
        )}
      </div>
    </div>
  )
}

function Block({ block, people, filesAt }: { block: MessageBlock; people: People; filesAt: string }) {
  switch (block.kind) {
    case 'text':
      return <ServerParsedMarkdown text={block.text} className="text-[0.9375rem]" />
    case 'fact':
      return <p className="text-muted text-sm">{block.text}</p>
    case 'artifact':
      return (
        <p>
          <a
            href={`${filesAt}#file-${block.artifact.sha256.slice(0, 12)}`}
            className="inline-flex max-w-full items-center gap-2 rounded-sm border bg-surface px-2.5 py-1 text-sm hover:border-line-strong"
          >
            <FileText aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="truncate">{block.artifact.name}</span>
            <span className="shrink-0 text-faint text-xs">{block.artifact.artifact_type}</span>
          </a>
        </p>
      )
    case 'charter':
      return <ProposedCharter charter={block} people={people} />
    case 'data':
      return (
        <details className="rounded-md border bg-surface">
          <summary className="px-3 py-1.5 text-muted text-sm">{block.name}</summary>
          <pre className="figures max-h-72 overflow-auto whitespace-pre-wrap break-all px-3 pb-2 text-xs">{block.json}</pre>
        </details>
      )
    default:
      return block satisfies never
  }
}

const signedBy = { 'own key': 'signedByOwnKey', delegated: 'signedByDelegation', 'vouched by the server': 'vouchedByServer' } as const

/** The signer of a message. */
export function SignatureChip({ signature }: { signature: MessageView['signature'] }) {
  const t = useTranslations('run.messageEntry')
  return signature === 'none' ? (
    <Chip tone="bad" icon={ShieldAlert}>
      {t('unsigned')}
    </Chip>
  ) : (
    <Chip icon={ShieldCheck}>{t(signedBy[signature])}</Chip>
  )
}

import {
  Ban,
  Check,
  CheckCheck,
  CircleAlert,
  CircleDashed,
  CircleDot,
  CircleHelp,
  Clock,
  Coins,
  Hourglass,
  Inbox,
  Lock,
  type LucideIcon,
  MessageCircle,
  Moon,
  PencilLine,
  Play,
  Radio,
  RotateCcw,
  Scale,
  Send,
  Sparkles,
  Undo2,
  X,
} from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Translate } from '@/app/_messages/translate-types.ts'
import { cn } from './cn.ts'

export type ChipTone = 'plain' | 'accent' | 'amber' | 'good' | 'bad' | 'blue'
const tones: { [tone in ChipTone]: string } = {
  plain: 'bg-plain-soft text-muted',
  accent: 'bg-accent-soft text-accent-ink',
  amber: 'bg-amber-soft text-amber-ink',
  good: 'bg-good-soft text-good-ink',
  bad: 'bg-bad-soft text-bad-ink',
  blue: 'bg-blue-soft text-blue-ink',
}

/** A word with an icon on a color, so that color is never the only signal. */
export function Chip({
  tone = 'plain',
  icon: Icon,
  className,
  children,
}: {
  tone?: ChipTone
  icon?: LucideIcon | undefined
  className?: string
  children: ReactNode
}) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-sm px-2 py-0.5 font-medium text-[0.8125rem] leading-5',
        tones[tone],
        className,
      )}
    >
      {Icon && <Icon aria-hidden className="size-3.5 shrink-0" />}
      {children}
    </span>
  )
}

type Words = Translate<'ui.stateChip'>
type Look = readonly [tone: ChipTone, icon: LucideIcon, word: Parameters<Words>[0]]

/** The color and icon of each state. Amber: money in transit. Teal: work. Green: done and paid. */
export const stateChipStyles = {
  goal: {
    funding: ['amber', Hourglass, 'funding'],
    open: ['blue', Inbox, 'open'],
    underway: ['accent', Play, 'underway'],
    review: ['amber', Clock, 'inReview'],
    settling: ['amber', Coins, 'settling'],
    paid: ['good', CheckCheck, 'paid'],
    refunded: ['plain', Undo2, 'refunded'],
    canceled: ['plain', Ban, 'canceled'],
  },
  conversation: {
    discussion: ['blue', MessageCircle, 'discussion'],
    task_assignment: ['accent', Send, 'assignment'],
    execution: ['accent', Play, 'execution'],
    conclusion: ['good', CheckCheck, 'conclusion'],
  },
  step: {
    planned: ['plain', CircleDashed, 'planned'],
    assigned: ['accent', Play, 'inProgress'],
    done: ['amber', Check, 'done'],
    paid: ['good', CheckCheck, 'paid'],
    refunded: ['plain', Undo2, 'refunded'],
  },
  task: {
    submitted: ['blue', Send, 'submitted'],
    working: ['accent', Play, 'working'],
    input_required: ['amber', CircleHelp, 'needsAnswer'],
    auth_required: ['amber', Lock, 'needsAccess'],
    completed: ['good', Check, 'completed'],
    failed: ['bad', CircleAlert, 'failed'],
    canceled: ['plain', Ban, 'canceled'],
    rejected: ['bad', X, 'declined'],
  },
  acceptance: {
    pending: ['amber', Clock, 'inReview'],
    accepted: ['good', CheckCheck, 'accepted'],
    returned: ['bad', RotateCcw, 'returned'],
    changes_requested: ['amber', PencilLine, 'changesRequested'],
    split: ['good', CheckCheck, 'paidInPart'],
  },
  hold: {
    authorizing: ['amber', Hourglass, 'authorizing'],
    authorized: ['accent', Lock, 'held'],
    capturing: ['amber', Coins, 'capturing'],
    captured: ['good', CheckCheck, 'paidOut'],
    voiding: ['amber', Hourglass, 'refunding'],
    voided: ['plain', Undo2, 'returned'],
    reclaimed: ['plain', Undo2, 'reclaimed'],
    refunding: ['amber', Hourglass, 'refunding'],
    refunded: ['plain', Undo2, 'refunded'],
    failed: ['bad', CircleAlert, 'failed'],
  },
  payout: {
    sealed: ['accent', Lock, 'agreed'],
    paying: ['amber', Coins, 'confirming'],
    paid: ['good', CheckCheck, 'paid'],
    credited: ['amber', Inbox, 'toWithdraw'],
    refunded: ['plain', Undo2, 'refunded'],
    replaced: ['plain', Ban, 'replaced'],
    disputed: ['bad', CircleAlert, 'disputed'],
    split: ['good', CheckCheck, 'paidInPart'],
  },
  dispute: {
    signed: ['amber', Hourglass, 'beingOpened'],
    open: ['amber', Scale, 'open'],
    ruling: ['amber', Hourglass, 'beingRuled'],
    ruled: ['good', Scale, 'ruled'],
    agreed: ['good', CheckCheck, 'agreed'],
    lapsed: ['plain', Clock, 'expired'],
    refused: ['bad', CircleAlert, 'refused'],
  },
  offer: {
    made: ['blue', MessageCircle, 'proposed'],
    accepting: ['amber', Hourglass, 'confirming'],
    accepted: ['good', CheckCheck, 'agreed'],
    lapsed: ['plain', Ban, 'noLongerOpen'],
  },
  channel: {
    opening: ['amber', Hourglass, 'opening'],
    open: ['accent', Lock, 'open'],
    closing: ['amber', Hourglass, 'closing'],
    closed: ['plain', Undo2, 'closed'],
    failed: ['bad', CircleAlert, 'notOpened'],
  },
  call: {
    requested: ['amber', Hourglass, 'waitingForAnswer'],
    answered: ['good', Check, 'answered'],
    declined: ['bad', X, 'declined'],
    expired: ['plain', Clock, 'notAnswered'],
  },
  transfer: {
    intent: ['plain', CircleDashed, 'requested'],
    rail_chosen: ['plain', CircleDashed, 'started'],
    prepared: ['amber', Hourglass, 'prepared'],
    submitted: ['amber', Send, 'sent'],
    seen: ['amber', Clock, 'confirming'],
    reorged: ['amber', RotateCcw, 'sentAgain'],
    final: ['good', Check, 'final'],
    posted: ['good', CheckCheck, 'booked'],
    replaced: ['plain', Ban, 'replaced'],
    failed_retryable: ['amber', CircleAlert, 'retrying'],
    failed_final: ['bad', CircleAlert, 'failed'],
  },
  resource: {
    testing: ['amber', Hourglass, 'testing'],
    admitted: ['good', Check, 'admitted'],
    drifted: ['amber', RotateCcw, 'drifted'],
    demoted: ['amber', CircleAlert, 'demoted'],
    evicted: ['bad', Ban, 'evicted'],
    refused: ['plain', X, 'refused'],
  },
  notification: {
    pending: ['amber', Hourglass, 'queued'],
    retrying: ['amber', RotateCcw, 'retrying'],
    sent: ['good', Check, 'sent'],
    dead: ['bad', CircleAlert, 'failed'],
    canceled: ['plain', Ban, 'canceled'],
  },
  answer: {
    invited: ['plain', Clock, 'invited'],
    accepted: ['good', Check, 'accepted'],
    declined: ['bad', X, 'declined'],
  },
  presence: {
    online: ['good', Radio, 'online'],
    idle: ['amber', Moon, 'idle'],
    offline: ['plain', CircleDot, 'offline'],
  },
} as const satisfies Record<string, Record<string, Look>>

export type ChipKind = keyof typeof stateChipStyles

/** The chip of a state. A state that this version doesn't know is shown by its own name. */
export function StateChip({ of, state, className }: { of: ChipKind; state: string; className?: string }) {
  const [tone, icon, word] = stateChipStyle(of, state, useTranslations('ui.stateChip'))
  return (
    <Chip tone={tone} icon={icon} {...(className ? { className } : {})}>
      {word}
    </Chip>
  )
}

export function stateChipStyle(of: ChipKind, state: string, t: Words): readonly [tone: ChipTone, icon: LucideIcon, word: string] {
  const all: Readonly<Record<string, Look>> = stateChipStyles[of]
  const known = Object.hasOwn(all, state) ? all[state] : undefined
  return known ? [known[0], known[1], t(known[2])] : ['plain', Sparkles, state.replaceAll('_', ' ')]
}

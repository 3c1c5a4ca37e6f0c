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
  Play,
  Radio,
  RotateCcw,
  Scale,
  Send,
  Sparkles,
  Undo2,
  X,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

export type Tone = 'plain' | 'accent' | 'amber' | 'good' | 'bad' | 'blue'
const tones: { [tone in Tone]: string } = {
  plain: 'bg-plain-soft text-muted',
  accent: 'bg-accent-soft text-accent-ink',
  amber: 'bg-amber-soft text-amber-ink',
  good: 'bg-good-soft text-good-ink',
  bad: 'bg-bad-soft text-bad-ink',
  blue: 'bg-blue-soft text-blue-ink',
}

/** A word with an icon on a tint: colour never stands alone. */
export function Chip({
  tone = 'plain',
  icon: Icon,
  className,
  children,
}: {
  tone?: Tone
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

type Look = readonly [tone: Tone, icon: LucideIcon, word: string]

/** How each state of each thing looks. Amber is money on its way; teal is work; green is done and paid. */
export const looks = {
  goal: {
    funding: ['amber', Hourglass, 'Funding'],
    open: ['blue', Inbox, 'Open'],
    underway: ['accent', Play, 'Underway'],
    review: ['amber', Clock, 'In review'],
    settling: ['amber', Coins, 'Settling'],
    paid: ['good', CheckCheck, 'Paid'],
    refunded: ['plain', Undo2, 'Refunded'],
    canceled: ['plain', Ban, 'Canceled'],
  },
  conversation: {
    discussion: ['blue', MessageCircle, 'Discussion'],
    task_assignment: ['accent', Send, 'Assignment'],
    execution: ['accent', Play, 'Execution'],
    conclusion: ['good', CheckCheck, 'Conclusion'],
  },
  step: {
    planned: ['plain', CircleDashed, 'Planned'],
    offered: ['accent', Play, 'In work'],
    done: ['amber', Check, 'Done'],
    paid: ['good', CheckCheck, 'Paid'],
    refunded: ['plain', Undo2, 'Refunded'],
  },
  task: {
    submitted: ['blue', Send, 'Handed over'],
    working: ['accent', Play, 'Working'],
    input_required: ['amber', CircleHelp, 'Needs an answer'],
    auth_required: ['amber', Lock, 'Needs access'],
    completed: ['good', Check, 'Completed'],
    failed: ['bad', CircleAlert, 'Failed'],
    canceled: ['plain', Ban, 'Canceled'],
    rejected: ['bad', X, 'Declined'],
  },
  acceptance: {
    pending: ['amber', Clock, 'In review'],
    accepted: ['good', CheckCheck, 'Accepted'],
    returned: ['bad', RotateCcw, 'Returned'],
  },
  hold: {
    authorizing: ['amber', Hourglass, 'Being set aside'],
    authorized: ['accent', Lock, 'Held'],
    capturing: ['amber', Coins, 'Being paid'],
    captured: ['good', CheckCheck, 'Paid out'],
    voiding: ['amber', Hourglass, 'Going back'],
    voided: ['plain', Undo2, 'Returned'],
    reclaimed: ['plain', Undo2, 'Reclaimed'],
    refunding: ['amber', Hourglass, 'Going back'],
    refunded: ['plain', Undo2, 'Refunded'],
    failed: ['bad', CircleAlert, 'Failed'],
  },
  payout: {
    sealed: ['accent', Lock, 'Agreed'],
    paying: ['amber', Coins, 'Confirming'],
    paid: ['good', CheckCheck, 'Paid'],
    credited: ['amber', Inbox, 'To withdraw'],
    refunded: ['plain', Undo2, 'Refunded'],
    replaced: ['plain', Ban, 'Replaced'],
    disputed: ['bad', CircleAlert, 'Disputed'],
    split: ['good', CheckCheck, 'Paid in part'],
  },
  dispute: {
    signed: ['amber', Hourglass, 'Being opened'],
    open: ['amber', Scale, 'Open'],
    ruling: ['amber', Hourglass, 'Being ruled'],
    ruled: ['good', Scale, 'Ruled'],
    agreed: ['good', CheckCheck, 'Agreed'],
    lapsed: ['plain', Clock, 'Ended by silence'],
    refused: ['bad', CircleAlert, 'Not taken'],
  },
  offer: {
    made: ['blue', MessageCircle, 'Proposed'],
    accepting: ['amber', Hourglass, 'Being carried out'],
    accepted: ['good', CheckCheck, 'Agreed'],
    lapsed: ['plain', Ban, 'No longer open'],
  },
  channel: {
    opening: ['amber', Hourglass, 'Opening'],
    open: ['accent', Lock, 'Open'],
    closing: ['amber', Hourglass, 'Closing'],
    closed: ['plain', Undo2, 'Closed'],
    failed: ['bad', CircleAlert, 'Not opened'],
  },
  call: {
    asked: ['amber', Hourglass, 'Waiting for the answer'],
    answered: ['good', Check, 'Answered'],
    declined: ['bad', X, 'Declined'],
    expired: ['plain', Clock, 'Not answered'],
  },
  transfer: {
    intent: ['plain', CircleDashed, 'Wanted'],
    rail_chosen: ['plain', CircleDashed, 'Begun'],
    prepared: ['amber', Hourglass, 'Prepared'],
    submitted: ['amber', Send, 'Sent'],
    seen: ['amber', Clock, 'Confirming'],
    reorged: ['amber', RotateCcw, 'Sent again'],
    final: ['good', Check, 'Final'],
    posted: ['good', CheckCheck, 'Booked'],
    replaced: ['plain', Ban, 'Replaced'],
    failed_retryable: ['amber', CircleAlert, 'Is tried again'],
    failed_final: ['bad', CircleAlert, 'Failed'],
  },
  resource: {
    testing: ['amber', Hourglass, 'Testing'],
    admitted: ['good', Check, 'Admitted'],
    drifted: ['amber', RotateCcw, 'Drifted'],
    demoted: ['amber', CircleAlert, 'Demoted'],
    evicted: ['bad', Ban, 'Evicted'],
    refused: ['plain', X, 'Refused'],
  },
  answer: {
    invited: ['plain', Clock, 'Invited'],
    accepted: ['good', Check, 'Signed'],
    declined: ['bad', X, 'Declined'],
  },
  presence: {
    online: ['good', Radio, 'Online'],
    idle: ['amber', Moon, 'Idle'],
    offline: ['plain', CircleDot, 'Offline'],
  },
} as const satisfies Record<string, Record<string, Look>>

export type ChipKind = keyof typeof looks

/** The chip of a state. A state that this version doesn't know is shown by its own name. */
export function StateChip({ of, state, className }: { of: ChipKind; state: string; className?: string }) {
  const [tone, icon, word] = lookOf(of, state)
  return (
    <Chip tone={tone} icon={icon} {...(className ? { className } : {})}>
      {word}
    </Chip>
  )
}

export function lookOf(of: ChipKind, state: string): Look {
  const known: Readonly<Record<string, Look>> = looks[of]
  return (Object.hasOwn(known, state) ? known[state] : undefined) ?? ['plain', Sparkles, state.replaceAll('_', ' ')]
}

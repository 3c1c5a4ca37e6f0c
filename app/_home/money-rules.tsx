import { FileCheck2, HandCoins, LockKeyhole, Undo2 } from 'lucide-react'
import { Section } from '../_components/ui/card.tsx'

const rules = [
  [
    LockKeyhole,
    'Set aside first.',
    'Your budget is held by a contract before anyone starts. A goal is public only when the money is there.',
  ],
  [FileCheck2, 'Agreed in writing.', 'Steps, payees and amounts are signed by every agent and sealed on chain. Nothing else can be paid.'],
  [
    HandCoins,
    'Paid on acceptance.',
    'One settlement pays every agent and names the message that ended the work, so that both can be compared.',
  ],
  [
    Undo2,
    'Back to you otherwise.',
    'What is not earned returns. After the deadline anyone can trigger the refund, and nobody can stop it.',
  ],
] as const

/** How money is protected, in four lines. */
export function MoneyRules() {
  return (
    <Section title="How the money is protected">
      <ul className="divide-y rounded-lg border bg-surface">
        {rules.map(([Icon, head, text]) => (
          <li key={head} className="flex gap-4 px-4 py-3.5 md:px-5">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-amber" />
            <p>
              <strong className="font-semibold">{head}</strong> <span className="text-muted">{text}</span>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

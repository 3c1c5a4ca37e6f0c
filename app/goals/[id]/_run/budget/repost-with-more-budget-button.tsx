'use client'
import { formatAmount, parseAmount } from '@parley/protocol'
import { useMutation } from '@tanstack/react-query'
import { CirclePlus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { useMarket } from '../../../../_components/market-provider.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../../../../_components/ui/dialog.tsx'
import { Field, Input } from '../../../../_components/ui/field.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'
import type { RunView } from '../run-view.ts'
import { StopAmounts } from './stop-amounts.tsx'

type Props = { view: RunView; goalId: string }

/** More money for a goal. A hold never grows, so the goal is stopped, and posted again with its terms and the new budget. */
export function RepostWithMoreBudgetButton({ view, goalId }: Props) {
  const t = useTranslations('run.repostWithMoreBudget')
  const [isOpen, setOpen] = useState(false)
  const { state } = view.goal
  if (state !== 'open' && state !== 'underway') return null
  return (
    <>
      <Button className="mt-3 w-full" onClick={() => setOpen(true)}>
        <CirclePlus aria-hidden /> {t('add')}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t('title')} description={t('description')}>
        <AddBudgetForm view={view} goalId={goalId} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function AddBudgetForm({ view, goalId, onClose }: Props & { onClose: () => void }) {
  const t = useTranslations('run.repostWithMoreBudget')
  const trpc = useTRPC()
  const router = useRouter()
  const { decimals, symbol } = useMarket()
  const total = view.hold?.total ?? view.goal.budget
  const [typed, setTyped] = useState('')
  const [isAsked, setAsked] = useState(false)
  const added = amountOf(typed, decimals)
  const cancel = useMutation(
    trpc.goals.cancel.mutationOptions({
      onSuccess: () => router.push(`/goals/new?repeat=${goalId}&continue&budget=${formatAmount(total + (added ?? 0n), decimals)}`),
    }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (added !== null) cancel.mutate({ goal_id: goalId, reason: t('reason') })
  }
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field
        label={t('amount', { symbol })}
        hint={added === null ? undefined : t('newBudget', { amount: formatAmount(total + added, decimals), symbol })}
        error={isAsked && added === null ? t('writeAmount') : undefined}
      >
        <Input inputMode="decimal" className="figures" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </Field>
      <StopAmounts view={view} />
      {cancel.error && <ProblemNotice error={cancel.error} money={t('noMoneyMoved')} />}
      <DialogActions>
        <Button onClick={onClose}>{t('keepRunning')}</Button>
        <Button type="submit" tone="primary" isBusy={cancel.isPending || cancel.isSuccess}>
          {t('stopAndPostAgain')}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Null if it is no amount above 0. */
function amountOf(typed: string, decimals: number): bigint | null {
  try {
    const amount = parseAmount(typed, decimals)
    return amount > 0n ? amount : null
  } catch {
    return null
  }
}

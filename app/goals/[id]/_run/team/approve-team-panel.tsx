'use client'
import { Charter, cardPlan, charterAuthorizationTypedData, charterHash, charterVetoTypedData } from '@parley/protocol'
import { useMutation } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import type { Translate } from '@/app/_messages/translate-types.ts'
import { useTRPC } from '@/app/_trpc/client.tsx'
import type { Eip712TypedData } from '@/server/ports.ts'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { useMarket } from '../../../../_components/market-provider.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { MoneyAmount } from '../../../../_components/ui/money.tsx'
import { Notice } from '../../../../_components/ui/notice.tsx'
import { Card, Section } from '../../../../_components/ui/section.tsx'
import { Time } from '../../../../_components/ui/time.tsx'
import { findGoalSessionKey } from '../../../../_wallet/goal-session-key-store.ts'
import { SigningTrouble } from '../../../../_wallet/use-typed-data-signing.tsx'
import { useWallet } from '../../../../_wallet/wallet-provider.tsx'
import type { People } from '../to-run-view.ts'
import { VetoTeamDialog } from './veto-team-dialog.tsx'

type Props = { run: Run; people: People; isClient: boolean }
type Approval = NonNullable<Run['approval']>

/** The client's decision on a team: approve it, or veto it while it is proposed. For a goal that is open or underway. */
export function ApproveTeamPanel({ run, people, isClient }: Props) {
  const t = useTranslations('run.approveTeamPanel')
  const { approval, team } = run
  if (!approval) return null
  const isAsked = approval.state === 'open' || approval.state === 'proposed'
  const charter = team && team.charterHash === approval.charterHash ? team.charter : null
  const { foreign } = approval
  if (!isAsked && approval.closesAt === null && foreign === null) return null
  return (
    <Section
      title={isClient ? t('yourTeam') : t('clientsDecisionOnTeam')}
      aside={approval.version > 0 && t('charter', { version: approval.version })}
      className="mb-8"
    >
      <Card className={isAsked ? 'border-amber' : ''}>
        {approval.closesAt !== null && (
          <Notice kind="warning" title={t('clientHasGivenNoticeOnChain')} className="mb-3">
            {t.rich('canClosedFromUnlessApprovedTeam', {
              time: fillEmptyTag(<Time at={new Date(approval.closesAt * 1_000)} isAbsolute />),
            })}
          </Notice>
        )}
        {foreign && foreign.vetoBy === null && <ForeignNotice />}
        {isAsked && (
          <>
            <Sentence approval={approval} rail={run.hold.rail} />
            {isClient && <Answer run={run} approval={approval} charter={charter} />}
            {charter && <Lines charter={charter} people={people} />}
          </>
        )}
      </Card>
    </Section>
  )
}

/** A foreign charter that can no longer be vetoed. */
function ForeignNotice() {
  const t = useTranslations('run.approveTeamPanel')
  return (
    <Notice kind="bad" title={t('teamMarketDoesNotKnowIn')} className="mb-3">
      {t('youCanNoLongerVeto')}
    </Notice>
  )
}

function Sentence({ approval, rail }: { approval: Approval; rail: Run['hold']['rail'] }) {
  const t = useTranslations('run.approveTeamPanel')
  if (!approval.isKnown)
    return (
      <Notice kind="bad" title={t('teamMarketDoesNotKnowProposed')}>
        {t.rich('untilYouCanVeto', { time: () => <Time at={new Date((approval.payableFrom ?? 0) * 1_000)} isAbsolute /> })}
      </Notice>
    )
  if (approval.state === 'open') return <p>{t('allMembersHaveSigned')}</p>
  const sentence = rail === 'escrow' ? 'teamProposedOnChain' : 'teamHasVetoWindow'
  return <p>{t.rich(sentence, { time: () => <Time at={new Date((approval.payableFrom ?? 0) * 1_000)} isAbsolute /> })}</p>
}

function Lines({ charter, people }: { charter: Charter; people: People }) {
  return (
    <ul className="mt-3 divide-y border-t">
      {charter.steps
        .filter((step) => !step.canceled)
        .map((step) => (
          <li key={step.step} className="flex flex-wrap items-center justify-between gap-x-4 py-1.5">
            <span className="leading-snug">
              {step.step}. {step.title}
              <span className="block text-muted text-sm">{people.nameOf(step.agent_id)}</span>
            </span>
            <MoneyAmount amount={BigInt(step.amount)} />
          </li>
        ))}
    </ul>
  )
}

function Answer({ run, approval, charter }: { run: Run; approval: Approval; charter: Charter | null }) {
  const t = useTranslations('run.approveTeamPanel')
  const trpc = useTRPC()
  const wallet = useWallet()
  const { chainId } = useMarket()
  const authorize = useMutation(trpc.charters.authorize.mutationOptions())
  const veto = useMutation(trpc.charters.veto.mutationOptions())
  const [trouble, setTrouble] = useState<unknown>(null)
  const [isVetoing, setVetoing] = useState(false)
  const { version } = approval
  const goal_id = run.goal.id as never
  const isBusy = authorize.isPending || veto.isPending
  const isDone = authorize.isSuccess || veto.isSuccess

  /** Signed by the session key if this browser has it; otherwise by the wallet. */
  function sign(typedData: Eip712TypedData): Promise<string> {
    const key = findGoalSessionKey(approval.authorizer)
    return key ? key.signTypedData(typedData as Parameters<typeof key.signTypedData>[0]) : wallet.signTypedData(typedData)
  }
  async function answer(send: () => Promise<unknown>) {
    setTrouble(null)
    await send().catch(setTrouble)
  }
  const approve = () =>
    answer(async () => {
      const typedData = await approvalOf(run, charter, { chainId, t })
      await authorize.mutateAsync({ goal_id, version, signature: await sign(typedData) })
    })
  async function refuse(reason: string) {
    setVetoing(false)
    await answer(async () => {
      const signature = await sign(charterVetoTypedData(planOf(run, chainId), version))
      await veto.mutateAsync({ goal_id, version, reason: reason || t('noReasonGiven'), signature })
    })
  }
  useAutomatic(approval, charter !== null, approve)
  return (
    <div className="mt-3 grid gap-3">
      <SigningTrouble error={trouble} />
      <span className="flex flex-wrap gap-2">
        {charter && (
          <Button tone="primary" isBusy={isBusy} disabled={isDone} onClick={() => void approve()}>
            <Check aria-hidden /> {t('approveTeam')}
          </Button>
        )}
        <Button disabled={isBusy || isDone} onClick={() => setVetoing(true)}>
          <X aria-hidden /> {t('vetoTeam')}
        </Button>
      </span>
      <VetoTeamDialog isOpen={isVetoing} onClose={() => setVetoing(false)} onVeto={(reason) => void refuse(reason)} />
    </div>
  )
}

/** If the client chose so when posting, this browser approves automatically: each charter once. */
function useAutomatic(approval: Approval, isAsked: boolean, approve: () => Promise<void>) {
  const done = useRef(0)
  useEffect(() => {
    if (!isAsked || done.current === approval.version || !findGoalSessionKey(approval.authorizer)?.isAutomatic) return
    done.current = approval.version
    void approve()
  })
}

type Words = Translate<'run.approveTeamPanel'>

/** Built here from the shown charter, so that nothing else is signed. */
async function approvalOf(run: Run, charter: Charter | null, { chainId, t }: { chainId: number; t: Words }): Promise<Eip712TypedData> {
  const shown = Charter.parse(charter)
  const hash = await charterHash(shown)
  const sum = shown.steps.reduce((total, step) => total + BigInt(step.amount), 0n)
  if (hash !== run.approval?.charterHash || shown.goal_id !== run.goal.id || sum > run.hold.total)
    throw new Error(t('charterIsNotTheSigned'))
  return charterAuthorizationTypedData(shown, hash, planOf(run, chainId))
}

function planOf({ goal, hold }: Run, chainId: number) {
  if (hold.rail !== 'escrow') return cardPlan(goal.id, chainId)
  return { chain_id: hold.chainId, escrow: hold.escrow, plan_id: hold.planId }
}

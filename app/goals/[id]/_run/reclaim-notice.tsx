'use client'
import { useMutation } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useTRPC } from '@/app/_trpc/client.tsx'
import { useMe } from '../../../_components/market.tsx'
import { Button } from '../../../_components/ui/button.tsx'
import { Notice } from '../../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../../_components/ui/problem.tsx'

/** The plan is over and something is still held: whoever has signed in may have it sent back now. */
export function ReclaimNotice({ goalId }: { goalId: string }) {
  const trpc = useTRPC()
  const me = useMe()
  const reclaim = useMutation(trpc.settlement.reclaim.mutationOptions())
  return (
    <div className="grid gap-3">
      <Notice kind="warning" title="The plan has expired.">
        {reclaim.isSuccess
          ? 'What is left is on its way. This takes a few seconds, and you may leave this page.'
          : 'Disputed steps end as the terms say. Everything else goes back to the client automatically.'}
      </Notice>
      {reclaim.error && <ProblemNotice error={reclaim.error} money="No money moved." />}
      {me && !reclaim.isSuccess && (
        <div>
          <Button isBusy={reclaim.isPending} onClick={() => reclaim.mutate({ goal_id: goalId })}>
            <Undo2 aria-hidden /> Send back what is left
          </Button>
        </div>
      )}
    </div>
  )
}

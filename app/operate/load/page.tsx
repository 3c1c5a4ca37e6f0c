import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead } from '../../_components/ui/card.tsx'
import { getCall } from '../../_trpc/server.tsx'
import { refusal } from '../gate.tsx'
import { LoadBoard } from './load-board.tsx'

export const metadata: Metadata = { title: 'Load' }

export default async function Page() {
  const { ctx } = await getCall()
  return (
    <>
      <PageHead
        eyebrow={
          <Link href="/operate" className="underline underline-offset-2">
            Operate
          </Link>
        }
        title="Load"
        lead="How much the hubs carry, how long the disk keeps them waiting, and who is behind. Each hub tells it of itself."
      />
      {refusal(ctx, 'looks') ?? <LoadBoard />}
    </>
  )
}

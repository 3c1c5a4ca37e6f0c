import { ProblemCode, problems } from '@parley/protocol'
import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { readAddressPart } from '@/server/trpc/url-part.ts'
import { Card, PageHead, Stat } from '../../_components/ui/card.tsx'
import { explanations, retryWords } from '../explanations.ts'

type Props = { params: Promise<{ code: string }> }

async function readCode({ params }: Props): Promise<ProblemCode> {
  const parsed = ProblemCode.safeParse(readAddressPart((await params).code))
  return parsed.success ? parsed.data : notFound()
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: await readCode(props) }
}

export default async function ProblemPage(props: Props) {
  const code = await readCode(props)
  const { status, retry } = problems[code]
  const { meaning, remedy } = explanations[code]
  return (
    <>
      <PageHead
        eyebrow={
          <Link href="/problems" className="text-link">
            Error codes
          </Link>
        }
        title={<span className="figures">{code}</span>}
        lead={meaning}
      />
      <Card className="max-w-2xl">
        <dl className="grid grid-cols-2 gap-6">
          <Stat label="HTTP status">{status}</Stat>
          <Stat label="Repeat the request?">{retryWords[retry]}</Stat>
        </dl>
        <h2 className="mt-6 font-semibold">What to do</h2>
        <p className="mt-1 text-muted">{remedy}</p>
      </Card>
    </>
  )
}

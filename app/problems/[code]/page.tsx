import { ProblemCode, problems } from '@parley/protocol'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { decodeRouteParam } from '@/server/trpc/decode-route-param.ts'
import { Link } from '../../_components/ui/link.tsx'
import { Card, PageHead, Stat } from '../../_components/ui/section.tsx'
import type { Translate } from '../../_messages/translate-types.ts'

type Props = { params: Promise<{ code: string }> }

async function readCode({ params }: Props): Promise<ProblemCode> {
  const parsed = ProblemCode.safeParse(decodeRouteParam((await params).code))
  return parsed.success ? parsed.data : notFound()
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: await readCode(props) }
}

export default async function ProblemPage(props: Props) {
  const t = await getTranslations('problems.problemsOnePage')
  const code = await readCode(props)
  const { status, retry } = problems[code]
  const tCode: Translate<'problems.explanations'> = await getTranslations('problems.explanations')
  const tRetry = await getTranslations('problems.retry')
  return (
    <>
      <PageHead
        eyebrow={
          <Link href="/problems" className="text-link">
            {t('errorCodes')}
          </Link>
        }
        title={<span className="figures">{code}</span>}
        lead={tCode(`${code}.meaning`)}
      />
      <Card className="max-w-2xl">
        <dl className="grid grid-cols-2 gap-6">
          <Stat label={t('httpStatus')}>{status}</Stat>
          <Stat label={t('repeatRequest')}>{tRetry(retry)}</Stat>
        </dl>
        <h2 className="mt-6 font-semibold">{t('whatToDo')}</h2>
        <p className="mt-1 text-muted">{tCode(`${code}.remedy`)}</p>
      </Card>
    </>
  )
}

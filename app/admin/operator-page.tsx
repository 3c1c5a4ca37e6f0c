import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Link } from '../_components/ui/link.tsx'
import { PageHead } from '../_components/ui/section.tsx'
import { getRequestContext } from '../_trpc/server.tsx'
import { accessRefusal } from './access-refusal.tsx'

type Ctx = Awaited<ReturnType<typeof getRequestContext>>['ctx']

/** A page below Admin, for operators only. `body` requests nothing before the person is known. */
export async function OperatorPage({ title, lead, body }: { title: string; lead: string; body: (ctx: Ctx) => Promise<ReactNode> }) {
  const t = await getTranslations('admin.operatorPage')
  const { ctx } = await getRequestContext()
  return (
    <>
      <PageHead
        eyebrow={
          <Link href="/admin" className="text-link">
            {t('admin')}
          </Link>
        }
        title={title}
        lead={lead}
      />
      {(await accessRefusal(ctx, 'operates')) ?? (await body(ctx))}
    </>
  )
}

import { ArrowRight, Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { ButtonLink } from './_components/ui/button.tsx'
import { WorkRequestBox } from './_home/ask/work-request-box.tsx'
import { ExampleRoom } from './_home/example-room.tsx'
import { HowItWorks } from './_home/how-it-works.tsx'
import { MarketActivity } from './_home/market-activity.tsx'
import { MoneyRules } from './_home/money-rules.tsx'
import { AreaMessages } from './_messages/area-messages.tsx'
import { getQueryClient, Hydrated, trpc } from './_trpc/server.tsx'

export default async function HomePage() {
  const t = await getTranslations('home.page')
  await getQueryClient().prefetchQuery(trpc.market.getOverview.queryOptions())
  return (
    <AreaMessages areas={['home', 'calls', 'views']}>
      <Hydrated>
        <div className="grid gap-12 md:gap-16">
          <div className="grid items-center gap-x-12 gap-y-10 pt-2 md:pt-6 lg:grid-cols-[minmax(0,1fr)_25rem]">
            <Hero>
              <ButtonLink href="/goals/new">
                <Plus aria-hidden />
                {t('postGoal')}
              </ButtonLink>
              <ButtonLink href="/publish/new">
                {t('publishAgent')}
                <ArrowRight aria-hidden />
              </ButtonLink>
            </Hero>
            <ExampleRoom />
          </div>
          <MarketActivity />
          <HowItWorks />
          <MoneyRules />
        </div>
      </Hydrated>
    </AreaMessages>
  )
}

function Hero({ children }: { children: ReactNode }) {
  const t = useTranslations('home.page')
  return (
    <div>
      <h1 className="font-semibold text-4xl leading-[1.08] tracking-tight md:text-[3.5rem]">
        {t.rich('agentsAgreeWorkPaid', { br: () => <br className="max-sm:hidden" /> })}
      </h1>
      <p className="mt-5 max-w-xl text-lg text-muted leading-relaxed">{t('postGoalSetMoneyAside')}</p>
      <WorkRequestBox />
      <div className="mt-6 flex flex-wrap gap-3">{children}</div>
    </div>
  )
}

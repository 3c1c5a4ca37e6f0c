import type { Metadata } from 'next'
import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { Section } from '../../_components/ui/section.tsx'
import { getApi } from '../../_trpc/server.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { AgentsStoppedByRules } from './agents-stopped-by-rules.tsx'
import { RuleForm } from './rule-form.tsx'
import { RuleList } from './rule-list.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('admin.rulesPage')
  return { title: t('rules') }
}

export default function Page() {
  const t = useTranslations('admin.rulesPage')
  return (
    <OperatorPage
      title={t('rules')}
      lead={t('whatMarketDeniesOrAsks')}
      body={async () => {
        const { rules, stops } = await (await getApi()).policy.listRules()
        return (
          <>
            <Section title={t('stoppedLately')} aside={stops.some((stop) => stop.isHeld) ? t('someWaitForYourWord') : undefined}>
              <AgentsStoppedByRules stops={stops} rules={rules} />
            </Section>
            <Section title={t('inForce')} className="mt-10">
              <RuleList rules={rules} />
            </Section>
            <Section title={t('createRule')} className="mt-10">
              <RuleForm />
            </Section>
          </>
        )
      }}
    />
  )
}

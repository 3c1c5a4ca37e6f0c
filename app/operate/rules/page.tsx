import type { Metadata } from 'next'
import { Section } from '../../_components/ui/card.tsx'
import { getApi } from '../../_trpc/server.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { RuleForm } from './rule-form.tsx'
import { RuleList } from './rule-list.tsx'
import { StopList } from './stop-list.tsx'

export const metadata: Metadata = { title: 'Rules' }

export default function Page() {
  return (
    <OperatorPage
      title="Rules"
      lead="What this market forbids, or holds until an operator has allowed it. A rule holds here at once and in every process within a second; gateways keep the same rules. No rule stops a person’s way to their money."
      body={async () => {
        const { rules, stops } = await (await getApi()).policy.listRules()
        return (
          <>
            <Section title="Stopped lately" aside={stops.some((stop) => stop.isHeld) ? 'Some wait for your word' : undefined}>
              <StopList stops={stops} rules={rules} />
            </Section>
            <Section title="In force" className="mt-10">
              <RuleList rules={rules} />
            </Section>
            <Section title="Set a rule" className="mt-10">
              <RuleForm />
            </Section>
          </>
        )
      }}
    />
  )
}

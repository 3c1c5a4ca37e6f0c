import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead, Section } from '../../_components/ui/card.tsx'
import { getApi, getCall } from '../../_trpc/server.tsx'
import { refusal } from '../gate.tsx'
import { RuleForm } from './rule-form.tsx'
import { RuleList } from './rule-list.tsx'
import { StopList } from './stop-list.tsx'

export const metadata: Metadata = { title: 'Rules' }

export default async function Page() {
  const { ctx } = await getCall()
  const head = (
    <PageHead
      eyebrow={
        <Link href="/operate" className="text-link">
          Operate
        </Link>
      }
      title="Rules"
      lead="What this market forbids, or holds until an operator has allowed it. A rule holds here at once and in every process within a second; gateways keep the same rules. No rule stops a person’s way to their money."
    />
  )
  const refused = refusal(ctx, 'operates')
  if (refused)
    return (
      <>
        {head}
        {refused}
      </>
    )
  const { rules, stops } = await (await getApi()).policy.listRules()
  return (
    <>
      {head}
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
}

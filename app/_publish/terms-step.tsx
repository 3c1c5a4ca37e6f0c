import { Field, Input, Textarea } from '../_components/ui/field.tsx'
import type { StepProps } from './listing-form.tsx'

export function TermsStep({ form, change, faultOf, touch, isNew }: StepProps) {
  return (
    <div className="grid gap-5">
      <Field
        label="Paid to"
        error={faultOf('payout')}
        hint={
          isNew
            ? 'The wallet that the escrow pays. Yours, unless you say another.'
            : 'The wallet that the escrow pays. A change needs your signature and counts after 24 hours. Sealed teams keep the old one.'
        }
      >
        <Input
          value={form.payout}
          autoCapitalize="none"
          spellCheck={false}
          className="figures"
          onChange={(event) => change({ payout: event.target.value })}
          onBlur={() => touch('payout')}
        />
      </Field>
      <Field label="Tasks at once" error={faultOf('policy.max_concurrency')} hint="More than this are not handed to it.">
        <Input
          value={form.maxConcurrency}
          inputMode="numeric"
          className="figures max-w-32"
          onChange={(event) => change({ maxConcurrency: event.target.value })}
          onBlur={() => touch('policy.max_concurrency')}
        />
      </Field>
      <Field label="What it does with a client’s data" isOptional error={faultOf('policy.data_use')}>
        <Textarea value={form.dataUse} maxLength={400} className="min-h-16" onChange={(event) => change({ dataUse: event.target.value })} />
      </Field>
      <Field
        label="Agents it builds on"
        isOptional
        error={faultOf('royalties')}
        hint="A line each: the agent’s id and its share of every payment, such as agt_0192… 5 %. The escrow credits it out of your pay; at most 50 % together."
      >
        <Textarea
          value={form.royalties}
          spellCheck={false}
          className="figures min-h-16"
          onChange={(event) => change({ royalties: event.target.value })}
          onBlur={() => touch('royalties')}
        />
      </Field>
    </div>
  )
}

import { Field, Input, Textarea } from '../_components/ui/field.tsx'
import type { StepProps } from './listing-form.tsx'

export function AboutStep({ form, change, faultOf, touch, isNew }: StepProps) {
  return (
    <div className="grid gap-5">
      <Field label="Name" error={faultOf('name')} hint="As people read it, such as Fact finder.">
        <Input value={form.name} maxLength={80} onChange={(event) => change({ name: event.target.value })} onBlur={() => touch('name')} />
      </Field>
      <Field
        label="Handle"
        error={faultOf('handle')}
        hint={isNew ? 'Its address here, for good: /agents/fact-finder.' : 'A handle stays for good.'}
      >
        <Input
          value={form.handle}
          readOnly={!isNew}
          maxLength={40}
          autoCapitalize="none"
          spellCheck={false}
          className="figures read-only:bg-sunken"
          onChange={(event) => change({ handle: event.target.value.toLowerCase() })}
          onBlur={() => touch('handle')}
        />
      </Field>
      <Field label="In one line" error={faultOf('summary')} hint={`${200 - form.summary.length} characters left.`}>
        <Input
          value={form.summary}
          maxLength={200}
          onChange={(event) => change({ summary: event.target.value })}
          onBlur={() => touch('summary')}
        />
      </Field>
      <Field
        label="About it"
        isOptional
        error={faultOf('readme')}
        hint="Markdown. What it is good at, what it is not, where its facts come from."
      >
        <Textarea
          value={form.readme}
          maxLength={20_000}
          className="min-h-40"
          onChange={(event) => change({ readme: event.target.value })}
          onBlur={() => touch('readme')}
        />
      </Field>
    </div>
  )
}

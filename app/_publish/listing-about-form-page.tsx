import { useTranslations } from 'next-intl'
import { Field, Input, Textarea } from '../_components/ui/field.tsx'
import type { StepProps } from './listing-form-mapping.ts'

export function ListingAboutFormPage({ form, change, faultOf, touch, isNew }: StepProps) {
  const t = useTranslations('publish.listingAboutFormPage')
  return (
    <div className="grid gap-5">
      <Field label={t('name')} error={faultOf('name')} hint={t('asPeopleReadSuchAsFact')}>
        <Input value={form.name} maxLength={80} onChange={(event) => change({ name: event.target.value })} onBlur={() => touch('name')} />
      </Field>
      <Field label={t('handle')} error={faultOf('handle')} hint={isNew ? t('addressHereForGood') : t('handleStaysForGood')}>
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
      <Field label={t('inOneLine')} error={faultOf('summary')} hint={t('charactersLeft', { count: 200 - form.summary.length })}>
        <Input
          value={form.summary}
          maxLength={200}
          onChange={(event) => change({ summary: event.target.value })}
          onBlur={() => touch('summary')}
        />
      </Field>
      <Field label={t('about')} isOptional error={faultOf('readme')} hint={t('markdownWhatGoodAtWhatNot')}>
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

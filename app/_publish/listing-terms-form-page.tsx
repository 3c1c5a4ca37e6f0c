import { useTranslations } from 'next-intl'
import { Field, Input, Textarea } from '../_components/ui/field.tsx'
import type { StepProps } from './listing-form-mapping.ts'

export function ListingTermsFormPage({ form, change, faultOf, touch, isNew }: StepProps) {
  const t = useTranslations('publish.listingTermsFormPage')
  return (
    <div className="grid gap-5">
      <Field label={t('paidTo')} error={faultOf('payout')} hint={isNew ? t('payoutOfNewListing') : t('payoutOfListing')}>
        <Input
          value={form.payout}
          autoCapitalize="none"
          spellCheck={false}
          className="figures"
          onChange={(event) => change({ payout: event.target.value })}
          onBlur={() => touch('payout')}
        />
      </Field>
      <Field label={t('concurrentTasks')} error={faultOf('policy.max_concurrency')} hint={t('moreThanNotHandedTo')}>
        <Input
          value={form.maxConcurrency}
          inputMode="numeric"
          className="figures max-w-32"
          onChange={(event) => change({ maxConcurrency: event.target.value })}
          onBlur={() => touch('policy.max_concurrency')}
        />
      </Field>
      <Field label={t('whatDoesWithClientsData')} isOptional error={faultOf('policy.data_use')}>
        <Textarea value={form.dataUse} maxLength={400} className="min-h-16" onChange={(event) => change({ dataUse: event.target.value })} />
      </Field>
      <Field label={t('agentsBuildsOn')} isOptional error={faultOf('royalties')} hint={t('lineEach')}>
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

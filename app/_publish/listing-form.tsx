'use client'
import type { ListingDraft } from '@parley/protocol'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type FormEvent, useRef, useState } from 'react'
import { useMarket } from '../_components/market-provider.tsx'
import { Button } from '../_components/ui/button.tsx'
import { cn } from '../_components/ui/cn.ts'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { ListingAboutFormPage } from './listing-about-form-page.tsx'
import { type Faults, type ListingFormValues as Form, formStepOfField, readListingForm, type StepProps } from './listing-form-mapping.ts'
import { ListingPreview } from './listing-preview.tsx'
import { ListingSkillsFormPage } from './listing-skills-form-page.tsx'
import { ListingTermsFormPage } from './listing-terms-form-page.tsx'

const steps = ['about', 'skillsPrices', 'termsPreview'] as const

/** A listing form with three steps. Each field is validated on blur, and all fields of a step before the next one. */
export function ListingForm({
  initial,
  agentId = null,
  submitLabel,
  onSubmit,
}: {
  initial: Form
  /** The agent whose listing is edited. Null: it is a new one. */
  agentId?: string | null
  submitLabel: string
  onSubmit: (draft: ListingDraft) => Promise<void>
}) {
  const t = useTranslations('publish.listingForm')
  const tFaults = useTranslations('publish.faults')
  const { decimals } = useMarket()
  const [form, setForm] = useState(initial)
  const [step, setStep] = useState<0 | 1 | 2>(0)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [checked, setChecked] = useState<ReadonlySet<number>>(new Set())
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const { draft, faults } = readListingForm(form, decimals, tFaults)

  const goTo = (next: 0 | 1 | 2) => {
    setStep(next)
    requestAnimationFrame(() => heading.current?.focus())
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(new Set([...checked, step]))
    const faulty = firstFaultyStep(faults)
    if (faulty !== null && faulty <= step) return faulty === step ? focusFirstFault() : goTo(faulty)
    if (step !== 2) return goTo(step === 0 ? 1 : 2)
    if (!draft) return
    setBusy(true)
    setFailure(null)
    try {
      await onSubmit(draft)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const props: StepProps = {
    form,
    isNew: agentId === null,
    agentId,
    change: (part) => setForm({ ...form, ...part }),
    touch: (path) => setTouched(new Set([...touched, path])),
    faultOf: (path) => (touched.has(path) || checked.has(formStepOfField(path)) ? faults[path] : undefined),
  }
  return (
    <form onSubmit={submit} noValidate className="grid max-w-3xl gap-8">
      <Progress step={step} />
      <div>
        <h2 ref={heading} tabIndex={-1} className="mb-5 font-semibold text-lg outline-none">
          {t(steps[step])}
        </h2>
        {step === 0 && <ListingAboutFormPage {...props} />}
        {step === 1 && <ListingSkillsFormPage {...props} />}
        {step === 2 && (
          <div className="grid gap-8">
            <ListingTermsFormPage {...props} />
            {draft && <ListingPreview draft={draft} />}
          </div>
        )}
      </div>
      {failure !== null && <ProblemNotice error={failure} money={t('noMoneyMoved')} />}
      <div className="flex flex-wrap justify-between gap-2 border-t pt-5">
        {step === 0 ? <span /> : <BackButton onClick={() => goTo(step === 2 ? 1 : 0)} />}
        <Button type="submit" tone="primary" isBusy={isBusy}>
          {step === 2 ? submitLabel : t('next')}
          {step !== 2 && <ArrowRight aria-hidden />}
        </Button>
      </div>
    </form>
  )
}

function BackButton({ onClick }: { onClick: () => void }) {
  const t = useTranslations('publish.listingForm')
  return (
    <Button onClick={onClick}>
      <ArrowLeft aria-hidden />
      {t('back')}
    </Button>
  )
}

function Progress({ step }: { step: number }) {
  const t = useTranslations('publish.listingForm')
  return (
    <ol className="flex gap-1 text-sm">
      {steps.map((label, index) => (
        <li
          key={label}
          aria-current={index === step ? 'step' : undefined}
          className={cn(
            'flex-1 border-t-3 pt-2',
            index <= step ? 'border-accent' : 'border-line',
            index === step ? 'font-medium' : 'text-muted',
          )}
        >
          <span className="figures">{index + 1}</span> <span className={index === step ? '' : 'max-sm:sr-only'}>{t(label)}</span>
        </li>
      ))}
    </ol>
  )
}

function firstFaultyStep(faults: Faults): 0 | 1 | 2 | null {
  const found = Object.keys(faults).map(formStepOfField)
  return found.length === 0 ? null : (Math.min(...found) as 0 | 1 | 2)
}

function focusFirstFault(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}

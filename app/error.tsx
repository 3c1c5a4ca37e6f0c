'use client'
import { RotateCcw } from 'lucide-react'
import { Button, ButtonLink } from './_components/ui/button.tsx'
import { PageHead } from './_components/ui/card.tsx'

/** A page broke. Its message stays on the server; the digest finds it in the log. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div role="alert">
      <title>Something broke · Parley</title>
      <PageHead
        title="This page could not be shown"
        lead="Something broke while it was being put together. No money was moved by this, and nothing you posted is lost."
      />
      {error.digest && (
        <p className="mb-6 text-muted text-sm">
          Give this id to the operator: <span className="figures text-ink">{error.digest}</span>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" onClick={reset}>
          <RotateCcw aria-hidden />
          Try again
        </Button>
        <ButtonLink href="/">To the front page</ButtonLink>
      </div>
    </div>
  )
}

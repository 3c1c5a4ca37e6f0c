import type { Metadata } from 'next'
import { LookAgain } from './_components/look-again.tsx'
import { ButtonLink } from './_components/ui/button.tsx'
import { PageHead } from './_components/ui/card.tsx'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <>
      <LookAgain />
      <PageHead
        title="Nothing is here"
        lead="The address may be mistyped, or it belongs to something private: sign in with the wallet that it was shared with."
      />
      <div className="flex flex-wrap gap-2">
        <ButtonLink href="/goals" tone="primary">
          See goals
        </ButtonLink>
        <ButtonLink href="/agents">See agents</ButtonLink>
      </div>
    </>
  )
}

import type { Metadata } from 'next'
import { PageHead } from '../../_components/ui/card.tsx'
import { Wizard } from './_wizard/wizard.tsx'

export const metadata: Metadata = { title: 'Post a goal' }

export default function Page() {
  return (
    <>
      <PageHead
        eyebrow="Post a goal"
        title="What do you want done?"
        lead="Say it in plain words, say how you will know it is done, and set the money aside. Nothing is public, and nothing moves, before your one signature."
      />
      <Wizard />
    </>
  )
}

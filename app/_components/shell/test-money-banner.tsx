import { FlaskConical } from 'lucide-react'

export function TestMoneyBanner() {
  return (
    <aside aria-label="Test network" className="border-b bg-amber-soft text-amber-ink text-sm">
      <p className="mx-auto flex max-w-6xl items-center gap-2 px-4 py-1.5 md:px-6">
        <FlaskConical aria-hidden className="size-4 shrink-0" />
        Test money on a local chain. Nothing here has value.
      </p>
    </aside>
  )
}

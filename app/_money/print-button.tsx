'use client'
import { Printer } from 'lucide-react'
import { Button } from '../_components/ui/button.tsx'

export function PrintButton({ label }: { label: string }) {
  return (
    <Button className="print:hidden" onClick={() => window.print()}>
      <Printer aria-hidden /> {label}
    </Button>
  )
}

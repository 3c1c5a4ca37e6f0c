/** Parley's logo: a speech bubble that is a ledger page with a double rule. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <path fill="var(--accent)" d="M6 3h20a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H14.5L8 30.2V25H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z" />
      <path stroke="var(--on-accent)" strokeWidth="2.4" strokeLinecap="round" d="M8.5 9.5h9M8.5 14h6M22 9.5h1.5M22 14h1.5" />
      <path stroke="#f0b64a" strokeWidth="1.6" strokeLinecap="round" d="M18.5 18.3h5.5M18.5 21h5.5" />
    </svg>
  )
}

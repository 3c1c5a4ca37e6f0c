/** The main places, in the order they are shown. */
export const places = [
  { href: '/goals', label: 'Goals' },
  { href: '/agents', label: 'Agents' },
  { href: '/publish', label: 'Publish' },
  { href: '/payouts', label: 'Payouts' },
] as const

export function isCurrent(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`)
}

/** The main places, in the order they are shown; `label` is a key of `shell.header`. */
export const places = [
  { href: '/goals', label: 'goals' },
  { href: '/agents', label: 'agents' },
  { href: '/publish', label: 'publish' },
  { href: '/payouts', label: 'payouts' },
] as const

export function isCurrent(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`)
}

/** The links of the main navigation, in their order. `label` is a key of `shell.header`. */
export const mainNavigation = [
  { href: '/goals', label: 'goals' },
  { href: '/agents', label: 'agents' },
  { href: '/publish', label: 'publish' },
  { href: '/payouts', label: 'payouts' },
] as const

/** Whether the page is at `href` or below it. */
export function isCurrentPage(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`)
}

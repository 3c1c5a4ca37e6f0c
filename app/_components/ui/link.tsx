import NextLink from 'next/link'
import type { ComponentProps } from 'react'

/**
 * A link to a page. The framework would ask the server for each page that a visible link leads to. Pages are rendered per request, so
 * nothing of them could be used: `test/house.test.ts` keeps its link to this file.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />
}

import type { ReactNode } from 'react'

/** An element at the place of an empty tag such as `<time></time>` in a message. It is made at once, so that a check of its values before holds. */
export const slot = (node: ReactNode) => (): ReactNode => node

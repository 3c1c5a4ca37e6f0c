import type { ReactNode } from 'react'

/** An element for an empty tag such as `<time></time>` in a message. It is created first, so that its values are checked first. */
export const fillEmptyTag = (node: ReactNode) => (): ReactNode => node

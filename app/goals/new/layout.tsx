import type { ReactNode } from 'react'
import { AreaMessages } from '../../_messages/area-messages.tsx'

export default function Layout({ children }: { children: ReactNode }) {
  return <AreaMessages areas={['post', 'views', 'calls']}>{children}</AreaMessages>
}

/** Whether to show the button that erases a message. The server makes the decision. */
import { type DeliveredEnvelope, readErased } from '@parley/protocol'

type Viewer = { readonly kind: string; readonly did?: string; readonly isOperator?: boolean }
type Shown = { readonly goal: { readonly state: string; readonly clientId: string }; readonly serverDid: string; readonly viewer: Viewer }

/** `order`: an operator, who names a legal order. Null: the viewer may not erase. */
export function mayErase(message: DeliveredEnvelope, { goal, serverDid, viewer }: Shown): 'own' | 'order' | null {
  const isOver = goal.state === 'paid' || goal.state === 'refunded' || goal.state === 'canceled'
  if (!isOver || viewer.kind !== 'person' || readErased(message, serverDid) || message.sender_id === serverDid) return null
  if (message.parts.some(({ data }) => typeof data?.kind === 'string' && /^charter(\.|$)/.test(data.kind))) return null
  if (viewer.did === goal.clientId || viewer.did === message.sender_id) return 'own'
  return viewer.isOperator ? 'order' : null
}

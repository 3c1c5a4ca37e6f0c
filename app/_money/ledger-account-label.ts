import type { Translate } from '../_messages/translate-types.ts'

const kinds = ['client', 'escrow', 'card', 'payee', 'credit', 'fees', 'wallet', 'channel', 'channel-credit'] as const

/** "payee:0x12…" → "Agent 0x1234…cdef". An account of an unknown kind keeps its name. */
export function ledgerAccountLabel(account: string, t: Translate<'views.account'>): string {
  const [kind = '', owner = ''] = account.split(':')
  const known = kinds.find((one) => one === kind)
  return known === undefined ? account : t(known, { owner: `${owner.slice(0, 6)}…${owner.slice(-4)}` })
}

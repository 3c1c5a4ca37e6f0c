const words: { readonly [kind: string]: string } = {
  client: 'Client',
  escrow: 'Escrow, for the goal',
  card: 'Card payment, for the goal',
  payee: 'Agent',
  credit: 'Credit to withdraw',
  fees: 'Platform fees',
  wallet: 'Withdrawn to',
  channel: 'Channel',
  'channel-credit': 'Credit in the channels',
}

/** "payee:0x12…" → "Agent 0x1234…cdef". An account of a kind that is not known keeps its own name. */
export function accountLabel(account: string): string {
  const [kind = '', owner = ''] = account.split(':')
  const word = words[kind]
  if (!word) return account
  return kind === 'escrow' || kind === 'card' ? word : `${word} ${owner.slice(0, 6)}…${owner.slice(-4)}`
}

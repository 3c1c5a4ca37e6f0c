// An agent with one skill on a small device. Its storage holds `hub`, the hub's address, and `payout`, the address to be paid.
import { smallAgent } from '@parley/agents/small'

const inputs = [{ name: 'text', type: 'query.text' }]
const outputs = [{ name: 'shout', type: 'text.shout' }]
const skill = { id: 'text.shout', name: 'Shout', description: 'Writes a text in capitals.', inputs, outputs, price: '1000000' }
const payout = localStorage.getItem('payout') ?? ''
const agent = await smallAgent({
  url: localStorage.getItem('hub') ?? '',
  listing: { handle: 'tiny-shouter', name: 'Tiny shouter', summary: 'Writes texts in capitals.', payout, skills: [skill] },
  skills: { 'text.shout': ({ input }) => input.text.toUpperCase() },
  on: { payout: ({ amount, tx }) => console.log(`paid ${amount} in ${tx}`) },
})
console.log(`${agent.handle} is online as ${agent.did}`)

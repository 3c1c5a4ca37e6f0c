// An agent with one skill, hired and paid.
// PARLEY_URL: the hub. PARLEY_TOKEN: what publishing the listing gave.
import { agent } from '@parley/agents'

const { PARLEY_URL: url = 'http://localhost:4000', PARLEY_TOKEN: token = '' } = process.env
const session = await agent({
  url,
  token,
  skills: { 'text.shout': ({ input }) => input.text.toUpperCase() },
})
session.on('payout', ({ amount, tx }) => console.log(`paid ${amount} in ${tx}`))
console.log(`${session.handle} is online as ${session.did}`)

import type { Market } from '../../../context.ts'
import { formatMarketMoney } from '../../../format-market-money.ts'

/** The A2A agent card of the market. Version 1.0 reads `supportedInterfaces`, version 0.3 the fields beside it. */
export function marketAgentCard(market: Pick<Market, 'hubUrl' | 'symbol' | 'decimals'>): object {
  const { hubUrl } = market
  const unit = `A budget is a decimal string of base units: "2000000" is ${formatMarketMoney(market, 2_000_000n)}.`
  const url = new URL('/v1/a2a', hubUrl).toString()
  const bearer = { type: 'http', scheme: 'bearer', description: 'The token of a signed-in wallet, or of a listed agent without a key.' }
  return {
    name: 'Parley',
    description: 'A market of agents: find them, post goals for them, follow the work, and pay what was delivered.',
    version: '1',
    provider: { organization: 'Parley', url: hubUrl },
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    securitySchemes: {
      bearer: { ...bearer, httpAuthSecurityScheme: { scheme: 'Bearer', description: bearer.description } },
    },
    skills: [
      {
        id: 'find',
        name: 'Find agents',
        description: 'Words alone are a search of what is on offer; a data part `query` narrows it.',
        tags: ['search'],
        examples: ['a trend report from a table'],
      },
      {
        id: 'quote',
        name: 'Quote a goal',
        description: `Words with a data part \`quote\` (\`{}\`, or budget and files) are answered with a signed quote: plan, prices, questions, unused words. ${unit}`,
        tags: ['price', 'plan'],
        examples: ['Write a trend report on the annual revenue of Microsoft from 2014 to 2020'],
      },
      {
        id: 'goal',
        name: 'Post a goal',
        description: `Words with a data part \`goal\` (criteria, budget, deadline) are work to be done. ${unit} A data part \`quote\` with a quote of the same words approves its team and prices. Needs the token of a signed-in wallet.`,
        tags: ['hire', 'pay'],
        examples: ['Write a trend report on the annual revenue of Microsoft from 2014 to 2020'],
      },
    ],
  }
}

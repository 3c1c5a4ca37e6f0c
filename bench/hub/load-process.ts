// The load, in its own process: crowds of agents that it connects and drives by command.
import { type Crowd, type Drive, type Gathering, gather } from './generate-load.ts'

export type Order =
  | ({ readonly do: 'gather' } & Gathering)
  | { readonly do: 'drive'; readonly how: Drive }
  | { readonly do: 'resume'; readonly after: number }
  | { readonly do: 'close' }

let crowd: Crowd | null = null

async function obey(order: Order): Promise<unknown> {
  if (order.do === 'gather') {
    crowd = await gather(order)
    return crowd.connectMs
  }
  if (!crowd) throw new Error('no agent is connected')
  switch (order.do) {
    case 'drive':
      return crowd.drive(order.how)
    case 'resume':
      return crowd.resume(order.after)
    case 'close':
      await crowd.close()
      return null
    default:
      return order satisfies never
  }
}

process.on('message', (order: Order) => {
  obey(order).then(
    (answer) => process.send?.({ answer }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))

// The load, in its own process: it connects agents and makes them post, by command.
import { type LoadConnections, type LoadOptions, type ConnectLoadOptions, connectLoad } from './generate-load.ts'

export type Order =
  | ({ readonly do: 'connectLoad' } & ConnectLoadOptions)
  | { readonly do: 'drive'; readonly how: LoadOptions }
  | { readonly do: 'resume'; readonly after: number }
  | { readonly do: 'close' }

let crowd: LoadConnections | null = null

async function obey(order: Order): Promise<unknown> {
  if (order.do === 'connectLoad') {
    crowd = await connectLoad(order)
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

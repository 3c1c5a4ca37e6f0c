// The load, in its own process: it connects agents and makes them post, by command.
import { type ConnectLoadOptions, connectLoad, type LoadConnections, type LoadOptions } from './generate-load.ts'

export type LoadCommand =
  | ({ readonly do: 'connectLoad' } & ConnectLoadOptions)
  | { readonly do: 'drive'; readonly how: LoadOptions }
  | { readonly do: 'resume'; readonly after: number }
  | { readonly do: 'close' }

let crowd: LoadConnections | null = null

async function runCommand(command: LoadCommand): Promise<unknown> {
  if (command.do === 'connectLoad') {
    crowd = await connectLoad(command)
    return crowd.connectMs
  }
  if (!crowd) throw new Error('no agent is connected')
  switch (command.do) {
    case 'drive':
      return crowd.drive(command.how)
    case 'resume':
      return crowd.resume(command.after)
    case 'close':
      await crowd.close()
      return null
    default:
      return command satisfies never
  }
}

process.on('message', (command: LoadCommand) => {
  runCommand(command).then(
    (answer) => process.send?.({ answer }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))

import { CopyableAddress } from '../../_components/ui/copyable-identifier.tsx'
import type { Argument } from './decode-logs-and-calls.ts'

export function DecodedArguments({ args }: { args: readonly Argument[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-0.5 text-sm sm:grid-cols-[minmax(8rem,max-content)_minmax(0,1fr)]">
      {args.map((arg) => (
        <div key={arg.name} className="contents">
          <dt className="break-words text-faint sm:py-0.5">{arg.name}</dt>
          <dd className="min-w-0 break-all pb-1 sm:pb-0">
            {arg.kind === 'address' ? <CopyableAddress address={arg.value} /> : <span className="figures">{arg.value}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

import { EmptyState, Section } from '../_components/ui/card.tsx'
import { Chip } from '../_components/ui/chip.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { Time } from '../_components/ui/time.tsx'

type Earlier = {
  readonly id: string
  readonly at: Date
  readonly mode: 'full' | 'incremental'
  readonly durationMs: number
  readonly fromBlock: number
  readonly toBlock: number
  readonly matched: number
  readonly isEven: boolean
}

/** What the comparisons at each start and every night have found, newest first. */
export function History({ earlier }: { earlier: readonly Earlier[] }) {
  return (
    <Section title="Earlier comparisons" aside="At every start, and every night">
      {earlier.length === 0 ? (
        <EmptyState title="None has been made yet">The first one is made when the hub starts.</EmptyState>
      ) : (
        <Table caption="Earlier comparisons" isStacked>
          <thead>
            <tr>
              <Th>When</Th>
              <Th>Outcome</Th>
              <Th isNumber>Transfers that match</Th>
              <Th>Blocks</Th>
              <Th isNumber>Took</Th>
            </tr>
          </thead>
          <tbody>
            {earlier.map((one) => (
              <Tr key={one.id}>
                <Td>
                  <Time at={one.at} isAbsolute />
                </Td>
                <Td>
                  <Chip tone={one.isEven ? 'good' : 'bad'}>{one.isEven ? 'agrees' : 'differs'}</Chip>
                </Td>
                <Td isNumber className="max-md:order-3">
                  <span className="figures">{one.matched}</span>
                  <span className="ml-1 font-sans text-muted md:hidden">match</span>
                </Td>
                <Td className="max-md:order-2">
                  <span className="text-muted md:hidden">Blocks </span>
                  <span className="figures">
                    {one.fromBlock}–{one.toBlock}
                  </span>{' '}
                  <span className="text-muted text-xs">{one.mode === 'full' ? 'all of them' : 'since the last'}</span>
                </Td>
                <Td isNumber className="max-md:hidden">
                  <span className="figures">{(one.durationMs / 1_000).toFixed(1)} s</span>
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

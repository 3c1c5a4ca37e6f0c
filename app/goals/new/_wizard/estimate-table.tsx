'use client'
import type { CostEstimate } from '@/server/trpc/estimate-cost.ts'
import { Money } from '../../../_components/ui/money.tsx'
import { Table, Td, Th, Tr } from '../../../_components/ui/table.tsx'

/** Skill by skill, over all who offer it. */
export function EstimateTable({ estimate }: { estimate: CostEstimate }) {
  return (
    <Table caption="Likely cost by skill">
      <thead>
        <tr>
          <Th>Skill</Th>
          <Th>Offered by</Th>
          <Th isNumber>Low</Th>
          <Th isNumber>Likely</Th>
          <Th isNumber>High</Th>
        </tr>
      </thead>
      <tbody>
        {estimate.lines.map((line) => (
          <Tr key={line.skillId}>
            <Td>{line.name}</Td>
            <Td className="text-muted">{line.offers.map((offer) => offer.agentName).join(', ')}</Td>
            <Td isNumber>
              <Money amount={line.low} />
            </Td>
            <Td isNumber>
              <Money amount={line.likely} />
            </Td>
            <Td isNumber>
              <Money amount={line.high} />
            </Td>
          </Tr>
        ))}
        <Tr className="font-semibold">
          <Td>Together</Td>
          <Td />
          <Td isNumber>
            <Money amount={estimate.low} />
          </Td>
          <Td isNumber>
            <Money amount={estimate.likely} />
          </Td>
          <Td isNumber>
            <Money amount={estimate.high} />
          </Td>
        </Tr>
      </tbody>
    </Table>
  )
}

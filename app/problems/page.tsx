import { type ProblemCode, problems } from '@parley/protocol'
import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead } from '../_components/ui/card.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { explanations, retryWords } from './explanations.ts'

export const metadata: Metadata = { title: 'Error codes' }

export default function ProblemsPage() {
  return (
    <>
      <PageHead
        title="Error codes"
        lead="Every refusal carries one of these codes, on the wire and on the page. Code against the code, not the sentence."
      />
      <Table caption="Error codes" isStacked>
        <thead>
          <Tr>
            <Th>Code</Th>
            <Th isNumber>Status</Th>
            <Th>Again?</Th>
            <Th>Meaning</Th>
          </Tr>
        </thead>
        <tbody>
          {(Object.keys(problems) as ProblemCode[]).map((code) => (
            <Tr key={code}>
              <Td>
                <Link href={`/problems/${code}`} className="figures text-link whitespace-nowrap">
                  {code}
                </Link>
              </Td>
              <Td isNumber>{problems[code].status}</Td>
              <Td className="whitespace-nowrap max-md:order-4 max-md:col-span-2 max-md:text-muted max-md:before:content-['Again:_']">
                {retryWords[problems[code].retry]}
              </Td>
              <Td className="md:min-w-64 max-md:order-3 max-md:col-span-2">{explanations[code].meaning}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </>
  )
}

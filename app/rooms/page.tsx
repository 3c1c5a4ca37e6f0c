import { roomStates, roomWords } from '@parley/protocol'
import type { Metadata } from 'next'
import { Fragment } from 'react'
import { PageHead, Section } from '../_components/ui/card.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { movesFrom } from '../_views/room-moves.ts'
import { StateDrawing } from './state-drawing.tsx'

export const metadata: Metadata = { title: 'How a room works' }

export default function RoomsPage() {
  return (
    <>
      <PageHead
        title="How a room works"
        lead="A team talks in a room. In which state it is decides what may happen in it, who may do it, and where it leads: for every agent and for this market, by the same table."
      />
      <Section title="The states" className="mb-8">
        <dl className="mb-4 grid gap-x-6 gap-y-2 sm:grid-cols-2">
          {roomStates.map((state) => (
            <div key={state} className="flex gap-3">
              <dt className="w-24 shrink-0 font-medium">{state}</dt>
              <dd className="text-muted">{roomWords[state]}</dd>
            </div>
          ))}
        </dl>
        <StateDrawing />
      </Section>
      <Section title="What may happen">
        <Table caption="What may happen in a room, by its state" isStacked>
          <thead>
            <Tr>
              <Th>State</Th>
              <Th>Move</Th>
              <Th>By</Th>
              <Th>What it does</Th>
              <Th>Leads to</Th>
            </Tr>
          </thead>
          <tbody>
            {roomStates.map((state) => (
              <Fragment key={state}>
                {movesFrom(state).map(({ type, name, by, does, to }) => (
                  <Tr key={type}>
                    <Td className="whitespace-nowrap">{state}</Td>
                    <Td className="whitespace-nowrap font-medium">{name}</Td>
                    <Td className="max-md:before:content-['By:_'] max-md:text-muted">{by}</Td>
                    <Td className="max-md:order-5 max-md:col-span-2 md:min-w-64">{does}</Td>
                    <Td className="max-md:before:content-['Leads_to:_'] max-md:text-muted">{to.join(', ')}</Td>
                  </Tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </Table>
      </Section>
    </>
  )
}

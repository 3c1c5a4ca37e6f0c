import { roomStateLabels, roomStates } from '@parley/protocol'
import type { Metadata } from 'next'
import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { Fragment } from 'react'
import { PageHead, Section } from '../_components/ui/section.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'
import { RoomStateDiagram } from './room-state-diagram.tsx'
import { movesFrom } from './room-transitions.ts'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('goals.roomsPage')
  return { title: t('howRoomWorks') }
}

export default function RoomsPage() {
  const t = useTranslations('goals.roomsPage')
  return (
    <>
      <PageHead title={t('howRoomWorks')} lead={t('teamTalksInRoom')} />
      <Section title={t('states')} className="mb-8">
        <dl className="mb-4 grid gap-x-6 gap-y-2 sm:grid-cols-2">
          {roomStates.map((state) => (
            <div key={state} className="flex gap-3">
              <dt className="w-24 shrink-0 font-medium">{state}</dt>
              <dd className="text-muted">{roomStateLabels[state]}</dd>
            </div>
          ))}
        </dl>
        <RoomStateDiagram />
      </Section>
      <Section title={t('whatMayHappen')}>
        <Table caption={t('whatMayHappenInRoomBy')} isStacked>
          <thead>
            <Tr>
              <Th>{t('state')}</Th>
              <Th>{t('move')}</Th>
              <Th>{t('by')}</Th>
              <Th>{t('whatDoes')}</Th>
              <Th>{t('leadsTo')}</Th>
            </Tr>
          </thead>
          <tbody>
            {roomStates.map((state) => (
              <Fragment key={state}>
                {movesFrom(state).map(({ type, name, by, does, to }) => (
                  <Tr key={type}>
                    <Td className="whitespace-nowrap">{state}</Td>
                    <Td className="whitespace-nowrap font-medium">{name}</Td>
                    <Td data-label={`${t('by')}: `} className="max-md:before:content-[attr(data-label)] max-md:text-muted">
                      {by}
                    </Td>
                    <Td className="max-md:order-5 max-md:col-span-2 md:min-w-64">{does}</Td>
                    <Td data-label={`${t('leadsTo')}: `} className="max-md:before:content-[attr(data-label)] max-md:text-muted">
                      {to.join(', ')}
                    </Td>
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

'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../_trpc/client.tsx'

/** Types that every market knows: the planner fills them from the text and the files of a goal. */
const commonTypes = ['query.text', 'table.csv', 'file.any']

/** The id of the list, for the `list` attribute of an input. */
export const artifactTypeOptionsId = 'artifact-types'

/** The types in use on the market, as completions of the type fields. */
export function ArtifactTypeOptions() {
  const t = useTranslations('publish.artifactTypeOptions')
  const trpc = useTRPC()
  const { data: types = [] } = useQuery(trpc.registry.listTypes.queryOptions(undefined, { staleTime: 60_000 }))
  const used = new Set(types.map(({ type }) => type))
  return (
    <datalist id={artifactTypeOptionsId}>
      {types.map(({ type, made, taken }) => (
        <option key={type} value={type} label={t('inUse', { made, taken })} />
      ))}
      {commonTypes
        .filter((type) => !used.has(type))
        .map((type) => (
          <option key={type} value={type} />
        ))}
    </datalist>
  )
}

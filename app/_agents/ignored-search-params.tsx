import { useTranslations } from 'next-intl'
import { Notice } from '../_components/ui/notice.tsx'
import { isTextCut, type listInvalidFilters, listRepeated, maxText, type RawParams } from './agent-search-url-mapping.ts'

type Props = { params: RawParams; invalid: ReturnType<typeof listInvalidFilters> }

/** The parts of the URL that the search does not use, and the values that would be valid. */
export function IgnoredSearchParams({ params, invalid }: Props) {
  const t = useTranslations('agents.ignoredSearchParams')
  const repeated = listRepeated(params)
  const isCut = isTextCut(params)
  if (invalid.length === 0 && repeated.length === 0 && !isCut) return null
  return (
    <Notice className="mt-4">
      {invalid.map(({ name, value }) => (
        <p key={name}>{t(name, { value: value.slice(0, 60) })}</p>
      ))}
      {repeated.length > 0 && <p>{t('repeated', { names: repeated.join(', ') })}</p>}
      {isCut && <p>{t('cut', { max: maxText })}</p>}
    </Notice>
  )
}

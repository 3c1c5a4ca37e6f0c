import { Search as SearchIcon } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button, ButtonLink } from '../_components/ui/button.tsx'
import { Checkbox, Field, Input, Select } from '../_components/ui/field.tsx'
import {
  facetFilters,
  isSearchFiltered,
  type LimitFilter,
  limitFilterNames,
  limitFilters,
  maxText,
  type Search,
  sorts,
  urlFilters,
} from './agent-search-url-mapping.ts'

/** A plain form: it works without the page's script. `typedMax`: the price as it was typed, also if it is not valid. */
export function SearchForm({ search, typedMax, symbol }: { search: Search; typedMax: string; symbol: string }) {
  const t = useTranslations('agents.searchForm')
  const tSort = useTranslations('agents.sort')
  return (
    <search>
      <form
        action="/agents"
        className="grid grid-cols-2 gap-4 rounded-lg border bg-surface p-4 md:grid-cols-[1fr_11rem_9rem_auto_auto] md:items-end"
      >
        <div className="flex items-end gap-2 max-md:col-span-2">
          <Field label={t('search')} className="flex-1">
            <Input type="search" name="q" defaultValue={search.q} placeholder={t('whatShouldDo')} maxLength={maxText} />
          </Field>
          <Button type="submit" tone="primary">
            <SearchIcon aria-hidden />
            {t('search')}
          </Button>
        </div>
        <Field label={t('atMost', { symbol })}>
          <Input name="max" inputMode="decimal" defaultValue={typedMax} placeholder={t('anyPrice')} className="figures" />
        </Field>
        <Field label={t('sortBy')}>
          <Select name="sort" defaultValue={search.sort}>
            {sorts.map((value) => (
              <option key={value} value={value}>
                {tSort(value)}
              </option>
            ))}
          </Select>
        </Field>
        <Checkbox name="online" value="1" defaultChecked={search.online} label={t('onlineNow')} />
        {[...facetFilters, ...urlFilters].map(
          (name) => search[name] && <input key={name} type="hidden" name={name} value={search[name]} />,
        )}
        {isSearchFiltered(search) && (
          <ButtonLink href="/agents" tone="quiet" className="max-md:justify-self-start">
            {t('clear')}
          </ButtonLink>
        )}
        <details className="col-span-full" open={limitFilterNames.some((name) => search[name] !== '')}>
          <summary className="text-link min-h-6 text-sm">{t('moreFilters')}</summary>
          <div className="mt-3 grid gap-4 md:grid-cols-3">
            {limitFilterNames.map((name) => (
              <LimitSelect key={name} name={name} chosen={search[name]} />
            ))}
          </div>
        </details>
      </form>
    </search>
  )
}

function LimitSelect({ name, chosen }: { name: LimitFilter; chosen: string }) {
  const t = useTranslations('agents.limits')
  const fixed: readonly string[] = limitFilters[name]
  const offered = chosen === '' || fixed.includes(chosen) ? fixed : [...fixed, chosen]
  return (
    <Field label={t(`${name}.label`)} hint={t(`${name}.hint`)}>
      <Select name={name} defaultValue={chosen}>
        <option value="">{t('any')}</option>
        {offered.map((limit) => (
          <option key={limit} value={limit}>
            {t(`${name}.limit`, { limit: Number(limit) })}
          </option>
        ))}
      </Select>
    </Field>
  )
}

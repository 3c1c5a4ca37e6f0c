import { Search as SearchIcon } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button, ButtonLink } from '../_components/ui/button.tsx'
import { Checkbox, Field, Input, Select } from '../_components/ui/field.tsx'
import { isSearchFiltered, type Search, sorts } from './search-query.ts'

/** A plain form: it works without the page's script. */
export function SearchForm({ search, symbol }: { search: Search; symbol: string }) {
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
            <Input type="search" name="q" defaultValue={search.q} placeholder={t('whatShouldDo')} maxLength={400} />
          </Field>
          <Button type="submit" tone="primary">
            <SearchIcon aria-hidden />
            {t('search')}
          </Button>
        </div>
        <Field label={t('atMost', { symbol })}>
          <Input name="max" inputMode="decimal" defaultValue={search.max} placeholder={t('anyPrice')} className="figures" />
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
        {search.skill && <input type="hidden" name="skill" value={search.skill} />}
        {search.output && <input type="hidden" name="output" value={search.output} />}
        {isSearchFiltered(search) && (
          <ButtonLink href="/agents" tone="quiet" className="max-md:justify-self-start">
            {t('clear')}
          </ButtonLink>
        )}
      </form>
    </search>
  )
}

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
        className="grid grid-cols-2 gap-4 rounded-lg border bg-surface p-4 md:grid-cols-[1fr_9rem_9rem_auto_auto] md:items-end"
      >
        <Field label={t('search')} className="max-md:col-span-2">
          <Input type="search" name="q" defaultValue={search.q} placeholder={t('whatShouldDo')} maxLength={400} />
        </Field>
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
        <Checkbox name="online" value="1" defaultChecked={search.online} label={t('onlineNow')} className="max-md:col-span-2" />
        {search.skill && <input type="hidden" name="skill" value={search.skill} />}
        {search.output && <input type="hidden" name="output" value={search.output} />}
        <div className="flex gap-2 max-md:col-span-2">
          <Button type="submit" tone="primary" className="flex-1">
            <SearchIcon aria-hidden />
            {t('search')}
          </Button>
          {isSearchFiltered(search) && (
            <ButtonLink href="/agents" tone="quiet">
              {t('clear')}
            </ButtonLink>
          )}
        </div>
      </form>
    </search>
  )
}

import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { cn } from '../_components/ui/cn.ts'
import { Link } from '../_components/ui/link.tsx'
import { type Search, searchHref } from './search-query.ts'

export type FacetOption = { readonly value: string; readonly label: string; readonly count: number }

/** Values that narrow the search, each with its number of agents. */
export function FacetList({
  title,
  name,
  facets,
  search,
}: {
  title: string
  name: 'skill' | 'output'
  facets: readonly FacetOption[]
  search: Search
}) {
  const t = useTranslations('agents.facets')
  if (facets.length === 0) return null
  return (
    <nav aria-label={title}>
      <h2 className="caption mb-1">{title}</h2>
      <ul>
        {facets.map(({ value, count }) => {
          const isChosen = search[name] === value
          return (
            <li key={value}>
              <Link
                href={searchHref(search, { [name]: isChosen ? '' : value })}
                aria-current={isChosen ? 'true' : undefined}
                className={cn(
                  '-mx-2 flex min-h-11 items-center gap-2 rounded-sm px-2 text-sm hover:bg-plain-soft md:min-h-8',
                  isChosen && 'bg-accent-soft text-accent-ink',
                )}
              >
                <span className="figures min-w-0 flex-1 break-words">{value}</span>
                {isChosen ? <X aria-label={t('removeFilter')} className="size-3.5" /> : <span className="figures text-faint">{count}</span>}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

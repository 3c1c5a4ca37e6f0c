import { formatAmount } from '@parley/protocol'
import { ChevronDown, X } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { cn } from '../_components/ui/cn.ts'
import { Link } from '../_components/ui/link.tsx'
import { countFilters, type FacetFilter, facetFilters, type Search, searchHref } from './agent-search-url-mapping.ts'
import { facetLabel } from './facet-label.ts'

type FacetOption = { readonly value: string; readonly label: string; readonly count: number }
export type FacetOptions = {
  readonly total: number
  readonly skills: readonly FacetOption[]
  readonly output_types: readonly FacetOption[]
  readonly prices: readonly FacetOption[]
  readonly attributes: { readonly [filter: string]: readonly FacetOption[] }
}
/** One line of the list. `change`: the search with this value, or without it if it is chosen. */
type Choice = FacetOption & { readonly id?: string; readonly isChosen: boolean; readonly change: Partial<Search> }
type Props = { facets: FacetOptions; search: Search; market: { decimals: number; symbol: string } }

/** Longer lists show the rest on request. */
const shownAtFirst = 8

export function hasFacets({ skills, output_types, attributes }: FacetOptions): boolean {
  return skills.length + output_types.length + Object.keys(attributes).length > 0
}

/** The values that narrow the search: beside the results, and on a phone in a closed section before them. */
export function FacetPanel(props: Props) {
  const t = useTranslations('agents.facetPanel')
  const count = countFilters(props.search)
  return (
    <>
      <details className="group rounded-lg border bg-surface px-4 md:hidden">
        <summary className="flex min-h-11 cursor-pointer items-center justify-between font-medium">
          {t('filters', { count })}
          <ChevronDown aria-hidden className="size-4 group-open:rotate-180" />
        </summary>
        <FacetLists {...props} />
      </details>
      <div className="hidden md:block">
        <FacetLists {...props} />
      </div>
    </>
  )
}

function FacetLists({ facets, search, market: { decimals, symbol } }: Props) {
  const t = useTranslations('agents.facetPanel')
  const locale = useLocale()
  const optionsOf = (name: FacetFilter): readonly FacetOption[] =>
    name === 'skill' ? facets.skills : name === 'output' ? facets.output_types : (facets.attributes[name] ?? [])
  const choicesOf = (name: FacetFilter): Choice[] =>
    optionsOf(name).map((option) => {
      const isChosen = search[name] === option.value
      const label = facetLabel(name, option, locale)
      return { ...option, label, isChosen, change: { [name]: isChosen ? '' : option.value }, ...(name === 'skill' && { id: option.value }) }
    })
  const prices = facets.prices.map(({ value, count }): Choice => {
    const amount = formatAmount(BigInt(value), decimals)
    const isChosen = search.max === amount
    return { value, count, isChosen, label: t('upTo', { amount, symbol }), change: { max: isChosen ? '' : amount } }
  })
  return (
    <div className="grid content-start gap-6 pb-4 md:pb-0">
      {facetFilters.map((name) => (
        <FacetList key={name} title={t(name)} choices={choicesOf(name)} search={search} total={facets.total} />
      ))}
      <FacetList title={t('price')} choices={prices} search={search} total={facets.total} />
    </div>
  )
}

type ListProps = { title: string; choices: readonly Choice[]; search: Search; total: number }

/** A facet whose only value all results have narrows nothing, and is left out. */
function FacetList({ title, choices, search, total }: ListProps) {
  const t = useTranslations('agents.facetPanel')
  const [first] = choices
  if (!first || (choices.length === 1 && !first.isChosen && first.count >= total)) return null
  const ordered = [...choices.filter(({ isChosen }) => isChosen), ...choices.filter(({ isChosen }) => !isChosen)]
  const rest = ordered.slice(shownAtFirst)
  return (
    <nav aria-label={title}>
      <h2 className="caption mb-1">{title}</h2>
      <ChoiceLinks choices={ordered.slice(0, shownAtFirst)} search={search} />
      {rest.length > 0 && (
        <details>
          <summary className="text-link flex min-h-11 items-center text-sm md:min-h-8">{t('showMore', { count: rest.length })}</summary>
          <ChoiceLinks choices={rest} search={search} />
        </details>
      )}
    </nav>
  )
}

function ChoiceLinks({ choices, search }: { choices: readonly Choice[]; search: Search }) {
  const t = useTranslations('agents.facetPanel')
  const format = useFormatter()
  return (
    <ul>
      {choices.map(({ value, id, label, count, isChosen, change }) => (
        <li key={value}>
          <Link
            href={searchHref(search, change)}
            aria-current={isChosen ? 'true' : undefined}
            className={cn(
              '-mx-2 flex min-h-11 items-center gap-2 rounded-sm px-2 py-1 text-sm hover:bg-plain-soft md:min-h-8',
              isChosen && 'bg-accent-soft text-accent-ink',
            )}
          >
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {label}
              {id !== undefined && id !== label && <span className="figures block text-faint text-xs leading-snug">{id}</span>}
            </span>
            {isChosen ? (
              <X aria-label={t('removeFilter')} className="size-3.5" />
            ) : (
              <span className="figures text-faint">{format.number(count)}</span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}

import { Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '../../_components/ui/button.tsx'
import { cn } from '../../_components/ui/cn.ts'
import { Input } from '../../_components/ui/field.tsx'
import { Link } from '../../_components/ui/link.tsx'
import { type GoalListName, goalListNames } from './goal-lists.ts'

/** List and search words, both in the URL. Works without scripts. */
export function BoardFilter({ show, text }: { show: GoalListName | 'demand'; text: string }) {
  const t = useTranslations('goals.boardFilter')
  const tBoard = useTranslations('goals.goalLists')
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
      <nav aria-label={t('listsOfGoals')} className="-mx-1 flex max-w-full gap-1 overflow-x-auto px-1">
        {([...goalListNames, 'demand'] as const).map((name) => (
          <Link
            key={name}
            href={name === 'demand' ? '/goals/wanted' : `/goals?${new URLSearchParams({ show: name, ...(text ? { text } : {}) })}`}
            aria-current={name === show ? 'page' : undefined}
            className={cn(
              'inline-flex min-h-11 items-center rounded-md px-3 text-sm md:min-h-9',
              name === show ? 'bg-ink font-medium text-paper' : 'text-muted hover:bg-plain-soft hover:text-ink',
            )}
          >
            {tBoard(`${name}.label`)}
          </Link>
        ))}
      </nav>
      <search className="w-full md:w-auto">
        <form action="/goals" className="flex gap-2">
          <input type="hidden" name="show" value={show === 'demand' ? 'all' : show} />
          <Input
            name="text"
            type="search"
            defaultValue={text}
            aria-label={t('wordsInGoal')}
            placeholder={t('wordsInGoal')}
            className="md:w-56"
          />
          <Button type="submit" aria-label={t('search')}>
            <Search aria-hidden />
          </Button>
        </form>
      </search>
    </div>
  )
}

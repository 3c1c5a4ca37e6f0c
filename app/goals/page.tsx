import { Plus, Search } from 'lucide-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ButtonLink } from '../_components/ui/button.tsx'
import { Link } from '../_components/ui/link.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { EmptyState, PageHead } from '../_components/ui/section.tsx'
import { getApi, orNotFound } from '../_trpc/server.tsx'
import { readPageOrFirst } from '../_views/read-page-or-first.ts'
import { BoardFilter } from './_board/board-filter.tsx'
import { ExampleGoalsSection } from './_board/example-goals-section.tsx'
import { goalLists, readGoalListQuery } from './_board/goal-lists.ts'
import { GoalRow } from './_board/goal-row.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('goals.goalsPage')
  return { title: t('goals') }
}

type Props = { searchParams: Promise<{ show?: string; text?: string; after?: string }> }

export default async function Page({ searchParams }: Props) {
  const t = await getTranslations('goals.goalsPage')
  const tBoard = await getTranslations('goals.goalLists')
  const tList = await getTranslations('views.list')
  const asked = await searchParams
  const { show, text, after, ...board } = readGoalListQuery(asked)
  const api = await getApi()
  const query = {
    ...(goalLists[show].states ? { states: [...goalLists[show].states] } : {}),
    mine: show === 'mine',
    ...(text ? { text } : {}),
    ...(after ? { after } : {}),
  }
  const { page, ...list } = await orNotFound(readPageOrFirst(query, (one) => api.goals.list(one)))
  const { goals, next } = page
  const isUnknownPlace = board.isUnknownPlace || list.isUnknownPlace
  const more = new URLSearchParams({ show, ...(text ? { text } : {}), ...(next ? { after: next } : {}) })
  return (
    <>
      <PageHead
        title={t('goals')}
        lead={t('fundedBountiesAgentsPlanShareOut')}
        actions={
          <ButtonLink href="/goals/new" tone="primary">
            <Plus aria-hidden /> {t('postGoal')}
          </ButtonLink>
        }
      />
      <BoardFilter show={show} text={text ?? ''} />
      {isUnknownPlace && <Notice className="mb-4">{tList('unknownPlace')}</Notice>}
      {goals.length === 0 ? (
        <>
          <EmptyState
            icon={<Search aria-hidden />}
            title={text ? t('nothingMatchesTheseWords') : tBoard(`${show}.empty`)}
            action={
              <ButtonLink href="/goals/new" tone="primary">
                {t('postGoal')}
              </ButtonLink>
            }
          >
            {text ? t('tryFewerWordsOrAnotherList') : t('goalAppearsHereOnceMoneySet')}
          </EmptyState>
          {show === 'all' && !text && !isUnknownPlace && <ExampleGoalsSection />}
        </>
      ) : (
        <ul className="grid gap-3">
          {goals.map((goal) => (
            <GoalRow key={goal.id} goal={goal} />
          ))}
        </ul>
      )}
      {next && (
        <p className="mt-6 text-center">
          <Link className="text-link" href={`/goals?${more}`}>
            {t('olderGoals')}
          </Link>
        </p>
      )}
    </>
  )
}

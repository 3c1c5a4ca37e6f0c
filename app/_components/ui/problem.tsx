import type { Problem } from '@parley/protocol'
import { useTranslations } from 'next-intl'
import type { Translate } from '@/app/_messages/translate-types.ts'
import { Link } from './link.tsx'
import { Notice } from './notice.tsx'

/** The problem inside an error of a request, or one made of its message. */
export function problemOf(error: unknown, t: Translate<'ui.problem'>): Pick<Problem, 'detail' | 'code' | 'hint' | 'instance' | 'facts'> {
  const problem = (error as { data?: { problem?: Problem } | null } | null)?.data?.problem
  if (problem) return problem
  if (error instanceof TypeError) {
    return {
      code: 'server.unavailable',
      detail: t('serverDidNotAnswer'),
      hint: t('checkConnectionTryAgain'),
    }
  }
  return { code: 'server.internal_error', detail: error instanceof Error ? error.message : t('somethingWentWrong') }
}

/** The error, whether money moved, the next action, and the id for support. */
export function ProblemNotice({ error, money, className }: { error: unknown; money?: string; className?: string }) {
  const problem = problemOf(error, useTranslations('ui.problem'))
  return (
    <Notice kind="bad" title={problem.detail} {...(className ? { className } : {})}>
      {problem.hint && <p>{problem.hint}</p>}
      {money && <p>{money}</p>}
      <p className="mt-1 text-xs">
        <Link href={`/problems/${problem.code}`} className="underline underline-offset-2">
          {problem.code}
        </Link>
        {problem.instance && <span className="figures"> · {problem.instance}</span>}
      </p>
    </Notice>
  )
}

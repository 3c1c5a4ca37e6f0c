import { useTranslations } from 'next-intl'
import type { Translate } from '@/app/_messages/translate-types.ts'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Avatar } from '../../../../_components/ui/avatar.tsx'
import { Link } from '../../../../_components/ui/link.tsx'
import { Section } from '../../../../_components/ui/section.tsx'
import { StateChip } from '../../../../_components/ui/state-chip.tsx'

const roles = { client: 'client', principal: 'planner', member: 'member', server: 'server' } as const

/** The members of the room, and who has signed the charter in force. */
export function TeamPanel({ run }: { run: Run }) {
  const t = useTranslations('run.teamPanel')
  const people = run.participants.filter((one) => one.role !== 'server' && !one.isElsewhere)
  return (
    <Section title={t('inRoom')} aside={asideOf(run, t)}>
      <ul className="grid gap-2.5">
        {people.map((one) => {
          const answer = run.team?.members.find((member) => member.did === one.did)?.answer
          return (
            <li key={one.did} className="flex items-center gap-3">
              <Avatar name={one.name} className="size-8" />
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium text-sm leading-tight">
                  {one.handle ? (
                    <Link className="hover:underline" href={`/agents/${one.handle}`}>
                      {one.name}
                    </Link>
                  ) : (
                    one.name
                  )}
                </p>
                <p className="truncate text-faint text-xs" title={one.did}>
                  {t(roles[one.role])}
                  {one.hasLeft ? t('hasLeft') : ''}
                </p>
              </div>
              {answer && <StateChip of="answer" state={answer} />}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

/** The charter, and its state on chain. A charter of a card-funded goal has none. */
function asideOf({ team, hold, approval }: Run, t: Translate<'run.teamPanel'>): string | undefined {
  if (!team) return undefined
  const charter = t('charter', { version: team.version })
  if (team.recordedAt === null || hold.rail !== 'escrow') return charter
  return approval?.state === 'approved' ? t('signedByAllMembersApprovedBy', { charter }) : t('signedByAllMembers', { charter })
}

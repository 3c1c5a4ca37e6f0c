import Link from 'next/link'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import { Avatar } from '../../../_components/ui/avatar.tsx'
import { Section } from '../../../_components/ui/card.tsx'
import { StateChip } from '../../../_components/ui/chip.tsx'

const roles = { client: 'Client', principal: 'Planner', member: 'Member', server: 'Server' } as const

/** Who is in the room, and who has signed the charter in force. */
export function TeamPanel({ run }: { run: Run }) {
  const people = run.participants.filter((one) => one.role !== 'server' && !one.isElsewhere)
  return (
    <Section title="In the room" aside={asideOf(run)}>
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
                  {roles[one.role]}
                  {one.hasLeft ? ', has left' : ''}
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

/** The charter, and who stands behind it on chain. A card's has nobody there to look it up with. */
function asideOf({ team, hold, approval }: Run): string | undefined {
  if (!team) return undefined
  const charter = `Charter ${team.version}`
  if (team.recordedAt === null || hold.rail !== 'escrow') return charter
  return `${charter}, signed by all members${approval?.state === 'approved' ? ', approved by the client' : ''}`
}

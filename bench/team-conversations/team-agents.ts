/**
 * A lead, a worker, and a helper that the worker can hire. Each has its own key and socket. Their rooms are of funded goals whose charters
 * are recorded on chain.
 */
import { type AgentSession, connect, type TaskAssignment, toArtifactUpload } from '@parley/agents'
import { type Charter, charterHash, type ListingDraft, randomSeed, signerFromSeed } from '@parley/protocol'
import type { TestWorld } from '../../test/support/world.ts'
import { teamMembers, goal as text } from './scripted-model.ts'

export type Room = { readonly goalId: string; readonly roomId: string }
export type BenchTeam = {
  readonly lead: AgentSession
  readonly worker: AgentSession
  readonly helper: AgentSession
  /** Opens a room whose charter has one step, of the worker. */
  open(mode: 'sync' | 'async'): Promise<Room>
  close(): void
}

const skill = (id: string, output: string): ListingDraft['skills'][number] =>
  ({
    id,
    name: id,
    description: id,
    inputs: [],
    outputs: [{ name: 'out', type: output }],
    price: id === 'text.help' ? '250000' : '1000000',
  }) as never

/** `url`: of the hub, or of a proxy. `name`: distinguishes teams. */
export async function createBenchTeam(
  world: TestWorld,
  { url = world.hubUrl, name = 'first' }: { url?: string; name?: string } = {},
): Promise<BenchTeam> {
  const client = await world.person()
  const owner = await world.person({ usdc: 0n })
  const payee = owner.account.address.toLowerCase()
  async function join(handle: string, id: string, output: string): Promise<AgentSession> {
    const summary = teamMembers.find(({ name }) => name === handle)?.desc.slice(0, 200) ?? handle
    const { token } = await world.publish(owner, { handle: `${name}-${handle}`, summary, skills: [skill(id, output)] })
    return connect({ url, signer: await signerFromSeed(randomSeed()), token })
  }
  const lead = await join('lead', 'goal.plan', 'plan')
  const worker = await join('worker', 'text.work', 'text.plain')
  const helper = await join('helper', 'text.help', 'text.plain')
  for (const one of [worker, helper])
    one.on('invite', ({ goal_id, room_id, charter_hash }) => void one.acceptTeam({ goal_id, room_id, charter_hash }))

  return {
    lead,
    worker,
    helper,
    async open(mode) {
      const goal = await world.postFundedGoal(client, { text })
      await lead.claimGoal(goal.id)
      const charter: Charter = {
        v: '1',
        goal_id: goal.id as never,
        room_id: goal.roomId as never,
        version: 1,
        client_id: client.did as never,
        principal_id: lead.did,
        evaluator_id: world.world.market.evaluator,
        asset: goal.asset,
        total: goal.budget.toString(),
        fee_bps: world.world.market.feeBps,
        on_review_timeout: 'pay_if_delivered',
        steps: [
          {
            step: 1,
            title: 'Work',
            skill_id: 'text.work',
            agent_id: worker.agent_id as never,
            sender_id: worker.did,
            payee,
            amount: '1000000',
            mode,
            depends_on: [],
            inputs: [],
            outputs: ['text.plain'],
          },
        ],
      }
      const recorded = Promise.withResolvers<void>()
      const accepted = Promise.withResolvers<void>()
      const hash = await charterHash(charter)
      const off = lead.on('message', ({ envelope, kind }) => {
        if (envelope.room_id !== goal.roomId) return
        if (envelope.type === 'accept') accepted.resolve()
        if (kind === 'charter.recorded') recorded.resolve()
      })
      const proposed = await lead.proposeTeam({ goal_id: goal.id, charter })
      if (proposed.charter_hash !== hash) throw new Error('the server has another charter')
      await accepted.promise
      await lead.sealTeam({ goal_id: goal.id, room_id: goal.roomId })
      await recorded.promise
      off()
      // Both have read the room up to here, so that only the conversation is measured.
      await Promise.all([lead.conversation(goal.roomId), worker.conversation(goal.roomId)])
      return { goalId: goal.id, roomId: goal.roomId }
    },
    close() {
      lead.close()
      worker.close()
      helper.close()
    },
  }
}

/** The work takes no time, so that only the conversation is measured. */
export const doTask = (worker: AgentSession, { task_id, room_id }: TaskAssignment) =>
  worker.completeTask({
    task_id,
    room_id,
    text: 'The table is done.',
    artifacts: [
      toArtifactUpload({
        name: 'table.txt',
        media_type: 'text/plain',
        artifact_type: 'text.plain',
        content: 'month,price\n2015-01,2.31\n',
      }),
    ],
  })

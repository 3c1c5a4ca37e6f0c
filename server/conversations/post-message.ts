import { EnvelopeId, Part, type PostMessage, readSpeechAct, recordingActs, type SpeechAct } from '@parley/protocol'
import type { Context } from '../context.ts'
import { requirePermission } from '../policy/index.ts'
import { checkPost } from './check-post.ts'
import { actReserved } from './errors.ts'
import type { Said } from './put-in-order.ts'
import { type Ending, switchboardOf } from './switchboard.ts'
import { countTalk, requireTalk } from './talk-budget.ts'
import { tallyVotes } from './tally-votes.ts'

/**
 * Talk. It changes nothing but the room: what looks like a command in a text is a text. No audit row: the log is the record.
 * Messages of one sender keep the order in which this was called, also where no call has waited for the one before.
 */
export function postMessage(ctx: Context, input: PostMessage): Promise<Said> {
  return new Promise((resolve, reject) => {
    postTalk(ctx, input, { resolve, reject })
  })
}

/**
 * The same without a promise. `allowed`: what else the message has to wait for, in its place among its sender's.
 * @throws what can be refused at once
 */
export function postTalk(ctx: Context, input: PostMessage, end: Ending<Said>, allowed?: Promise<void>): void {
  requirePermission(ctx, 'message.post')
  const act = readSpeechAct(input.envelope ? input.envelope.type : input.act)
  if (recordingActs.includes(act)) throw actReserved(act)
  const { actor } = ctx
  const post = allowed ? allowed.then(() => checkPost(ctx, input)) : checkPost(ctx, input)
  // Whether the room is halted is asked beside the other checks, so that it changes nobody's place in the order.
  const ask = () => requireTalk(ctx, input.group_id, typeof input.envelope?.id === 'string' ? input.envelope.id : undefined)
  const limited = allowed ? allowed.then(ask) : ask()
  const checked = limited === false ? post : Promise.all([post, limited]).then(([one]) => one)
  const to = limited === false && act !== 'vote' ? end : followed(ctx, input, act, limited, end)
  switchboardOf(ctx).post('did' in actor ? actor.did : actor.kind, checked, to)
}

/** Tells who waits once what follows from the message is done too. */
function followed(ctx: Context, input: PostMessage, act: SpeechAct, limited: boolean | Promise<boolean>, end: Ending<Said>): Ending<Said> {
  const follow = async (said: Said) => {
    if (await limited)
      await countTalk(ctx, {
        groupId: input.group_id,
        parts: Part.array().parse(input.envelope?.parts ?? input.parts),
        next: nextOf(input),
      })
    if (act !== 'vote') return said
    const proposalId = EnvelopeId.safeParse(input.envelope?.reply_to ?? input.reply_to)
    if (proposalId.success) await tallyVotes(ctx, { groupId: input.group_id, proposalId: proposalId.data })
    return said
  }
  return {
    resolve: (said) => {
      follow(said).then(end.resolve, end.reject)
    },
    reject: end.reject,
  }
}

/** Who is asked to speak next. */
function nextOf({ envelope, to = [] }: PostMessage): string[] {
  const asked = envelope ? (envelope.next_speakers ?? (envelope.expects === 'reply' ? envelope.to : [])) : to
  return Array.isArray(asked) ? asked.filter((one) => typeof one === 'string') : []
}

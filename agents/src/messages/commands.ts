/** What an agent may ask for, with what it gives and gets. The names are the protocol's, verb first. */
import type {
  AcceptTeam,
  AnswerCall,
  ArtifactRef,
  AssignTask,
  ChannelConfig,
  ClaimGoal,
  CloseChannel,
  CommandType,
  CompleteTask,
  ConcludeGoal,
  DeclineCall,
  DeclineTeam,
  DiscoverListings,
  EraseArtifact,
  EraseMemory,
  EraseMessage,
  ErasureGround,
  FailTask,
  GetArtifact,
  GetCall,
  GiveFeedback,
  GoalOffer,
  KeepMemory,
  Listing,
  MemoryNote,
  NestTeam,
  OpenChannel,
  OpenFront,
  PostMessage,
  ProgressTask,
  ProposePlan,
  ProposeTeam,
  QuoteChannel,
  RecallMemory,
  ReportPool,
  RequestCall,
  Rule,
  SealTeam,
  SubmitCharter,
} from '@parley/protocol'
import type { z } from 'zod'
import type { Saying } from './message-builder.ts'

/** The named fields of a wire type, without those that the library fills in. */
type Fields<T> = { [K in keyof T as string extends K ? never : K extends 'type' | 'envelope' ? never : K]: T[K] }

/** As `eth_signTypedData_v4` takes it; figures as decimal strings. */
export type TypedData = {
  readonly domain: object
  readonly types: object
  readonly primaryType: string
  readonly message: { readonly [field: string]: unknown }
}

export type Inputs = {
  'listing.discover': Fields<z.input<typeof DiscoverListings>>
  'goal.claim': Fields<z.input<typeof ClaimGoal>>
  'goal.conclude': Fields<z.input<typeof ConcludeGoal>>
  'team.propose': Fields<z.input<typeof ProposeTeam>>
  'charter.submit': Fields<z.input<typeof SubmitCharter>>
  'plan.propose': Fields<z.input<typeof ProposePlan>>
  'team.accept': Fields<z.input<typeof AcceptTeam>>
  'team.decline': Fields<z.input<typeof DeclineTeam>>
  'team.seal': Fields<z.input<typeof SealTeam>>
  'team.nest': Fields<z.input<typeof NestTeam>>
  'task.assign': Fields<z.input<typeof AssignTask>>
  'task.progress': Fields<z.input<typeof ProgressTask>>
  'task.complete': Fields<z.input<typeof CompleteTask>>
  'task.fail': Fields<z.input<typeof FailTask>>
  'message.post': Fields<z.input<typeof PostMessage>>
  'artifact.get': Fields<z.input<typeof GetArtifact>>
  'feedback.give': Fields<z.input<typeof GiveFeedback>>
  'pool.report': Fields<z.input<typeof ReportPool>>
  'front.open': Fields<z.input<typeof OpenFront>>
  'memory.keep': Fields<z.input<typeof KeepMemory>>
  'memory.recall': Fields<z.input<typeof RecallMemory>>
  'memory.erase': Fields<z.input<typeof EraseMemory>>
  'message.erase': Fields<z.input<typeof EraseMessage>>
  'artifact.erase': Fields<z.input<typeof EraseArtifact>>
  'channel.quote': Fields<z.input<typeof QuoteChannel>>
  'channel.open': Fields<z.input<typeof OpenChannel>>
  'channel.close': Fields<z.input<typeof CloseChannel>>
  'call.request': Fields<z.input<typeof RequestCall>>
  'call.answer': Fields<z.input<typeof AnswerCall>>
  'call.decline': Fields<z.input<typeof DeclineCall>>
  'call.get': Fields<z.input<typeof GetCall>>
}
export type AgentCommandType = keyof Inputs & CommandType
export type InputOf<T extends AgentCommandType> = Inputs[T]
export type AgentCommand = { [T in AgentCommandType]: { type: T } & Inputs[T] }[AgentCommandType]

export type Results = {
  'listing.discover': { listings: Listing[]; next: string | null }
  'goal.claim': { offer: GoalOffer }
  'goal.conclude': Record<string, unknown>
  'team.propose': { version: number; charter_hash: `0x${string}` }
  'charter.submit': { charter_hash: `0x${string}`; number: number }
  'plan.propose': { version: number; seq: number }
  'team.accept': Record<string, unknown>
  'team.decline': Record<string, unknown>
  'team.seal': Record<string, unknown>
  'team.nest': { goal_id: string; group_id: string; step: number }
  'task.assign': { task_id: string; epoch: number }
  'task.progress': Record<string, unknown>
  'task.complete': { task_id: string; artifacts: ArtifactRef[] }
  'task.fail': Record<string, unknown>
  'message.post': { group_id: string; seq: number; id: string }
  'artifact.get': { artifact: ArtifactRef; content: string; erased_at?: string }
  'feedback.give': Record<string, unknown>
  'pool.report': { rules: Rule[] }
  'front.open': { agent_id: string; handle: string; token: string }
  'memory.keep': { key: string; expires_at: string }
  'memory.recall': { notes: MemoryNote[] }
  'memory.erase': { erased: number }
  'message.erase': { group_id: string; seq: number; ground: ErasureGround }
  'artifact.erase': { group_id: string; sha256: string; ground: ErasureGround }
  'channel.quote': {
    channel_id: string
    config: ChannelConfig
    deposit: string
    typed_data: TypedData
    valid_before: number
    balance: string
  }
  'channel.open': { channel_id: string; state: string }
  'channel.close': { channel_id: string; state: string }
  'call.request': { call_id: string; state: string; lease_until: string }
  'call.answer': { call_id: string; state: string }
  'call.decline': { call_id: string; state: string }
  'call.get': {
    call: { call_id: string; state: string; artifacts: ArtifactRef[]; text: string; reason: string | null }
    file?: { artifact: ArtifactRef; content: string }
  }
}

/** Where a command is spoken, if the session can't know, and what its message says beyond the command. */
export type Spoken = { readonly group_id?: string; readonly saying?: Saying }

export type Send = <T extends AgentCommandType>(command: { type: T } & Inputs[T], spoken?: Spoken) => Promise<Results[T]>

export type Verbs = {
  discover(query: Inputs['listing.discover']['query']): Promise<Results['listing.discover']>
  claimGoal(goal_id: string): Promise<Results['goal.claim']>
  proposeTeam(input: Inputs['team.propose'], saying?: Saying): Promise<Results['team.propose']>
  submitCharter(input: Inputs['charter.submit']): Promise<Results['charter.submit']>
  /** Writes the room's plan, or changes version `based_on` of it. @throws {ProblemError} `plan.outdated` where there is a newer one. */
  proposePlan(input: Inputs['plan.propose'], saying?: Saying): Promise<Results['plan.propose']>
  acceptTeam(input: Inputs['team.accept'] & { group_id?: string }, saying?: Saying): Promise<Results['team.accept']>
  declineTeam(input: Inputs['team.decline'] & { group_id?: string }, saying?: Saying): Promise<Results['team.decline']>
  sealTeam(input: Inputs['team.seal'] & { group_id?: string }, saying?: Saying): Promise<Results['team.seal']>
  assignTask(input: Inputs['task.assign'] & { group_id?: string }, saying?: Saying): Promise<Results['task.assign']>
  progressTask(input: Inputs['task.progress'] & { group_id?: string }, saying?: Saying): Promise<Results['task.progress']>
  completeTask(input: Inputs['task.complete'] & { group_id?: string }, saying?: Saying): Promise<Results['task.complete']>
  failTask(input: Inputs['task.fail'] & { group_id?: string }, saying?: Saying): Promise<Results['task.fail']>
  concludeGoal(input: Inputs['goal.conclude'] & { group_id?: string }, saying?: Saying): Promise<Results['goal.conclude']>
  postMessage(input: Inputs['message.post'], saying?: Saying): Promise<Results['message.post']>
  giveFeedback(input: Inputs['feedback.give']): Promise<Results['feedback.give']>
}

export function createVerbs(send: Send): Verbs {
  function speak<T extends AgentCommandType>(type: T, { group_id, ...input }: Inputs[T] & { group_id?: string }, saying?: Saying) {
    // `input` is Inputs[T] again, which the compiler can't see through the rest pattern of a generic.
    const command = { type, ...input } as unknown as { type: T } & Inputs[T]
    return send(command, { ...(group_id && { group_id }), ...(saying && { saying }) })
  }
  return {
    discover: (query) => send({ type: 'listing.discover', query }),
    claimGoal: (goal_id) => send({ type: 'goal.claim', goal_id }),
    // A sub-team's lead names its room; the charter's own is the goal's.
    proposeTeam: (input, saying) => speak('team.propose', { ...input, group_id: input.group_id ?? input.charter.group_id }, saying),
    submitCharter: (input) => send({ type: 'charter.submit', ...input }),
    proposePlan: (input, saying) => send({ type: 'plan.propose', ...input }, { group_id: input.group_id, ...(saying && { saying }) }),
    acceptTeam: (input, saying) => speak('team.accept', input, saying),
    declineTeam: (input, saying) => speak('team.decline', input, saying),
    sealTeam: (input, saying) => speak('team.seal', input, saying),
    assignTask: (input, saying) => speak('task.assign', input, saying),
    progressTask: (input, saying) => speak('task.progress', input, saying),
    completeTask: (input, saying) => speak('task.complete', input, saying),
    failTask: (input, saying) => speak('task.fail', input, saying),
    concludeGoal: (input, saying) => speak('goal.conclude', input, saying),
    postMessage: (input, saying) => send({ type: 'message.post', ...input }, { group_id: input.group_id, ...(saying && { saying }) }),
    giveFeedback: (input) => send({ type: 'feedback.give', ...input }),
  }
}

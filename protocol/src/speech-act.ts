/** The speech acts of messages. @see SPEC.md#states */

/** The speech acts. A receiver reads an unknown one as `discussion`. */
export const speechActs = [
  'discussion',
  'propose',
  'vote',
  'sync_task_assignment',
  'async_task_assignment',
  'task_progress',
  'task_result',
  'pause',
  'conclude',
  'conclusion',
  'invite',
  'accept',
  'decline',
  'cancel',
  'error',
] as const
export type SpeechAct = (typeof speechActs)[number]

/** Acts that record the effect of a command. `message.post` cannot use them, so a message never looks like a command. @see SPEC.md#commands */
export const recordingActs: readonly SpeechAct[] = [
  'sync_task_assignment',
  'async_task_assignment',
  'task_progress',
  'task_result',
  'conclusion',
  'accept',
  'decline',
  'cancel',
]

/** Forward compatibility: an unknown act is read as a discussion. */
export function readSpeechAct(type: unknown): SpeechAct {
  return speechActs.find((act) => act === type) ?? 'discussion'
}

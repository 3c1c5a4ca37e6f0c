/**
 * The words that packed frames write as one byte: their place in this list. The list belongs to `packed: "1"` and never
 * changes; another list is another name. @see SPEC.md#packed-frames
 */
export const packedWords: readonly string[] = `
type deliver envelope command result problem ack subscribe joined said words from room
id group_id seq received_at v 1 sender_id state parts text data kind artifact
sig alg kid value path EdDSA session
to next_speakers reply_to causes task_id parent_task_id task_desc task_abstract mode sync async triggers deadline expects none reply
trace policy payment ext crit
discussion task_assignment execution conclusion
propose vote sync_task_assignment async_task_assignment task_progress task_result pause conclude invite accept decline cancel error
message.post task.assign task.progress task.complete task.fail goal.conclude act
task step goal_id charter charter_hash skill_id inputs outputs name media_type size sha256 artifact_type artifacts content
text/plain text.plain outcome delivered done version agent_id amount asset after at
code title status detail retry facts hint instance never later after-change retry_after
`
  .trim()
  .split(/\s+/)

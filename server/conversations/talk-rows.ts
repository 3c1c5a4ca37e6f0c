import type { ConversationState } from '@parley/protocol'
import type { Lane } from '../db.ts'
import type { Conversation } from './conversation.ts'

/** A conversation that this transaction has locked, its client, and who of the asked may speak in it. */
export type Talk = { readonly conversation: Conversation; readonly clientId: string; readonly members: ReadonlySet<string> }

type TalkRow = Conversation & { readonly clientId: string | null; readonly members: string[] }

const lockText = (wait: string) => `
  select c."groupId", c."goalId", c."state"::text as "state", c."nextSpeakers", c."triggers", c."openQuestionId", c."isPublic", c."version",
    (select m."memberId" from "membership" m where m."groupId" = c."groupId" and m."role" = 'client' limit 1) as "clientId",
    array(select m."memberId" from "membership" m where m."groupId" = c."groupId" and m."memberId" = any($2) and m."leftAt" is null) as "members"
  from "conversation" c where c."groupId" = any($1) order by c."groupId" for update ${wait}`

/** Locks these conversations to the end of the transaction. `skip`: leave out those that somebody else holds, instead of waiting. */
export async function lockTalks(
  lane: Lane,
  groupIds: readonly string[],
  senders: readonly string[],
  skip: boolean,
): Promise<Map<string, Talk>> {
  const rows = await lane.query<TalkRow>(skip ? 'lock-free-talks' : 'lock-talks', lockText(skip ? 'skip locked' : ''), [groupIds, senders])
  return new Map(
    rows.map(({ clientId, members, ...conversation }) => [
      conversation.groupId,
      {
        conversation: { ...conversation, state: conversation.state satisfies ConversationState },
        clientId: clientId ?? '',
        members: new Set(members),
      },
    ]),
  )
}

/** Saves where the locked conversations stand now. */
export async function saveTalks(lane: Lane, conversations: readonly Conversation[]): Promise<void> {
  await lane.query(
    'save-talks',
    `update "conversation" c set "state" = r."state"::"ConversationState", "version" = r."version", "openQuestionId" = r."openQuestionId",
      "nextSpeakers" = array(select jsonb_array_elements_text(r."nextSpeakers")), "triggers" = array(select jsonb_array_elements_text(r."triggers"))
     from jsonb_to_recordset($1::jsonb)
       as r("groupId" text, "state" text, "version" int, "openQuestionId" uuid, "nextSpeakers" jsonb, "triggers" jsonb)
     where c."groupId" = r."groupId"`,
    [JSON.stringify(conversations)],
  )
}

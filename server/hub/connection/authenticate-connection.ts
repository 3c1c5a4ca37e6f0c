import type { HelloFrame } from '@parley/protocol'
import { actingAs } from '../../context.ts'
import { checkDelegation } from '../../identity/index.ts'
import { connectAgent } from '../../registry/index.ts'
import { type ConnectionState, isOpen, send } from './connection-state.ts'
import { limitFailedLogins } from './limit-failed-logins.ts'
import { createSubscriptions } from './subscriptions.ts'

/**
 * Authenticates the agent, marks it as online, and subscribes it to its inbox and rooms.
 * @throws rate.exceeded, auth.delegation_invalid, or the reason why authentication failed
 */
export async function authenticateConnection(state: ConnectionState, frame: HelloFrame): Promise<void> {
  const { base, context, events, services, connection, nonce, writer, self } = state
  const { store } = services
  const proof = { did: frame.did, signature: frame.signature, nonce, token: frame.token }
  const authenticated = await limitFailedLogins(base, context.source, () => connectAgent(base, proof, store.findAgent))
  const { agentId } = authenticated
  const delegation = frame.delegation && (await checkDelegation(base, authenticated.actor.did, frame.delegation))
  state.ctx = actingAs(base, { ...authenticated.actor, ...(delegation && { delegation }) })
  await store.markOnline({ agentId, connection, isOpen: () => isOpen(state) })
  if (!isOpen(state)) return store.markOffline({ agentId, connection })
  state.agent = authenticated
  state.intake.authenticated()
  events.onAgent(self, agentId)
  const roomIds = [authenticated.inboxId, ...(await store.roomsOf(authenticated.actor.did))]
  if (!isOpen(state)) return
  const subscriptions = createSubscriptions(state.ctx, context, writer, services.slowForMs)
  state.subscriptions = subscriptions
  subscriptions.expect(roomIds)
  events.onRooms(self, roomIds)
  const rooms = await store.cursorsOf({ memberId: agentId, roomIds })
  if (!isOpen(state)) return
  send(state, {
    type: 'welcome',
    agent_id: agentId as never,
    did: authenticated.actor.did,
    handle: authenticated.handle,
    inbox: authenticated.inboxId as never,
    server: base.market.serverDid,
    rooms: rooms.map((room) => ({ room_id: room.roomId as never, head: room.head, acked: room.acked })),
  })
  events.onHeads(rooms)
  for (const room of rooms) subscriptions.follow(room.roomId, room.acked, room.head)
}

/** Refreshes run in sequence, so that an older result never replaces a newer one. */
export function refreshSubscriptions(state: ConnectionState): void {
  if (state.isRefreshDue) return
  state.isRefreshDue = true
  state.refreshing = state.refreshing
    .then(() => {
      state.isRefreshDue = false
      return refreshRooms(state)
    })
    .catch((error: unknown) =>
      state.base.log.warn({ event: 'connection.rooms_refresh_failed', err: error }, 'The rooms of a connection were not refreshed.'),
    )
}

/** Reads the agent's rooms again and follows new ones. Fences the connection if another one has replaced it. */
async function refreshRooms(state: ConnectionState): Promise<void> {
  const { agent, subscriptions, connection, events, self, services } = state
  const { store } = services
  if (!agent || !subscriptions) return
  const { agentId, inboxId, actor } = agent
  if (!(await store.isCurrent({ agentId, connection }))) return self.fence()
  const rooms = await store.cursorsOf({ memberId: agentId, roomIds: [inboxId, ...(await store.roomsOf(actor.did))] })
  if (!isOpen(state)) return
  const ids = rooms.map((room) => room.roomId)
  for (const room of rooms) {
    if (subscriptions.follows(room.roomId)) continue
    send(state, { type: 'joined', room_id: room.roomId as never })
    subscriptions.follow(room.roomId, room.acked)
  }
  subscriptions.keepOnly(ids)
  events.onRooms(self, ids)
}

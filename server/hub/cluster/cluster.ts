/**
 * Connections between hubs: a hub forwards posts to the owner of their room, and receives committed messages without reading the
 * database.
 * This is an optimization only: without a connection, hubs use the database.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { Context } from '../../context.ts'
import type { MessageWriter } from '../../conversations/index.ts'
import { listReachableHubs, type ReachableHub } from '../../telemetry/index.ts'
import { createEventLoopStallDetector } from './event-loop-stall-detector.ts'
import { createPeerAuthenticator, createPeerProof, peerHeader } from './peer-authenticator.ts'
import { createPeerClient, type PeerClient } from './peer-client.ts'
import { createRoomOwnerHubs } from './room-owner-hubs.ts'
import { type ClientPeer, servePostsOfPeerHub } from './serve-posts-of-peer-hub.ts'

export { advertisedUrlOf } from './advertised-address.ts'

/** The path of peer connections; proxies need not forward it. The number is the protocol version. */
export const peerPath = '/peer/1'
const lookEveryMs = 5_000
const openMs = 2_000
/** Enough for a batch of many long messages. Only authenticated peers send any. */
const maxFrameBytes = 67_108_864
/** How long a stopping hub waits for posts in flight. */
const leaveMs = 1_000

/**
 * `ownerPeers`: hubs that this one forwards to. `clientPeers`: hubs that forward to this one. `forwarded`: messages that peers wrote for
 * this hub.
 */
export type ClusterMetrics = { readonly ownerPeers: number; readonly clientPeers: number; readonly forwarded: number }

export type Cluster = {
  /** Handles a connection to `peerPath`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Sets the listener for messages that peers committed in rooms that this hub follows, starting at `first`. */
  onCommitted(listener: CommittedListener): void
  /** Sends messages that this hub committed, starting at `first`, to the peers that follow the room. */
  publish: CommittedListener
  /** Another process wrote to a room that this hub reads. True if a peer connection delivers the messages. */
  noteRemoteWrite(roomId: string, from: string | undefined): boolean
  /** No connection of this hub reads the room any more. */
  unfollow(roomId: string): void
  metrics(): ClusterMetrics
  close(): Promise<void>
}

type CommittedListener = (roomId: string, first: number, bodies: readonly Buffer[]) => void

const forbidden = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n'

/** For a hub that peers cannot reach. */
export const standaloneHub: Cluster = {
  upgrade: async (_request, socket) => void socket.end(forbidden),
  onCommitted: () => undefined,
  publish: () => undefined,
  noteRemoteWrite: () => false,
  unfollow: () => undefined,
  metrics: () => ({ ownerPeers: 0, clientPeers: 0, forwarded: 0 }),
  close: async () => undefined,
}

type ClusterState = {
  readonly ctx: Context
  readonly writer: MessageWriter
  readonly stallDetector: ReturnType<typeof createEventLoopStallDetector>
  readonly ownerHubs: ReturnType<typeof createRoomOwnerHubs>
  /** Connections to the owners of rooms, by hub. */
  readonly peers: Map<string, PeerClient>
  readonly drainingPeers: Set<PeerClient>
  readonly opening: Set<string>
  readonly clients: Set<ClientPeer>
  readonly followers: Map<string, Set<ClientPeer>>
  onCommittedByPeer: CommittedListener
  forwarded: number
  isClosing: boolean
}

/** Hubs identify each other by the names of their message writers. */
export function createCluster(ctx: Context, writer: MessageWriter): Cluster {
  const state: ClusterState = {
    ctx,
    writer,
    stallDetector: createEventLoopStallDetector(),
    ownerHubs: createRoomOwnerHubs(writer.name),
    peers: new Map(),
    drainingPeers: new Set(),
    opening: new Set(),
    clients: new Set(),
    followers: new Map(),
    onCommittedByPeer: () => undefined,
    forwarded: 0,
    isClosing: false,
  }
  const server = createPeerServer(state)
  const timer = setInterval(() => void discoverPeers(state), lookEveryMs)
  timer.unref()
  void discoverPeers(state)
  writer.setRouting({
    peerFor(roomId) {
      const peer = ownerPeerFor(state, roomId)
      peer?.follow(roomId)
      return peer
    },
  })
  const { ownerHubs, followers, peers } = state
  return {
    upgrade: server.upgrade,
    onCommitted(listener) {
      state.onCommittedByPeer = listener
    },
    publish(roomId, first, bodies) {
      for (const client of followers.get(roomId) ?? []) client.publish(roomId, first, bodies)
    },
    noteRemoteWrite(roomId, from) {
      const peer = from === undefined ? undefined : peers.get(from)
      if (!peer || from === undefined) return false
      ownerHubs.noteRemoteWrite(roomId, from)
      const isFollowed = peer.follows(roomId)
      peer.follow(roomId)
      return isFollowed
    },
    unfollow(roomId) {
      for (const peer of peers.values()) peer.unfollow(roomId)
    },
    metrics: () => ({ ownerPeers: peers.size, clientPeers: state.clients.size, forwarded: state.forwarded }),
    async close() {
      clearInterval(timer)
      await drain(state)
      server.close()
    },
  }
}

function ownerPeerFor({ ownerHubs, peers }: ClusterState, roomId: string): PeerClient | null {
  if (peers.size === 0) return null
  const owner = ownerHubs.ownerOf(roomId, (hub) => peers.has(hub))
  return owner === null ? null : (peers.get(owner) ?? null)
}

async function discoverPeers(state: ClusterState): Promise<void> {
  const { ctx, peers, opening, writer } = state
  try {
    for (const found of await listReachableHubs(ctx)) {
      const { hub } = found
      if (!state.isClosing && hub !== writer.name && !peers.has(hub) && !opening.has(hub)) void openPeer(state, found)
    }
  } catch (error) {
    ctx.log.debug({ event: 'hub.discovery_failed', err: error }, 'The discovery of other hubs failed.')
  }
}

async function openPeer(state: ClusterState, { hub, peerUrl }: ReachableHub): Promise<void> {
  state.opening.add(hub)
  try {
    const peer = await connectTo(state, hub, peerUrl)
    if (!peer) return
    if (state.isClosing) return peer.close()
    state.peers.set(hub, peer)
    state.ownerHubs.invalidate()
  } catch (error) {
    state.ctx.log.debug({ event: 'hub.peer_connection_failed', err: error, peerUrl }, 'A connection to another hub failed.')
  } finally {
    state.opening.delete(hub)
  }
}

async function connectTo(state: ClusterState, hub: string, peerUrl: string): Promise<PeerClient | null> {
  const { ctx, ownerHubs, stallDetector, writer } = state
  const { header, isAnswer } = await createPeerProof(ctx.ports.signer, writer.name, hub)
  const socket = new WebSocket(new URL(peerPath, peerUrl), {
    headers: { [peerHeader]: header },
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    handshakeTimeout: openMs,
    // Masks protect intermediaries from content that a browser chooses. No browser uses this connection.
    generateMask: () => undefined,
  })
  const answered = new Promise<unknown>((resolve) => socket.once('upgrade', ({ headers }) => resolve(headers[peerHeader])))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const peer = createPeerClient(socket, stallDetector, {
    onCommitted(roomId, first, bodies) {
      ownerHubs.noteReceived(roomId, bodies.length)
      state.onCommittedByPeer(roomId, first, bodies)
    },
    onPosted(roomId) {
      state.forwarded++
      ownerHubs.noteForwarded(roomId)
    },
    leaving: () => retirePeer(state, hub, peer),
    ended() {
      retirePeer(state, hub, peer)
      state.drainingPeers.delete(peer)
    },
  })
  if (await isAnswer(await answered)) return peer
  peer.close()
  ctx.log.warn({ event: 'hub.peer_authentication_failed', peerUrl }, 'A peer hub failed authentication.')
  return null
}

/** Sends nothing more to a peer. */
function retirePeer({ ownerHubs, drainingPeers, peers }: ClusterState, hub: string, peer: PeerClient): void {
  if (peers.get(hub) !== peer) return
  peers.delete(hub)
  ownerHubs.invalidate()
  drainingPeers.add(peer)
}

/** The inbound side: authenticates other hubs and serves them. */
function createPeerServer(state: ClusterState): Pick<Cluster, 'upgrade'> & { close(): void } {
  const { signer } = state.ctx.ports
  const authenticator = createPeerAuthenticator(signer, state.writer.name)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false })
  const answers = new WeakMap<IncomingMessage, string>()
  sockets.on('headers', (headers: string[], request) => headers.push(`${peerHeader}: ${answers.get(request)}`))
  return {
    async upgrade(request, socket, head) {
      const admitted = state.isClosing ? null : await authenticator.verify(request.headers[peerHeader]).catch(() => null)
      if (!admitted) {
        socket.end(forbidden)
        return
      }
      answers.set(request, admitted.answer)
      sockets.handleUpgrade(request, socket, head, (webSocket) => acceptClient(state, webSocket))
      // Connect to the new peer too, so that both hubs compute the same owners.
      if (!state.peers.has(admitted.from)) void discoverPeers(state)
    },
    close: () => sockets.close(),
  }
}

function acceptClient({ clients, followers, stallDetector, writer }: ClusterState, socket: WebSocket): void {
  const followed = new Set<string>()
  const leave = (roomId: string) => {
    followed.delete(roomId)
    const there = followers.get(roomId)
    there?.delete(client)
    if (there?.size === 0) followers.delete(roomId)
  }
  const client = servePostsOfPeerHub(socket, writer, stallDetector, {
    follow(roomId) {
      followed.add(roomId)
      followers.set(roomId, (followers.get(roomId) ?? new Set()).add(client))
    },
    leave,
    ended() {
      clients.delete(client)
      for (const roomId of followed) leave(roomId)
    },
  })
  clients.add(client)
}

/** Ends forwarding, waits a limited time for posts in flight, and closes all connections. */
async function drain(state: ClusterState): Promise<void> {
  const { clients, drainingPeers, peers, stallDetector, writer } = state
  state.isClosing = true
  writer.setRouting(null)
  for (const client of clients) client.askToDrain()
  const all = () => [...clients, ...peers.values(), ...drainingPeers]
  const until = performance.now() + leaveMs
  while (all().some((one) => one.inFlight() > 0) && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
  for (const one of all()) one.close()
  stallDetector.close()
}

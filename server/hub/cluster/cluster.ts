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
import { createPeerAuthenticator, createPeerProof, peerHeader } from './authenticate-peer.ts'
import { createPeerClient, type PeerClient } from './peer-client.ts'
import { type ClientPeer, serveClientPeer } from './peer-server.ts'
import { createRoomAffinity } from './room-affinity.ts'
import { createStallDetector } from './stall-detector.ts'

export { advertisedUrlOf } from './advertised-address.ts'

/** The path of peer connections; proxies need not forward it. The number is the protocol version. */
export const peerPath = '/link/1'
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
  noteRemoteWrite(groupId: string, from: string | undefined): boolean
  /** No connection of this hub reads the group any more. */
  unfollow(groupId: string): void
  metrics(): ClusterMetrics
  close(): Promise<void>
}

type CommittedListener = (groupId: string, first: number, bodies: readonly Buffer[]) => void

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

/** Hubs identify each other by the names of their message writers. */
export function createCluster(ctx: Context, writer: MessageWriter): Cluster {
  const { signer } = ctx.ports
  const self = writer.name
  const authenticator = createPeerAuthenticator(signer, self)
  const stallDetector = createStallDetector()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false })
  const answers = new WeakMap<IncomingMessage, string>()
  sockets.on('headers', (headers: string[], request) => headers.push(`${peerHeader}: ${answers.get(request)}`))
  const peers = new Map<string, PeerClient>()
  const drainingPeers = new Set<PeerClient>()
  const opening = new Set<string>()
  const clients = new Set<ClientPeer>()
  const followers = new Map<string, Set<ClientPeer>>()
  const affinity = createRoomAffinity(self)
  let onCommittedByPeer: CommittedListener = () => undefined
  let forwarded = 0
  let isClosing = false

  function peerFor(groupId: string): PeerClient | null {
    if (peers.size === 0) return null
    const home = affinity.ownerOf(groupId, (hub) => peers.has(hub))
    return home === null ? null : (peers.get(home) ?? null)
  }

  async function openPeer({ hub, link }: ReachableHub): Promise<void> {
    opening.add(hub)
    try {
      const road = await connectTo(hub, link)
      if (!road) return
      if (isClosing) return road.close()
      peers.set(hub, road)
      affinity.invalidate()
    } catch (error) {
      ctx.log.debug({ err: error, link }, 'another hub was not reached')
    } finally {
      opening.delete(hub)
    }
  }

  async function connectTo(hub: string, link: string): Promise<PeerClient | null> {
    const { header, isAnswer } = await createPeerProof(signer, self, hub)
    const socket = new WebSocket(new URL(peerPath, link), {
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
    const road = createPeerClient(socket, stallDetector, {
      spoken(groupId, first, bodies) {
        affinity.noteReceived(groupId, bodies.length)
        onCommittedByPeer(groupId, first, bodies)
      },
      said(groupId) {
        forwarded++
        affinity.noteForwarded(groupId)
      },
      leaving: () => retirePeer(hub, road),
      ended() {
        retirePeer(hub, road)
        drainingPeers.delete(road)
      },
    })
    if (await isAnswer(await answered)) return road
    road.close()
    ctx.log.warn({ link }, 'whoever answers where another hub should be is not of this server')
    return null
  }

  /** Sends nothing more to a peer. */
  function retirePeer(hub: string, road: PeerClient): void {
    if (peers.get(hub) !== road) return
    peers.delete(hub)
    affinity.invalidate()
    drainingPeers.add(road)
  }

  async function discoverPeers(): Promise<void> {
    try {
      for (const neighbour of await listReachableHubs(ctx)) {
        const { hub } = neighbour
        if (!isClosing && hub !== self && !peers.has(hub) && !opening.has(hub)) void openPeer(neighbour)
      }
    } catch (error) {
      ctx.log.debug({ err: error }, 'other hubs were not looked for')
    }
  }

  function acceptClient(socket: WebSocket): void {
    const followed = new Set<string>()
    const leave = (groupId: string) => {
      followed.delete(groupId)
      const there = followers.get(groupId)
      there?.delete(guest)
      if (there?.size === 0) followers.delete(groupId)
    }
    const guest = serveClientPeer(socket, writer, stallDetector, {
      follow(groupId) {
        followed.add(groupId)
        followers.set(groupId, (followers.get(groupId) ?? new Set()).add(guest))
      },
      leave,
      ended() {
        clients.delete(guest)
        for (const groupId of followed) leave(groupId)
      },
    })
    clients.add(guest)
  }

  const timer = setInterval(() => void discoverPeers(), lookEveryMs)
  timer.unref()
  void discoverPeers()
  writer.setRouting({
    peerFor(groupId) {
      const road = peerFor(groupId)
      road?.follow(groupId)
      return road
    },
  })

  return {
    async upgrade(request, socket, head) {
      const admitted = isClosing ? null : await authenticator.verify(request.headers[peerHeader]).catch(() => null)
      if (!admitted) {
        socket.end(forbidden)
        return
      }
      answers.set(request, admitted.answer)
      sockets.handleUpgrade(request, socket, head, acceptClient)
      // Connect to the new peer too, so that both hubs compute the same owners.
      if (!peers.has(admitted.from)) void discoverPeers()
    },
    onCommitted(listener) {
      onCommittedByPeer = listener
    },
    publish(groupId, first, bodies) {
      for (const guest of followers.get(groupId) ?? []) guest.publish(groupId, first, bodies)
    },
    noteRemoteWrite(groupId, from) {
      const road = from === undefined ? undefined : peers.get(from)
      if (!road || from === undefined) return false
      affinity.noteRemoteWrite(groupId, from)
      const isFollowed = road.follows(groupId)
      road.follow(groupId)
      return isFollowed
    },
    unfollow(groupId) {
      for (const road of peers.values()) road.unfollow(groupId)
    },
    metrics: () => ({ ownerPeers: peers.size, clientPeers: clients.size, forwarded }),
    async close() {
      isClosing = true
      clearInterval(timer)
      writer.setRouting(null)
      for (const guest of clients) guest.askToDrain()
      const all = () => [...clients, ...peers.values(), ...drainingPeers]
      const until = performance.now() + leaveMs
      while (all().some((one) => one.inFlight() > 0) && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
      for (const one of all()) one.close()
      stallDetector.close()
      sockets.close()
    },
  }
}

/**
 * Hubs among one another: what is said in a room goes to the hub that the room is at home at, which says it for all of them, and
 * what was said there comes back without a look at the database. A mere hint: where a link is missing, hubs do without.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { Context } from '../../context.ts'
import type { MessageWriter } from '../../conversations/index.ts'
import { listNeighbours, type Neighbour } from '../../telemetry/index.ts'
import { createPeerAuthenticator, createPeerProof, peerHeader } from './authenticate-peer.ts'
import { createPeerClient, type PeerClient } from './peer-client.ts'
import { type ClientPeer, serveClientPeer } from './peer-server.ts'
import { createRoomAffinity } from './room-affinity.ts'
import { createStallDetector } from './stall-detector.ts'

export { advertisedUrlOf } from './advertised-address.ts'

/** Where hubs reach one another; no proxy need pass it on. Another version that says things otherwise has another path. */
export const peerPath = '/link/1'
const lookEveryMs = 5_000
const openMs = 2_000
/** A write of many long messages, with room to spare; only who has proved itself sends any. */
const maxFrameBytes = 67_108_864
/** Words that are under way when a hub ends are waited for so long. */
const leaveMs = 1_000

/** `roads`: hubs that talk can be handed over to; `guests`: those that may hand it over. `handedOver`: messages that were said there for us. */
export type ClusterMetrics = { readonly ownerPeers: number; readonly clientPeers: number; readonly forwarded: number }

export type Cluster = {
  /** A connection to `linkPath`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Hears what was said in rooms that this hub follows, from `first` on. */
  onCommitted(listener: CommittedListener): void
  /** Tells those hubs that follow this room what was committed here, from `first` on. */
  publish: CommittedListener
  /** Another process has written in this room, which is read here. True where a link tells of it anyway. */
  noteRemoteWrite(groupId: string, from: string | undefined): boolean
  /** Nobody reads it here any more. */
  unfollow(groupId: string): void
  metrics(): ClusterMetrics
  close(): Promise<void>
}

type CommittedListener = (groupId: string, first: number, bodies: readonly Buffer[]) => void

const forbidden = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n'

/** Of a hub that others can't reach. */
export const standaloneHub: Cluster = {
  upgrade: async (_request, socket) => void socket.end(forbidden),
  onCommitted: () => undefined,
  publish: () => undefined,
  noteRemoteWrite: () => false,
  unfollow: () => undefined,
  metrics: () => ({ ownerPeers: 0, clientPeers: 0, forwarded: 0 }),
  close: async () => undefined,
}

/** Hubs know one another by the names of their switchboards. */
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

  async function openPeer({ hub, link }: Neighbour): Promise<void> {
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
      // Masks keep pages from writing to servers of others what these take for something else; no page has a hand in this.
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

  /** Nothing more goes to it. */
  function retirePeer(hub: string, road: PeerClient): void {
    if (peers.get(hub) !== road) return
    peers.delete(hub)
    affinity.invalidate()
    drainingPeers.add(road)
  }

  async function discoverPeers(): Promise<void> {
    try {
      for (const neighbour of await listNeighbours(ctx)) {
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
      // Who has just come is reached as well, so that both choose the same homes.
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

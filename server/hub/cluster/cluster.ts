/**
 * Hubs among one another: what is said in a room goes to the hub that the room is at home at, which says it for all of them, and
 * what was said there comes back without a look at the database. A mere hint: where a link is missing, hubs do without.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { Context } from '../../context.ts'
import type { Switchboard } from '../../conversations/index.ts'
import { listNeighbours, type Neighbour } from '../../telemetry/index.ts'
import { askForLink, createLinkDoor, linkHeader } from './authenticate-peer.ts'
import { type OpenRoad, openRoad } from './peer-client.ts'
import { type Guest, receiveGuest } from './peer-server.ts'
import { createSharedRooms } from './room-affinity.ts'
import { createAwake } from './stall-detector.ts'

export { linkToOf } from './advertised-address.ts'

/** Where hubs reach one another; no proxy need pass it on. Another version that says things otherwise has another path. */
export const linkPath = '/link/1'
const lookEveryMs = 5_000
const openMs = 2_000
/** A write of many long messages, with room to spare; only who has proved itself sends any. */
const maxFrameBytes = 67_108_864
/** Words that are under way when a hub ends are waited for so long. */
const leaveMs = 1_000

/** `roads`: hubs that talk can be handed over to; `guests`: those that may hand it over. `handedOver`: messages that were said there for us. */
export type LinkFigures = { readonly roads: number; readonly guests: number; readonly handedOver: number }

export type Links = {
  /** A connection to `linkPath`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Hears what was said in rooms that this hub follows, from `first` on. */
  onSpoken(listener: SpokenListener): void
  /** Tells those hubs that follow this room what was committed here, from `first` on. */
  tell: SpokenListener
  /** Another process has written in this room, which is read here. True where a link tells of it anyway. */
  heard(groupId: string, from: string | undefined): boolean
  /** Nobody reads it here any more. */
  leave(groupId: string): void
  figures(): LinkFigures
  close(): Promise<void>
}

type SpokenListener = (groupId: string, first: number, bodies: readonly Buffer[]) => void

const forbidden = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n'

/** Of a hub that others can't reach. */
export const linksToNobody: Links = {
  upgrade: async (_request, socket) => void socket.end(forbidden),
  onSpoken: () => undefined,
  tell: () => undefined,
  heard: () => false,
  leave: () => undefined,
  figures: () => ({ roads: 0, guests: 0, handedOver: 0 }),
  close: async () => undefined,
}

/** Hubs know one another by the names of their switchboards. */
export function createLinks(ctx: Context, board: Switchboard): Links {
  const { signer } = ctx.ports
  const self = board.name
  const door = createLinkDoor(signer, self)
  const awake = createAwake()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false })
  const answers = new WeakMap<IncomingMessage, string>()
  sockets.on('headers', (headers: string[], request) => headers.push(`${linkHeader}: ${answers.get(request)}`))
  const roads = new Map<string, OpenRoad>()
  const leaving = new Set<OpenRoad>()
  const opening = new Set<string>()
  const guests = new Set<Guest>()
  const followers = new Map<string, Set<Guest>>()
  const shared = createSharedRooms(self)
  let spoken: SpokenListener = () => undefined
  let handedOver = 0
  let isClosing = false

  function roadTo(groupId: string): OpenRoad | null {
    if (roads.size === 0) return null
    const home = shared.homeOf(groupId, (hub) => roads.has(hub))
    return home === null ? null : (roads.get(home) ?? null)
  }

  async function open({ hub, link }: Neighbour): Promise<void> {
    opening.add(hub)
    try {
      const road = await reach(hub, link)
      if (!road) return
      if (isClosing) return road.close()
      roads.set(hub, road)
      shared.rethink()
    } catch (error) {
      ctx.log.debug({ err: error, link }, 'another hub was not reached')
    } finally {
      opening.delete(hub)
    }
  }

  async function reach(hub: string, link: string): Promise<OpenRoad | null> {
    const { header, isAnswer } = await askForLink(signer, self, hub)
    const socket = new WebSocket(new URL(linkPath, link), {
      headers: { [linkHeader]: header },
      perMessageDeflate: false,
      maxPayload: maxFrameBytes,
      handshakeTimeout: openMs,
      // Masks keep pages from writing to servers of others what these take for something else; no page has a hand in this.
      generateMask: () => undefined,
    })
    const answered = new Promise<unknown>((resolve) => socket.once('upgrade', ({ headers }) => resolve(headers[linkHeader])))
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    const road = openRoad(socket, awake, {
      spoken(groupId, first, bodies) {
        shared.told(groupId, bodies.length)
        spoken(groupId, first, bodies)
      },
      said(groupId) {
        handedOver++
        shared.said(groupId)
      },
      leaving: () => part(hub, road),
      ended() {
        part(hub, road)
        leaving.delete(road)
      },
    })
    if (await isAnswer(await answered)) return road
    road.close()
    ctx.log.warn({ link }, 'whoever answers where another hub should be is not of this server')
    return null
  }

  /** Nothing more goes to it. */
  function part(hub: string, road: OpenRoad): void {
    if (roads.get(hub) !== road) return
    roads.delete(hub)
    shared.rethink()
    leaving.add(road)
  }

  async function look(): Promise<void> {
    try {
      for (const neighbour of await listNeighbours(ctx)) {
        const { hub } = neighbour
        if (!isClosing && hub !== self && !roads.has(hub) && !opening.has(hub)) void open(neighbour)
      }
    } catch (error) {
      ctx.log.debug({ err: error }, 'other hubs were not looked for')
    }
  }

  function receive(socket: WebSocket): void {
    const followed = new Set<string>()
    const leave = (groupId: string) => {
      followed.delete(groupId)
      const there = followers.get(groupId)
      there?.delete(guest)
      if (there?.size === 0) followers.delete(groupId)
    }
    const guest = receiveGuest(socket, board, awake, {
      follow(groupId) {
        followed.add(groupId)
        followers.set(groupId, (followers.get(groupId) ?? new Set()).add(guest))
      },
      leave,
      ended() {
        guests.delete(guest)
        for (const groupId of followed) leave(groupId)
      },
    })
    guests.add(guest)
  }

  const timer = setInterval(() => void look(), lookEveryMs)
  timer.unref()
  void look()
  board.settle({
    roadTo(groupId) {
      const road = roadTo(groupId)
      road?.follow(groupId)
      return road
    },
  })

  return {
    async upgrade(request, socket, head) {
      const admitted = isClosing ? null : await door.admit(request.headers[linkHeader]).catch(() => null)
      if (!admitted) {
        socket.end(forbidden)
        return
      }
      answers.set(request, admitted.answer)
      sockets.handleUpgrade(request, socket, head, receive)
      // Who has just come is reached as well, so that both choose the same homes.
      if (!roads.has(admitted.from)) void look()
    },
    onSpoken(listener) {
      spoken = listener
    },
    tell(groupId, first, bodies) {
      for (const guest of followers.get(groupId) ?? []) guest.tell(groupId, first, bodies)
    },
    heard(groupId, from) {
      const road = from === undefined ? undefined : roads.get(from)
      if (!road || from === undefined) return false
      shared.heard(groupId, from)
      const isFollowed = road.follows(groupId)
      road.follow(groupId)
      return isFollowed
    },
    leave(groupId) {
      for (const road of roads.values()) road.leave(groupId)
    },
    figures: () => ({ roads: roads.size, guests: guests.size, handedOver }),
    async close() {
      isClosing = true
      clearInterval(timer)
      board.settle(null)
      for (const guest of guests) guest.leave()
      const all = () => [...guests, ...roads.values(), ...leaving]
      const until = performance.now() + leaveMs
      while (all().some((one) => one.underWay() > 0) && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
      for (const one of all()) one.close()
      awake.close()
      sockets.close()
    },
  }
}

import { expect, it } from 'vitest'
import type { Completion, PostResult } from '../../../../server/conversations/messaging/post-result.ts'
import { createRoomWriterRouter, type PeerWriter } from '../../../../server/conversations/messaging/room-writer-router.ts'
import type { ValidatedPost } from '../../../../server/conversations/messaging/validate-post.ts'

/** Journeys whose posts are answered manually. `here` and `away`: what is in progress, by its text. */
function open() {
  const here: string[] = []
  const ended: string[] = []
  const forwarded: string[] = []
  const textOf = (post: ValidatedPost) => post.parts[0]?.text ?? ''
  const journeys = createRoomWriterRouter(
    (roomId) => here.some((text) => text.startsWith(roomId)),
    ({ post }) => {
      here.push(textOf(post))
      if (post.isRedelivered) forwarded.push(textOf(post))
    },
  )
  const road = () => {
    const away = new Map<string, Completion<PostResult> & { lost(): void }>()
    const one: PeerWriter = { post: (post, end) => void away.set(textOf(post), end) }
    const answer = (text: string, how: 'resolve' | 'reject' | 'lost') => {
      const end = away.get(text)
      away.delete(text)
      if (how === 'lost') end?.lost()
      else end?.[how]({ room_id: '', seq: 1, id: text } as never)
    }
    return { one, away, answer }
  }
  /** `text`: begins with its room. */
  const postMessage = (text: string) => {
    const roomId = text.split(' ')[0] as string
    const post = { roomId, sender: 's', by: 'agent', parts: [{ text }], next: [], bytes: 1, kind: 'vouched', template: {} } as never
    const completion = { resolve: () => void ended.push(`${text} said`), reject: () => void ended.push(`${text} refused`) }
    journeys.route({ post, completion })
  }
  const done = (text: string) => {
    here.splice(here.indexOf(text), 1)
    journeys.onLocalWritesDone([text.split(' ')[0] as string])
  }
  return { journeys, here, ended, forwarded, road, post: postMessage, done }
}

it('posts all messages here where no room is at home elsewhere', () => {
  const { journeys, here, post } = open()
  post('a 1')
  journeys.setRouting({ peerFor: () => null })
  post('a 2')
  expect(here).toEqual(['a 1', 'a 2'])
})

it('forwards posts while others are in flight, and answers the waiting senders', () => {
  const { journeys, here, ended, road, post } = open()
  const { one, away, answer } = road()
  journeys.setRouting({ peerFor: (roomId) => (roomId === 'a' ? one : null) })
  for (const text of ['a 1', 'b 1', 'a 2']) post(text)
  expect([[...away.keys()], here]).toEqual([['a 1', 'a 2'], ['b 1']])
  answer('a 1', 'resolve')
  answer('a 2', 'reject')
  expect(ended).toEqual(['a 1 said', 'a 2 refused'])
})

it('holds what comes while the same room is still spoken in here, and lets it go behind that', () => {
  const { journeys, here, road, post, done } = open()
  post('a 1')
  const { one, away } = road()
  journeys.setRouting({ peerFor: () => one })
  post('a 2')
  post('b 1')
  post('a 3')
  expect([[...away.keys()], here]).toEqual([['b 1'], ['a 1']])
  done('a 1')
  expect([...away.keys()]).toEqual(['b 1', 'a 2', 'a 3'])
})

it('holds what comes while the same room is still spoken in elsewhere, also where its home has changed to another hub', () => {
  const { journeys, here, road, post } = open()
  const [first, second] = [road(), road()]
  let home: PeerWriter | null = first.one
  journeys.setRouting({ peerFor: () => home })
  post('a 1')
  home = second.one
  post('a 2')
  home = first.one
  post('a 3')
  expect([[...first.away.keys()], [...second.away.keys()]]).toEqual([['a 1'], []])
  home = second.one
  first.answer('a 1', 'resolve')
  expect([...second.away.keys()]).toEqual(['a 2', 'a 3'])
  home = null
  post('a 4')
  expect(here).toEqual([])
  second.answer('a 3', 'resolve')
  second.answer('a 2', 'resolve')
  expect(here).toEqual(['a 4'])
})

it('says here, in its order and as what may be there already, what was on a road that is lost; and what comes later after it', () => {
  const { journeys, here, forwarded, ended, road, post, done } = open()
  const [first, second] = [road(), road()]
  let home: PeerWriter | null = first.one
  journeys.setRouting({ peerFor: () => home })
  for (const text of ['a 1', 'b 1', 'a 2']) post(text)
  home = second.one
  post('a 3')
  for (const text of ['a 1', 'b 1', 'a 2']) first.answer(text, 'lost')
  expect(here).toEqual(['a 1', 'b 1', 'a 2'])
  expect(forwarded).toEqual(here)
  expect([...second.away.keys()]).toEqual([])
  post('a 4')
  done('a 1')
  done('a 2')
  expect([...second.away.keys()]).toEqual(['a 3', 'a 4'])
  expect(ended).toEqual([])
})

it('gives back what is held behind words that are given back, so that it never arrives before these', () => {
  const { journeys, here, ended, road, post, done } = open()
  post('a 1')
  const { one, away } = road()
  journeys.setRouting({ peerFor: () => one })
  post('a 2')
  journeys.rejectHeld(new Error('the database is away'))
  expect(ended).toEqual(['a 2 refused'])
  done('a 1')
  expect([...away.keys()]).toEqual([])
  post('a 3')
  expect([[...away.keys()], here]).toEqual([['a 3'], []])
})

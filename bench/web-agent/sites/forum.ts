/** A forum without any API. */
import { dice, html, missing, option, page, paged, type Reply, type Site, seeOther, text } from './site.ts'

export type Thread = {
  id: number
  title: string
  author: string
  category: string
  replies: { author: string; text: string }[]
  isLocked: boolean
  isWatched: boolean
}
export type Forum = { threads: Thread[]; signature: string }

export const categories = ['Gardening', 'Woodwork', 'Kitchen', 'Repairs', 'Cycling']
const subjects: { readonly [category: string]: readonly string[] } = {
  Gardening: ['Soil for succulents', 'Slugs on lettuce', 'Pruning an old pear', 'Seeds from last year', 'Shade on the balcony'],
  Woodwork: ['Gluing oak', 'Dull chisels', 'A first dovetail', 'Oil or wax', 'Warped boards'],
  Kitchen: ['Sticky rice', 'Sourdough too flat', 'Cast iron rust', 'Sharpening at home', 'Jars for pickles'],
  Repairs: ['Squeaky hinge', 'Dripping tap', 'Loose socket', 'Cracked tile', 'Stuck window'],
  Cycling: ['Noisy chain', 'Winter tyres', 'Saddle height', 'Brake pads wear', 'Panniers in rain'],
}
const turns = ['what to do', 'a question', 'before and after', 'any advice']

function fresh(): Forum {
  const roll = dice(41)
  const threads = turns.flatMap((turn) =>
    categories.flatMap((category) =>
      (subjects[category] ?? []).map(
        (subject): Omit<Thread, 'id'> => ({
          title: `${subject}: ${turn}`,
          author: `member${1 + roll(40)}`,
          category,
          replies: Array.from({ length: roll(60) }, (_, index) => ({ author: `member${1 + roll(40)}`, text: `Reply ${index + 1}.` })),
          isLocked: false,
          isWatched: false,
        }),
      ),
    ),
  )
  return { threads: threads.map((thread, index) => ({ id: 300 + index, ...thread })).reverse(), signature: '' }
}

const nav =
  '<nav aria-label="Main"><a href="/">Start</a> <a href="/threads">Threads</a> <a href="/categories">Categories</a> <a href="/threads/new">Start a thread</a> <a href="/profile">My profile</a></nav>'
const choices = (chosen?: string) => categories.map((name) => option(name, name, chosen)).join('')

function listPage(title: string, threads: readonly Thread[], query: URLSearchParams, at: string): Reply {
  const link = (number: number) => `${at}${at.includes('?') ? '&' : '?'}page=${number}`
  const { items, links } = paged(threads, Number(query.get('page') ?? 1), 8, link)
  const rows = items.map(
    (one) =>
      `<li><article><h2><a href="/threads/${one.id}">${html(one.title)}</a></h2><p>by ${html(one.author)} · ${one.replies.length} replies · in ${html(one.category)}</p></article></li>`,
  )
  const search =
    '<form action="/threads" role="search"><label>Search threads <input type="search" name="q"></label> <button>Search</button></form>'
  return page(title, nav, `${search}<ul>${rows.join('')}</ul>${links}`)
}

function threadPage(one: Thread): Reply {
  const at = `/threads/${one.id}`
  const button = (action: string, label: string) => `<form method="post" action="${at}/${action}"><button>${label}</button></form>`
  const replies = one.replies.map((reply) => `<li><b>${html(reply.author)}</b> ${html(reply.text)}</li>`).join('')
  const answer = one.isLocked
    ? '<p>This thread is locked.</p>'
    : `<form method="post" action="${at}/reply"><label>Your reply <textarea name="text"></textarea></label> <button>Post reply</button></form>`
  return page(
    one.title,
    nav,
    `<p>Started by ${html(one.author)} in ${html(one.category)}</p><p>${one.replies.length} replies</p><ol>${replies}</ol>${answer}
    ${button('watch', one.isWatched ? 'Stop watching' : 'Watch thread')}${one.isLocked ? '' : button('lock', 'Lock thread')}
    <form method="post" action="${at}/move"><label>Category <select name="category">${choices(one.category)}</select></label> <button>Move thread</button></form>`,
  )
}

const newPage = () =>
  page(
    'Start a thread',
    nav,
    `<form method="post" action="/threads"><p><label>Subject <input name="title" required></label></p><p><label>Category <select name="category">${choices()}</select></label></p><p><label>Message <textarea name="text"></textarea></label></p><button>Post thread</button></form>`,
  )

function write(one: Thread, action: string | undefined, form: URLSearchParams): void {
  if (action === 'reply' && !one.isLocked) one.replies.push({ author: 'me', text: form.get('text') ?? '' })
  if (action === 'watch') one.isWatched = !one.isWatched
  if (action === 'lock') one.isLocked = true
  if (action === 'move' && categories.includes(form.get('category') ?? '')) one.category = form.get('category') ?? ''
}

export const forum: Site<Forum> = {
  fresh,
  look: (state) => state,
  answer(state, { method, path, query, form }) {
    if (path === '/robots.txt') return text('User-agent: *\nDisallow: /admin\n')
    if (path === '/') return page('Forum', nav, '<p>Ask those who have tried it.</p>')
    if (path === '/categories')
      return page('Categories', nav, `<ul>${categories.map((name) => `<li><a href="/in/${name}">${name}</a></li>`).join('')}</ul>`)
    const category = categories.find((name) => path === `/in/${name}`)
    if (category) {
      const own = state.threads.filter((one) => one.category === category)
      return listPage(category, own, query, path)
    }
    if (path === '/threads/new') return newPage()
    if (path === '/threads' && method === 'GET') {
      const q = query.get('q') ?? ''
      const found = state.threads.filter((one) => one.title.toLowerCase().includes(q.toLowerCase()))
      return listPage('Threads', found, query, `/threads?${new URLSearchParams({ q })}`)
    }
    if (path === '/threads') {
      const id = Math.max(...state.threads.map((one) => one.id)) + 1
      const [title, chosen] = [form.get('title') ?? '', form.get('category') ?? '']
      const first = { author: 'me', text: form.get('text') ?? '' }
      state.threads.unshift({ id, title, author: 'me', category: chosen, replies: [first], isLocked: false, isWatched: false })
      return seeOther(`/threads/${id}`)
    }
    if (path === '/profile') {
      if (method === 'POST') {
        state.signature = form.get('signature') ?? ''
        return seeOther('/profile')
      }
      return page(
        'My profile',
        nav,
        `<form method="post" action="/profile"><label>Signature <textarea name="signature">${html(state.signature)}</textarea></label> <button>Save profile</button></form>`,
      )
    }
    const [, id, action] = /^\/threads\/(\d+)(?:\/(\w+))?$/.exec(path) ?? []
    const thread = state.threads.find((one) => one.id === Number(id))
    if (!thread) return missing()
    if (method === 'GET') return threadPage(thread)
    write(thread, action, form)
    return seeOther(`/threads/${thread.id}`)
  },
}

/** An issue tracker whose API does all that its pages do. Lists show little; an issue's own page shows everything. */
import { dice, html, json, missing, option, page, paged, type Reply, type Site, seeOther, text } from './site.ts'
import { trackerOpenApiDocument } from './tracker-openapi-document.ts'

export type Issue = {
  number: number
  title: string
  description: string
  state: 'open' | 'closed'
  labels: string[]
  assignee_id: number | null
  priority: 'low' | 'normal' | 'high'
  milestone: string
  votes: number
  estimate: number
  comments: string[]
}
export type Tracker = { issues: Issue[] }

export const teams = ['Import team', 'Editor team', 'Billing team', 'Search team', 'Platform team'].map((name, index) => ({
  id: 11 + index,
  name,
}))
export const labels = ['bug', 'feature', 'regression', 'billing', 'performance', 'docs', 'search', 'accessibility']
const milestones = ['Spring', 'Summer', 'Autumn', 'Winter']
const priorities = ['low', 'normal', 'high'] as const
const things = ['Export', 'Import', 'Search', 'Preview', 'Clipboard', 'Invoice', 'Login', 'Sidebar', 'Shortcut', 'Upload']
const faults = ['fails', 'is slow', 'flickers', 'loses focus', 'shows an old value', 'repeats itself', 'stops half way', 'is cut off']
const moments = ['on an empty project', 'on resize', 'after a restart', 'with long names', 'at night', 'when offline', 'on small screens']

function fresh(): Tracker {
  const roll = dice(7)
  const issues = things.flatMap((thing) =>
    faults.flatMap((fault) =>
      moments.map(
        (moment): Omit<Issue, 'number'> => ({
          title: `${thing} ${fault} ${moment}`,
          description: `${thing} ${fault} ${moment}, seen twice this week.`,
          state: roll(5) < 3 ? 'open' : 'closed',
          labels: [...new Set([labels[roll(labels.length)] ?? 'bug', labels[roll(labels.length)] ?? 'bug'])],
          assignee_id: roll(3) === 0 ? null : (teams[roll(teams.length)]?.id ?? null),
          priority: priorities[roll(3)] ?? 'normal',
          milestone: milestones[roll(4)] ?? 'Spring',
          votes: roll(90_000),
          estimate: 1 + roll(40),
          comments: [],
        }),
      ),
    ),
  )
  return { issues: issues.map((issue, index) => ({ number: 1 + index, ...issue })).reverse() }
}

const nav = '<nav aria-label="Main"><a href="/">Home</a> <a href="/issues">Issues</a> <a href="/issues/new">New issue</a></nav>'
const nameOf = (id: number | null) => teams.find((team) => team.id === id)?.name ?? 'Nobody'

function listPage({ issues }: Tracker, query: URLSearchParams): Reply {
  const [q, state, label] = [query.get('q') ?? '', query.get('state') ?? '', query.get('label') ?? '']
  const found = issues.filter(
    (one) => one.title.toLowerCase().includes(q.toLowerCase()) && (!state || one.state === state) && (!label || one.labels.includes(label)),
  )
  const link = (at: number) => `/issues?${new URLSearchParams({ q, state, label, page: String(at) })}`
  const { items, links } = paged(found, Number(query.get('page') ?? 1), 20, link)
  const rows = items.map(
    (one) =>
      `<tr><td>${one.number}</td><td><a href="/issues/${one.number}">${html(one.title)}</a></td><td>${one.state}</td><td>${html(one.labels.join(', '))}</td></tr>`,
  )
  const filter = `<form action="/issues" role="search"><label>Title contains <input type="search" name="q" value="${html(q)}"></label> <label>State <select name="state">${option('', 'any', state)}${['open', 'closed'].map((one) => option(one, one, state)).join('')}</select></label> <label>Label <select name="label">${option('', 'any', label)}${labels.map((one) => option(one, one, label)).join('')}</select></label> <button>Apply</button></form>`
  const table = `<table><thead><tr><th>Number</th><th>Title</th><th>State</th><th>Labels</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  return page('Issues', nav, `${filter}${table}${links}`)
}

function issuePage(one: Issue): Reply {
  const facts = {
    Number: one.number,
    State: one.state,
    Labels: one.labels.join(', '),
    Assignee: nameOf(one.assignee_id),
    Priority: one.priority,
    Milestone: one.milestone,
    Votes: one.votes,
    Estimate: `${one.estimate} hours`,
  }
  const list = Object.entries(facts).map(([name, value]) => `<dt>${name}</dt><dd>${html(value)}</dd>`)
  const at = `/issues/${one.number}`
  const chooser = (name: string, field: string, options: string) =>
    `<form method="post" action="${at}"><label>${name} <select name="${field}">${options}</select></label> <button>Save ${name.toLowerCase()}</button></form>`
  return page(
    one.title,
    nav,
    `<p>${html(one.description)}</p><dl>${list.join('')}</dl>
    <form method="post" action="${at}"><input type="hidden" name="state" value="${one.state === 'open' ? 'closed' : 'open'}"><button>${one.state === 'open' ? 'Close issue' : 'Reopen issue'}</button></form>
    ${chooser('Assignee', 'assignee_id', option('', 'Nobody', one.assignee_id ?? '') + teams.map(({ id, name }) => option(id, name, one.assignee_id)).join(''))}
    ${chooser('Priority', 'priority', priorities.map((name) => option(name, name, one.priority)).join(''))}
    <section aria-label="Comments"><h2>Comments</h2><ol>${one.comments.map((comment) => `<li>${html(comment)}</li>`).join('')}</ol>
    <form method="post" action="${at}/comments"><label>Comment <textarea name="text"></textarea></label> <button>Add comment</button></form></section>`,
  )
}

const newPage = () =>
  page(
    'New issue',
    nav,
    `<form method="post" action="/issues"><p><label>Title <input name="title" required></label></p><p><label>Description <textarea name="description"></textarea></label></p><p><label>Label <select name="label">${option('', 'none')}${labels.map((one) => option(one, one)).join('')}</select></label></p><button>Create issue</button></form>`,
  )

type Draft = { title: string; description?: string; labels?: string[] }
function create(state: Tracker, { title, description = '', labels: given = [] }: Draft): Issue {
  const issue: Issue = {
    number: Math.max(...state.issues.map((one) => one.number)) + 1,
    title,
    description,
    state: 'open',
    labels: given,
    assignee_id: null,
    priority: 'normal',
    milestone: '',
    votes: 0,
    estimate: 0,
    comments: [],
  }
  state.issues.unshift(issue)
  return issue
}

export const tracker: Site<Tracker> = {
  fresh,
  look: ({ issues }) => issues,
  answer(state, { method, path, query, form, json: sent }) {
    if (path === '/robots.txt') return text('User-agent: *\nDisallow: /admin\n')
    if (path === '/openapi.json') return json(trackerOpenApiDocument)
    if (path === '/') return page('Tracker', nav, '<p>What is broken, and who mends it.</p>')
    if (path.startsWith('/api/v1/')) return api(state, method, path.slice(7), query, sent)
    if (path === '/issues/new') return newPage()
    if (path === '/issues' && method === 'GET') return listPage(state, query)
    if (path === '/issues') {
      const label = form.get('label')
      const made = create(state, {
        title: form.get('title') ?? '',
        description: form.get('description') ?? '',
        labels: label ? [label] : [],
      })
      return seeOther(`/issues/${made.number}`)
    }
    const [, number, rest] = /^\/issues\/(\d+)(\/comments)?$/.exec(path) ?? []
    const issue = state.issues.find((one) => one.number === Number(number))
    if (!issue) return missing()
    if (method === 'GET') return issuePage(issue)
    if (rest) issue.comments.push(form.get('text') ?? '')
    if (form.has('assignee_id')) issue.assignee_id = form.get('assignee_id') ? Number(form.get('assignee_id')) : null
    change(issue, Object.fromEntries(form))
    return seeOther(`/issues/${issue.number}`)
  },
}

function change(issue: Issue, sent: { readonly [name: string]: unknown }): boolean {
  const { state, priority } = sent
  if (state !== undefined && state !== 'open' && state !== 'closed') return false
  if (priority !== undefined && !priorities.includes(priority as 'low')) return false
  if (state) issue.state = state
  if (priority) issue.priority = priority as Issue['priority']
  return true
}

function api(state: Tracker, method: string, path: string, query: URLSearchParams, sent: unknown): Reply {
  const given = (typeof sent === 'object' && sent !== null ? sent : {}) as { [name: string]: unknown }
  if (path === '/teams') return json(teams)
  if (path === '/issues' && method === 'POST') {
    if (typeof given.title !== 'string' || !given.title) return json({ error: 'title is required' }, 422)
    return json(create(state, given as Draft), 201)
  }
  if (path === '/issues') {
    const found = state.issues.filter(
      (one) =>
        (!query.has('state') || one.state === query.get('state')) &&
        (!query.has('label') || one.labels.includes(query.get('label') ?? '')) &&
        (!query.has('assignee_id') || String(one.assignee_id) === query.get('assignee_id')) &&
        one.title.toLowerCase().includes((query.get('q') ?? '').toLowerCase()),
    )
    const size = Math.min(100, Number(query.get('per_page') ?? 30))
    const at = Number(query.get('page') ?? 1)
    const items = found.slice((at - 1) * size, at * size).map((one) => ({ ...one, assignee: nameOf(one.assignee_id) }))
    return json({ total: found.length, items })
  }
  const [, number, rest] = /^\/issues\/(\d+)(\/comments)?$/.exec(path) ?? []
  const issue = state.issues.find((one) => one.number === Number(number))
  if (!issue) return json({ error: 'no such issue' }, 404)
  if (rest) {
    if (method !== 'POST' || typeof given.text !== 'string') return json({ error: 'text is required' }, 422)
    issue.comments.push(given.text)
    return json({ text: given.text }, 201)
  }
  if (method === 'PATCH') {
    const { assignee_id: assignee } = given
    if (assignee !== undefined && assignee !== null && !teams.some((team) => team.id === assignee))
      return json({ error: 'no such team' }, 422)
    if (!change(issue, given)) return json({ error: 'unknown value' }, 422)
    if (assignee !== undefined) issue.assignee_id = assignee as number | null
  }
  return json({ ...issue, assignee: nameOf(issue.assignee_id) })
}

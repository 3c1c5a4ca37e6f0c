import type { InboxKind } from '../inbox/read-person-inbox.ts'

/** What the mail is about. `title`: null for a private goal. */
export type MailContent = {
  readonly event: InboxKind
  readonly title: string | null
  readonly url: string
  readonly until: Date | null
  readonly unsubscribeUrl: string
  readonly settingsUrl: string
}
export type ComposedMail = { readonly subject: string; readonly text: string; readonly html: string }

const texts: { readonly [event in InboxKind]: { readonly action: string; readonly lead: string } } = {
  fund: { action: 'Sign the payment', lead: 'Your goal waits for your payment.' },
  question: { action: 'Answer a question', lead: 'The planner of your goal asks you a question.' },
  approve: { action: 'Approve the team', lead: 'The team of your goal waits for your approval.' },
  confirm: { action: 'Confirm the plan', lead: 'The plan of your goal waits for your confirmation.' },
  review: { action: 'Review the result', lead: 'The result of your goal is ready for your review.' },
  submission: {
    action: 'Check a payment',
    lead: 'A payee submitted work to the escrow that you have not accepted. The escrow pays it unless you dispute it.',
  },
  demand: { action: 'Post your goal', lead: 'Agents online can now do what you wanted.' },
}
const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** The mail about one event: plain text, and the same as simple HTML. */
export function composeMail({ event, title, url, until, unsubscribeUrl, settingsUrl }: MailContent): ComposedMail {
  const { action, lead } = texts[event]
  const facts = [...(title === null ? [] : [title]), ...(until === null ? [] : [`Until ${utc.format(until)} UTC`])]
  const reason = 'You get this mail because your account sends notifications to this address.'
  return {
    subject: title === null ? action : `${action}: ${title}`,
    text: [lead, ...facts, `${action}:\n${url}`, `${reason}\nSettings: ${settingsUrl}\nUnsubscribe: ${unsubscribeUrl}`].join('\n\n'),
    html: page([
      paragraph(escapeHtml(lead)),
      ...facts.map((fact) => paragraph(escapeHtml(fact))),
      paragraph(link(url, action)),
      `<p style="color:#666;font-size:13px">${escapeHtml(reason)}<br>${link(settingsUrl, 'Settings')} · ${link(unsubscribeUrl, 'Unsubscribe')}</p>`,
    ]),
  }
}

/** The mail with the code that confirms an address. */
export function composeCodeMail({ code, minutes }: { readonly code: string; readonly minutes: number }): ComposedMail {
  const lead = 'Enter this code on your account page to confirm this address:'
  const rest = `The code is valid for ${minutes} minutes. If you did not request it, ignore this mail.`
  return {
    subject: `Your code is ${code}`,
    text: [lead, code, rest].join('\n\n'),
    html: page([paragraph(escapeHtml(lead)), `<p style="font-size:24px;letter-spacing:2px">${code}</p>`, paragraph(escapeHtml(rest))]),
  }
}

function page(parts: readonly string[]): string {
  return `<!doctype html><html lang="en"><body style="font-family:sans-serif;font-size:16px;line-height:1.5">${parts.join('')}</body></html>`
}

function paragraph(html: string): string {
  return `<p>${html}</p>`
}

function link(url: string, label: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Goals with a URL: their text is the task of a web agent. */
import type { SkillOffer } from '../plan/skill-offers.ts'
import type { GoalIntent } from './goal-intent.ts'

/** Undefined if the text has no URL, or no offer takes such tasks. */
export function parseWebGoal(text: string, offers: readonly SkillOffer[]): GoalIntent | undefined {
  const [address] = /https?:\/\/[^\s"“”«»<>]+/.exec(text) ?? []
  const offer = offers.find(({ skill }) => skill.inputs.some((port) => port.type === 'query.web'))
  const type = offer?.skill.outputs[0]?.type
  if (!address || !type || isPasted(text, address) || encodesAddress.test(text)) return undefined
  return {
    wants: [{ type, needed: true }],
    givens: [{ type: 'query.web', data: { task: text } }],
    summary: `I read the goal as a task on ${URL.parse(address)?.host ?? 'a site'}.`,
  }
}

/** The address itself is the material. */
const encodesAddress = /\bqr\b|二维码/iu
const namesPage = /\b(?:web|website|web ?page|page|site|url|link|address|browser|online|open|visit|go to|fetch|crawl|scrape)\b/i

/** Whether the URL stands in material below the task, and the task itself names no page. */
function isPasted(text: string, address: string): boolean {
  const [task = '', ...material] = text.trim().split(/\n\s*\n/)
  return material.length > 0 && !task.includes(address) && !namesPage.test(task)
}

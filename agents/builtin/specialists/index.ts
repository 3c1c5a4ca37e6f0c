/** Owns the agents that work with a language model. Never plans. Uses the configured endpoint, the deterministic tools, and for research the web. */
import type { ListingDraft } from '@parley/protocol'
import type { ModelSettings } from '../model/model-settings.ts'
import type { SkillFunction } from '../skill.ts'
import { createPageReader, type PageReader } from './research/page-reader.ts'
import { codingSpecialist } from './skills/coding-specialist.ts'
import { computingSpecialists } from './skills/computing-specialists.ts'
import { generalSpecialist } from './skills/general-specialist.ts'
import { readingSpecialists } from './skills/reading-specialists.ts'
import { researchSpecialist } from './skills/research-specialist.ts'
import { reviewSpecialist } from './skills/review-specialist.ts'
import { writingSpecialists } from './skills/writing-specialists.ts'
import { type Specialist, specialistSkillOf, toSkillFunction } from './specialist.ts'
import type { SpecialistName } from './specialist-names.ts'

/** Origins inside this machine's network that research may read. */
type ResearchOptions = { readonly local: readonly string[]; readonly reader?: PageReader }

/** The specialists of each listing. */
export function specialistsOf(
  name: SpecialistName,
  { searchUrl }: Pick<ModelSettings, 'searchUrl'>,
  { local, reader }: ResearchOptions,
): readonly Specialist[] {
  switch (name) {
    case 'generalist':
      return [generalSpecialist]
    case 'author':
      return writingSpecialists
    case 'reader':
      return [...readingSpecialists, ...computingSpecialists]
    case 'researcher':
      return [researchSpecialist(reader ?? createPageReader({ searchUrl, local }))]
    case 'coder':
      return [codingSpecialist]
    case 'assessor':
      return [reviewSpecialist]
  }
}

/** The functions of a listing, by skill id. */
export const specialistSkills = (
  name: SpecialistName,
  settings: ModelSettings,
  options: ResearchOptions,
): { readonly [skill: string]: SkillFunction } =>
  Object.fromEntries(specialistsOf(name, settings, options).map((one) => [one.skill.id, toSkillFunction(one, settings)]))

const texts: { readonly [name in SpecialistName]: Pick<ListingDraft, 'name' | 'summary' | 'readme'> } = {
  generalist: {
    name: 'House Generalist',
    summary: 'Answers requests of any kind with a language model, and computes figures with tools.',
    readme:
      'Reads a request, and answers it as a text, a translation, a summary, or from your files. Arithmetic, dates and questions over tables become queries of deterministic tools, so no figure is a guess. It declines what needs the web or an action in the world.',
  },
  author: {
    name: 'House Author',
    summary: 'Writes, summarises and translates with a language model.',
    readme:
      'A summary with a number that the text does not have is refused. The language of a longer translation is checked. Numbers that your request does not have are named, so that you can check them.',
  },
  reader: {
    name: 'House Reader',
    summary: 'Extracts, classifies, and answers questions over documents and tables with a language model and tools.',
    readme:
      'Each extracted value and each answer from a document has its quotation, which is compared with the text. Questions over tables and calculations become queries of tools. The answer shows the query.',
  },
  researcher: {
    name: 'House Researcher',
    summary: 'Researches questions on the web with a language model, and cites the exact words of each page.',
    readme:
      'Reads pages that you name, or those that a search finds, and respects robots.txt. Each statement has a quotation, which is compared with its page. If the pages do not answer the question, the task fails and costs nothing.',
  },
  coder: {
    name: 'House Coder',
    summary: 'Writes JavaScript with tests, and delivers only code that passes them in a sandbox.',
    readme:
      'The code runs in QuickJS, compiled to WebAssembly, with 64 MiB of memory, 2 s for each test, and without files and network. Tests that a function without a body would pass are refused.',
  },
  assessor: {
    name: 'House Assessor',
    summary: 'Reviews deliverables against your criteria with a language model, and cites its evidence.',
    readme:
      'A criterion counts as met only with words of a deliverable, which are compared with it. It says so if no deliverable answers the goal. It never reviews its own work.',
  },
}

/** The listing of an agent that works with a model. It names the endpoint that receives the texts. */
export function specialistDraftOf(name: SpecialistName, payout: string, settings: ModelSettings): ListingDraft {
  const skills = specialistsOf(name, settings, { local: [] }).map((one) => specialistSkillOf(one, settings))
  const policy = { data_use: dataUseOf(settings), max_concurrency: 4 }
  return { handle: `house-${name}`, ...texts[name], skills, policy, payout: payout.toLowerCase() }
}

const dataUseOf = ({ baseURL, model }: ModelSettings): string =>
  `Inputs are sent to the language model ${model} at ${baseURL === undefined ? 'api.openai.com' : new URL(baseURL).host}. This agent keeps nothing; the terms of that endpoint apply there.`.slice(
    0,
    400,
  )

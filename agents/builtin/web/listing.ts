/** The listing of the web agent. */
import type { ListingDraft } from '@parley/protocol'

const taskSchema = {
  type: 'object',
  required: ['task'],
  properties: {
    task: {
      type: 'string',
      maxLength: 2000,
      description: 'One thing in each sentence, names and texts in quotation marks, with the address of the site.',
    },
    sites: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 5,
      description: 'Origins that may be touched, the first one first; those in the task otherwise.',
    },
    strategy: { enum: ['hybrid', 'api', 'browse'], default: 'hybrid' },
    mode: { enum: ['deterministic', 'model'], default: 'deterministic' },
    document: { type: 'string', description: 'Where the OpenAPI document of the first site is; looked for in the usual places otherwise.' },
  },
}

export const webListing: Pick<ListingDraft, 'name' | 'summary' | 'readme' | 'skills' | 'policy'> = {
  name: 'House Web',
  summary: 'Does tasks on web sites: by their pages, by their API, or by both, whichever is quicker for each step.',
  readme: [
    'Give it a task in plain English and the address of the site. It asks the API for what the API tells, and takes the pages for the rest.',
    '',
    '- It goes to the sites of the task and nowhere else, with a profile that is new for each task and gone afterwards. It is signed in nowhere.',
    '- It says that it is a program, keeps away from where robots.txt asks programs to, and asks a site four times a second at most.',
    '- A task that only asks changes nothing. What pages say is read, never obeyed.',
    '- The result holds every step with what came of it, and what was refused.',
    '- At most 30 steps, 3 minutes, 50 MiB and 3 downloads for each task.',
  ].join('\n'),
  skills: [
    {
      id: 'web.do',
      name: 'Do a task on a web site',
      description: 'Answers questions from web sites and does what they have forms, buttons or an API for: fill in, post, order, change.',
      inputs: [{ name: 'query', type: 'query.web', description: 'The task and the site.', optional: false, schema: taskSchema }],
      outputs: [{ name: 'result', type: 'web.result', description: 'The answer, with all steps as JSON.', optional: false }],
      price: '800000',
      tags: ['web', 'website', 'browser', 'browse', 'form', 'OpenAPI'],
      samples: [
        {
          title: 'A question',
          input: { task: 'On https://tracker.example, how many open issues have the label "bug"?' },
          output: '{"answer":"17","steps":{"browse":0,"api":1}}',
        },
      ],
    },
  ],
  policy: {
    data_use:
      'The sites of a task receive what it takes to do it. A model sees task and pages only where the query asks for the mode “model”. Nothing is kept.',
    max_concurrency: 2,
  },
}

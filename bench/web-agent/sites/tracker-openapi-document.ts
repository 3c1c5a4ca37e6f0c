/** The tracker's API description. */
const string = { type: 'string' }
const integer = { type: 'integer' }
const query = (name: string, schema: object, description = '') => ({ name, in: 'query', description, schema })
const number = { name: 'number', in: 'path', required: true, schema: integer }
const body = (schema: object) => ({ required: true, content: { 'application/json': { schema } } })
const answer = (schema: object) => ({ description: 'Done', content: { 'application/json': { schema } } })
const issue = { $ref: '#/components/schemas/Issue' }

export const trackerOpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Tracker', version: '1.4.0' },
  servers: [{ url: '/api/v1' }],
  paths: {
    '/issues': {
      get: {
        operationId: 'listIssues',
        summary: 'List issues, newest first',
        parameters: [
          query('state', { enum: ['open', 'closed'] }),
          query('label', string),
          query('assignee_id', integer, 'Id of a team, from GET /teams'),
          query('q', string, 'Words of the title'),
          query('page', { type: 'integer', default: 1 }),
          query('per_page', { type: 'integer', default: 30, maximum: 100 }),
        ],
        responses: { 200: answer({ type: 'object', properties: { total: integer, items: { type: 'array', items: issue } } }) },
      },
      post: {
        operationId: 'createIssue',
        summary: 'Create an issue',
        requestBody: body({
          type: 'object',
          required: ['title'],
          properties: { title: string, description: string, labels: { type: 'array', items: string } },
        }),
        responses: { 201: answer(issue) },
      },
    },
    '/issues/{number}': {
      parameters: [number],
      get: { operationId: 'getIssue', summary: 'One issue', responses: { 200: answer(issue) } },
      patch: {
        operationId: 'updateIssue',
        summary: 'Change an issue',
        requestBody: body({
          type: 'object',
          properties: {
            state: { enum: ['open', 'closed'] },
            priority: { enum: ['low', 'normal', 'high'] },
            assignee_id: { type: ['integer', 'null'], description: 'Id of a team, from GET /teams' },
          },
        }),
        responses: { 200: answer(issue) },
      },
    },
    '/issues/{number}/comments': {
      parameters: [number],
      post: {
        operationId: 'addComment',
        summary: 'Comment on an issue',
        requestBody: body({ type: 'object', required: ['text'], properties: { text: string } }),
        responses: { 201: answer({ type: 'object', properties: { text: string } }) },
      },
    },
    '/teams': {
      get: {
        operationId: 'listTeams',
        summary: 'The teams that issues are assigned to',
        responses: { 200: answer({ type: 'array', items: { type: 'object', properties: { id: integer, name: string } } }) },
      },
    },
  },
  components: {
    schemas: {
      Issue: {
        type: 'object',
        properties: {
          number: integer,
          title: string,
          description: string,
          state: { enum: ['open', 'closed'] },
          labels: { type: 'array', items: string },
          assignee_id: { type: ['integer', 'null'] },
          assignee: string,
          priority: { enum: ['low', 'normal', 'high'] },
          milestone: string,
          votes: integer,
          estimate: { type: 'integer', description: 'Hours' },
        },
      },
    },
  },
}

import { randomBytes } from 'node:crypto'
import { uuidv7 } from '@parley/protocol'
import { transformer } from '../../server/trpc/transformer.ts'
import { type DemoClient, signIn } from '../../test/demo/client.ts'

/** A signed-in person who reads pages and posts goals, each once, without retries. */
export type Visitor = {
  readonly counts: { requests: number; failed: number; signedOut: number; slowBodies: number }
  /** Goals that the server confirmed, and descriptions of failed requests. */
  readonly posted: string[]
  readonly failures: string[]
  end(): Promise<void>
}

const pages = ['/', '/goals', '/agents']
const pauseMs = 20
/** The delay between two of the four parts of a slow body. */
const pieceMs = 300
const chainId = { id: async () => 31_337 }

/** `slowly`: sends bodies in parts, so that most requests are in flight when a web process is stopped. */
export async function startSignedInVisitor(webUrl: string, slowly: boolean): Promise<Visitor> {
  const client = await signIn(webUrl, chainId as Parameters<typeof signIn>[1])
  const counts = { requests: 0, failed: 0, signedOut: 0, slowBodies: 0 }
  const posted: string[] = []
  const failures: string[] = []
  let isOver = false

  async function counted(what: string, work: () => Promise<void>): Promise<void> {
    counts.requests++
    try {
      await work()
    } catch (error) {
      counts.failed++
      failures.push(`${what}: ${error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : String(error)}`.slice(0, 160))
    }
  }

  async function read(turn: number): Promise<void> {
    const page = pages[turn % pages.length] ?? '/'
    await counted(page, async () => {
      const response = await client.fetch(`${webUrl}${page}`)
      await response.text()
      if (!response.ok) throw new Error(`answered ${response.status}`)
    })
    await counted('sessions', async () => {
      const sessions = await client.api.identity.listSessions.query()
      if (sessions.length === 0) counts.signedOut++
    })
  }

  const post = () =>
    counted('post', async () => {
      const input = goal()
      const { goal_id } = slowly ? await postInPieces(client, input, () => counts.slowBodies++) : await client.api.goals.post.mutate(input)
      posted.push(goal_id)
    })

  const running = (async () => {
    for (let turn = 0; !isOver; turn++) {
      if (slowly) await post()
      else {
        await read(turn)
        if (turn % 12 === 0) await post()
      }
      await new Promise((resolve) => setTimeout(resolve, slowly ? pieceMs : pauseMs))
    }
  })()
  return {
    counts,
    posted,
    failures,
    end() {
      isOver = true
      return running
    },
  }
}

const goal = () => ({
  id: uuidv7(Date.now(), randomBytes(10)),
  goal: {
    text: 'A report on the discussion.',
    criteria: [{ text: 'It is whole.' }],
    budget: '1000000',
    deadline: new Date(Date.now() + 3_600_000).toISOString(),
    review_hours: 1,
    visibility: 'private' as const,
    planner: 'deterministic' as const,
  },
  attachments: [],
})

/** The same request with the body in four parts. */
async function postInPieces({ webUrl, fetch }: DemoClient, input: ReturnType<typeof goal>, sent: () => void): Promise<{ goal_id: string }> {
  const text = JSON.stringify(transformer.input.serialize(input))
  const quarter = Math.ceil(text.length / 4)
  const body = new ReadableStream({
    async start(pieces) {
      for (let at = 0; at < text.length; at += quarter) {
        pieces.enqueue(Buffer.from(text.slice(at, at + quarter)))
        await new Promise((resolve) => setTimeout(resolve, pieceMs))
      }
      pieces.close()
      sent()
    },
  })
  const headers = { 'content-type': 'application/json' }
  const asked = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  const response = await fetch(`${webUrl}/api/trpc/goals.post`, asked)
  const answer = await response.text()
  if (!response.ok) throw new Error(`answered ${response.status}: ${answer.slice(0, 100)}`)
  return transformer.output.deserialize((JSON.parse(answer) as { result: { data: never } }).result.data) as { goal_id: string }
}

/** A small SMTP server on loopback for tests (RFC 5321, without extensions): it keeps what it takes, and refuses when a test requests it. */
import { createServer, type Socket } from 'node:net'

/** `subject`, `text` and `html`: decoded. `headers`: by name in lower case, unfolded. */
export type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  readonly headers: { readonly [name: string]: string }
  readonly subject: string
  readonly text: string
  readonly html: string
}

export type SmtpServer = AsyncDisposable & {
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  /** Whether it answers every mail with a temporary failure. */
  refuses: boolean
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const state = { refuses: false }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    converse(socket, (mail) => {
      if (state.refuses) return false
      mails.push(mail)
      return true
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the SMTP server has no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    get refuses() {
      return state.refuses
    },
    set refuses(value) {
      state.refuses = value
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

/** One connection. `take` states whether a mail is accepted. */
function converse(socket: Socket, take: (mail: ReceivedMail) => boolean): void {
  const reply = (line: string) => socket.write(`${line}\r\n`)
  let [from, to, data] = ['', [] as string[], null as string[] | null]
  let rest = ''
  const answer = (line: string) => {
    if (data !== null) {
      if (line !== '.') return void data.push(line.replace(/^\.\./, '.'))
      reply(take({ from, to, ...parseMail(data) }) ? '250 Taken' : '451 Try again later')
      ;[from, to, data] = ['', [], null]
      return
    }
    const [, verb = '', argument = ''] = /^(EHLO|HELO|MAIL FROM|RCPT TO|DATA|RSET|NOOP|QUIT):?\s*(.*)$/i.exec(line) ?? []
    const inBrackets = /<([^>]*)>/.exec(argument)?.[1] ?? ''
    switch (verb.toUpperCase()) {
      case 'MAIL FROM':
        from = inBrackets
        return reply('250 OK')
      case 'RCPT TO':
        to.push(inBrackets)
        return reply('250 OK')
      case 'DATA':
        data = []
        return reply('354 End with a dot')
      case 'QUIT':
        return socket.end('221 Bye\r\n')
      case '':
        return reply('502 Unknown command')
      default:
        return reply('250 OK')
    }
  }
  socket.setEncoding('latin1').on('data', (chunk) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) answer(line)
  })
  reply('220 test.invalid ESMTP')
}

function parseMail(lines: readonly string[]): Omit<ReceivedMail, 'from' | 'to'> {
  const { headers, body } = parsePart(lines.join('\r\n'))
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1]
  const parts =
    boundary === undefined
      ? [{ headers, body }]
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((one) => parsePart(one.trimStart()))
  const partOf = (type: string) => parts.find((part) => part.headers['content-type']?.startsWith(type))
  const decoded = (type: string) => {
    const part = partOf(type)
    return part ? decode(part.body, part.headers['content-transfer-encoding'] ?? '7bit').trim() : ''
  }
  return { headers, subject: decodeWords(headers.subject ?? ''), text: decoded('text/plain'), html: decoded('text/html') }
}

function parsePart(raw: string): { headers: { [name: string]: string }; body: string } {
  const [head = '', ...body] = raw.split('\r\n\r\n')
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = Object.fromEntries(
    unfolded.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { headers, body: body.join('\r\n\r\n') }
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
  const bytes = body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}

/** Encoded words of a header: RFC 2047. */
function decodeWords(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString('utf8') : decode(text.replaceAll('_', ' '), 'quoted-printable'),
    )
}

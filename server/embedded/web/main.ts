// The web process: serves the built pages, and stops in order. `--host H --port N --leave-ms N`: how long it continues to serve after a
// stop signal while it reports that it is not ready. A proxy must probe within that time.
import { parseArgs } from 'node:util'
import next from 'next'
import { parseTrustedProxies, setClientAddress } from '../../http/client-ip-address.ts'
import { isSignedIn } from '../../http/register-login-check.ts'
import { requestTargetFault } from '../../http/request-target.ts'
import { truncateUserAgent } from '../../http/truncate-user-agent.ts'
import { root } from '../processes/run-script.ts'
import { compressResponses } from './compress-responses.ts'
import { createWebBodyReceiver } from './web-body-receiver.ts'
import { startWebServer } from './web-server.ts'

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '3000' },
    'leave-ms': { type: 'string', default: '0' },
  },
})
const [host, port] = [values.host, Number(values.port)]
const pages = next({ dev: false, dir: root, hostname: host, port })
await pages.prepare()
const handle = compressResponses(root, pages.getRequestHandler())
const trusted = parseTrustedProxies(process.env.TRUSTED_PROXIES ?? '')
const admit = createWebBodyReceiver({ isSignedIn })
const server = await startWebServer(
  async (request, response) => {
    setClientAddress(request, trusted)
    truncateUserAgent(request)
    const fault = requestTargetFault(request.url ?? '/')
    if (fault !== null) {
      response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(`${fault}\n`)
      return
    }
    const admitted = await admit(request, response)
    if (admitted) await handle(admitted, response)
  },
  { host, port, leaveMs: Number(values['leave-ms']) },
)

let isEnding = false
async function end(): Promise<void> {
  // A second signal stops at once.
  if (isEnding) process.exit(1)
  isEnding = true
  await server.leave()
  process.exit(0)
}
process.on('SIGTERM', () => void end())
process.on('SIGINT', () => void end())

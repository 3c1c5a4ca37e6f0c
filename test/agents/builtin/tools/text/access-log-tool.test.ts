import { describe, expect, it } from 'vitest'
import { askTextTools } from './ask-text-tools.ts'

const log = `198.51.100.7 - - [03/Feb/2026:09:10:01 +0000] "GET /shop?x=1 HTTP/1.1" 502 157 "-" "Mozilla/5.0"
198.51.100.7 - - [03/Feb/2026:09:59:19 +0000] "GET /shop HTTP/1.1" 200 1000 "-" "Mozilla/5.0"
203.0.113.9 - - [03/Feb/2026:10:01:40 +0000] "GET /img/500.png HTTP/1.1" 200 502 "-" "curl/8.5.0"
203.0.113.9 - ann [03/Feb/2026:10:02:02 +0000] "POST /pay HTTP/1.1" 500 88 "https://shop.example/\\"a" "Mozilla/5.0"
-- log rotated --
203.0.113.9 - - [03/Feb/2026:10:03:10 +0000] "POST /pay HTTP/1.1" 503 90 "-" "Mozilla/5.0"
192.0.2.1 - - [03/Feb/2026:11:04:00 +0000] "GET /nothing HTTP/1.1" 404 153 "-" "Mozilla/5.0"
192.0.2.1 - - [03/Feb/2026:11:07:00 +0000] "GET /health HTTP/1.1" 503 - "-" "kube-probe/1.29"
`
const note = '\nRead 7 requests. 1 line is no request and left out.'
const byIp = 'Requests with status 5xx by IP address: 203.0.113.9: 2; 192.0.2.1: 1; 198.51.100.7: 1. 4 in total (503: 2, 500: 1, 502: 1).'
const byPath = 'Requests with status 5xx by path: /pay: 2; /health: 1; /shop: 1. 4 in total (503: 2, 500: 1, 502: 1).'

describe('text.access_log', () => {
  it.each([
    ['Our site was down. Which IP adresses got server errors (5xx) and how many each? Also which path is the worst.', `${byIp}\n${byPath}`],
    ['server errors by ip', byIp],
    ['how many 404s and how many 500s?', 'Requests with status 404: 1.\nRequests with status 500: 1.'],
    ['requests per hour pls', 'Requests by hour: 03/Feb/2026 10:00: 3; 03/Feb/2026 09:00: 2; 03/Feb/2026 11:00: 2. 7 in total.'],
    ['top 1 ip', 'Requests by IP address: 203.0.113.9: 3. 7 in total.'],
    ['how many unique visitors and how much traffic', 'Different IP addresses: 3.\nBytes sent: 1,990.'],
    [
      "Which paths failed? ignore /health please, that's just our monitoring",
      'Requests with status 4xx or 5xx without /health by path: /pay: 2; /nothing: 1; /shop: 1. 4 in total (404: 1, 500: 1, 502: 1, 503: 1).',
    ],
    ['list the POST requests to /pay by status', 'POST requests of /pay by status: 500: 1; 503: 1. 2 in total.'],
    // The second question is about all requests.
    [
      'Which IP address got the most 404s in this log, and in which hour were there the most requests?',
      /^Requests with status 404 by IP address: 192\.0\.2\.1: 1.*\nRequests by hour: 03\/Feb\/2026 10:00: 3/,
    ],
    [
      'My boss wants to know which page failed most often last night. It is the apache log',
      /^Requests with status 4xx or 5xx by path: \/pay: 2/,
    ],
  ])('answers %s', async (text, answer) => {
    const result = await askTextTools(text, log)
    if (answer instanceof RegExp) expect(result.replace('text.access_log: ', '')).toMatch(answer)
    else expect(result).toBe(`text.access_log: ${answer}${note}`)
  })

  it.each(['average response time per path', 'block the bad ips please', 'which country do the visitors come from', 'show me the bots'])(
    'does not read %s',
    async (text) => {
      expect(await askTextTools(text, log)).not.toMatch(/^text\.access_log/)
    },
  )

  it('asks which day is meant where the log covers several', async () => {
    const days = ['03', '04', '05'].map((day) => log.replaceAll('03/Feb', `${day}/Feb`)).join('')
    expect(await askTextTools('which ips got 500s last night', days)).toBe('text.access_log asks')
    expect(await askTextTools('which ips got 500s', days)).toMatch(
      /^text\.access_log: Requests with status 500 by IP address: 203\.0\.113\.9: 3\./,
    )
  })

  it('reads no other logs', async () => {
    expect(await askTextTools('how many 5xx errors per ip', 'INFO started\nERROR stopped\n')).not.toMatch(/^text\.access_log/)
  })
})

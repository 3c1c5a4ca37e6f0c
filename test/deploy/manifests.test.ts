import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { environment } from '../../server/env.ts'

const root = path.join(import.meta.dirname, '../..')
const yaml = createRequire(import.meta.url)('js-yaml') as { loadAll(text: string): unknown[] }
type Probe = { readonly httpGet?: { readonly path: string; readonly port: string } }
type Container = {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly ports?: readonly { name: string; containerPort: number }[]
  readonly env?: readonly { name: string; value?: string; valueFrom?: object }[]
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
  readonly startupProbe?: Probe
  readonly resources?: { requests?: object; limits?: object }
  readonly securityContext?: { allowPrivilegeEscalation?: boolean }
}
type Pod = {
  readonly terminationGracePeriodSeconds?: number
  readonly securityContext?: { runAsNonRoot?: boolean }
  readonly containers: readonly Container[]
}
type Manifest = {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: { readonly [name: string]: string }
  readonly spec?: {
    replicas?: number
    selector?: { app?: string; part?: string }
    ports?: readonly { name: string; port: number; targetPort?: string }[]
    template?: { metadata?: { labels?: { part?: string } }; spec: Pod }
    rules?: readonly { http: { paths: readonly { path: string; backend: { service: { name: string; port: { name: string } } } }[] } }[]
  }
}

const folder = path.join(root, 'deploy/kubernetes')
const manifests = readdirSync(folder).flatMap((file) => yaml.loadAll(readFileSync(path.join(folder, file), 'utf8')) as Manifest[])
const named = (kind: string, name: string) => manifests.find((one) => one.kind === kind && one.metadata.name === name)
const pods = manifests.flatMap((one) => (one.spec?.template ? [{ of: one.metadata.name, pod: one.spec.template.spec }] : []))
const containerOf = (name: string) => named('Deployment', name)?.spec?.template?.spec.containers[0]

type Service = {
  readonly image?: string
  readonly command?: readonly string[]
  readonly environment?: { readonly [name: string]: string }
  readonly user?: string
  readonly stop_grace_period?: string
  readonly deploy?: { readonly replicas: number }
}
const [compose] = yaml.loadAll(readFileSync(path.join(root, 'compose.yaml'), 'utf8')) as [{ services: { [name: string]: Service } }]
const known = new Set(Object.keys(environment.shape))
const secrets = ['DATABASE_URL', ...[...known].filter((name) => /KEY|SECRET/.test(name))]
/** The routes by which a process states how it is, as its code has them. */
const routes = {
  hub: [...readFileSync(path.join(root, 'server/hub/http/route-http-request.ts'), 'utf8').matchAll(/case 'GET (\/\w+)':/g)].map(
    ([, route]) => route,
  ),
  web: readdirSync(path.join(root, 'app/api')).map((name) => `/api/${name}`),
}

describe('the settings of hubs and webs', () => {
  const documented = {
    'compose hub': Object.keys(compose.services.hub?.environment ?? {}),
    'compose web': Object.keys(compose.services.web?.environment ?? {}),
    'compose migrate': Object.keys(compose.services.migrate?.environment ?? {}),
    settings: Object.keys(named('ConfigMap', 'parley')?.data ?? {}),
    'hub.yaml': (containerOf('hub')?.env ?? []).map(({ name }) => name),
    'web.yaml': (containerOf('web')?.env ?? []).map(({ name }) => name),
  }
  it.each(Object.entries(documented))('%s: the server knows every name', (_, names) => {
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })

  it('is all they need, with nothing but references for what is secret', () => {
    const inCluster = new Set([...documented.settings, ...documented['hub.yaml'], ...secrets])
    for (const names of [new Set(documented['compose hub']), inCluster])
      expect([...known].filter((name) => !names.has(name) && !environment.shape[name as 'NATS_URL'].safeParse(undefined).success)).toEqual(
        [],
      )
    expect(documented.settings.filter((name) => secrets.includes(name))).toEqual([])
    for (const { pod } of pods)
      for (const { env = [] } of pod.containers)
        expect(env.filter(({ name, value }) => value !== undefined && /KEY|SECRET|PASSWORD|DATABASE_URL/.test(name))).toEqual([])
    for (const [name, value] of Object.entries(compose.services.hub?.environment ?? {}))
      if (secrets.includes(name)) expect(value, name).toMatch(/\$\{\w+:[?-]/)
  })

  it('is read as it is written there', () => {
    const { data } = named('ConfigMap', 'parley') as { data: object }
    for (const [name, value] of Object.entries(data))
      expect(environment.shape[name as 'NATS_URL'].safeParse(value).success, name).toBe(true)
  })
})

describe('the topology', () => {
  it('is three hubs, two webs, PostgreSQL, NATS and a proxy', () => {
    expect([named('Deployment', 'hub')?.spec?.replicas, named('Deployment', 'web')?.spec?.replicas]).toEqual([3, 2])
    expect([compose.services.hub?.deploy?.replicas, compose.services.web?.deploy?.replicas]).toEqual([3, 2])
    for (const name of ['postgres', 'nats', 'proxy', 'migrate']) expect(compose.services[name], name).toBeDefined()
    expect(named('StatefulSet', 'postgres') && named('Deployment', 'nats') && named('Ingress', 'parley')).toBeDefined()
  })

  it('has ports and probes that the code has', () => {
    const standard = { hub: environment.shape.HUB_PORT.parse(undefined), web: 3_000 }
    for (const name of ['hub', 'web'] as const) {
      const container = containerOf(name)
      const port = container?.ports?.[0]
      expect(port?.containerPort, name).toBe(standard[name])
      for (const probe of [container?.readinessProbe, container?.livenessProbe, container?.startupProbe]) {
        expect(probe?.httpGet?.port).toBe(port?.name)
        expect(routes[name]).toContain(probe?.httpGet?.path)
      }
      const service = named('Service', name)?.spec
      expect(service?.selector?.part).toBe(named('Deployment', name)?.spec?.template?.metadata?.labels?.part)
      expect(service?.ports).toEqual([{ name: 'http', port: standard[name], targetPort: port?.name }])
      expect(compose.services[name]?.command).toEqual(container?.command)
    }
    expect(containerOf('hub')?.readinessProbe?.httpGet?.path).toBe('/readyz')
    const proxy = readFileSync(path.join(root, 'deploy/haproxy.cfg'), 'utf8')
    for (const text of [`hub:${standard.hub}`, `web:${standard.web}`, 'GET /readyz', 'GET /api/health']) expect(proxy).toContain(text)
  })

  it('sends what is below /v1 to hubs and all else to webs', () => {
    const paths = named('Ingress', 'parley')?.spec?.rules?.[0]?.http.paths.map((one) => [one.path, one.backend.service.name])
    expect(paths).toEqual([
      ['/v1', 'hub'],
      ['/', 'web'],
    ])
  })

  it('runs nothing as root, without bounds, or ended before it is done', () => {
    for (const { of, pod } of pods) {
      expect(pod.securityContext?.runAsNonRoot, of).toBe(true)
      for (const container of pod.containers) {
        expect(container.securityContext?.allowPrivilegeEscalation, of).toBe(false)
        expect(Object.keys(container.resources ?? {}), of).toEqual(['requests', 'limits'])
      }
    }
    for (const name of ['hub', 'web']) {
      expect(named('Deployment', name)?.spec?.template?.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30)
      expect(compose.services[name]?.stop_grace_period).toBe('30s')
    }
    expect(readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8')).toMatch(/^USER 1000:1000$/m)
  })
})

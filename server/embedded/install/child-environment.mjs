// The environment that commands and child processes are given: the caller's, with the pinned Node first on the path.
import path from 'node:path'

/** @returns {Record<string, string | undefined>} */
export function callerEnvironment() {
  return process.env
}

/**
 * @param {Record<string, string | undefined>} [added]
 * @returns {NodeJS.ProcessEnv}
 */
export function childEnvironment(added = {}) {
  const bins = path.resolve(import.meta.dirname, '../../../node_modules/.bin')
  const inherited = { ...process.env }
  // npm's own variables would make a nested npm or prisma believe that it runs inside the outer script.
  for (const name of Object.keys(inherited))
    if (name.startsWith('npm_') && !/registry|cache|proxy|userconfig/i.test(name)) delete inherited[name]
  return {
    ...inherited,
    NEXT_TELEMETRY_DISABLED: '1',
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    // What Node has compiled once is read by every later process: most of a short one's time would go into that.
    NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../../.parley/compiled'),
    PATH: [path.dirname(process.execPath), bins, process.env.PATH].filter(Boolean).join(path.delimiter),
    ...added,
  }
}

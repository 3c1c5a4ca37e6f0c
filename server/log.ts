import pino from 'pino'

export type Log = pino.Logger

/** Structured log on stdout. Secrets never reach it: what could hold one is redacted by name. */
export function createLog(name: string, level: string): Log {
  return pino({
    name,
    level,
    base: { name },
    redact: {
      paths: [
        'token',
        '*.token',
        'signature',
        '*.signature',
        'authorization',
        '*.authorization',
        'cookie',
        '*.cookie',
        'privateKey',
        '*.privateKey',
      ],
      censor: '[secret]',
    },
  })
}

import pino from 'pino'

export type Log = pino.Logger

/** Structured log on stdout: each line has a log event code. Fields that could hold a secret are redacted by name. */
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

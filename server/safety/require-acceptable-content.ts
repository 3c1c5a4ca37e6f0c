import type { Context } from '../context.ts'
import { contentRefused } from './errors.ts'

/**
 * Checks one text. `what`: its name in the error.
 * @throws content.refused
 */
export function requireAcceptableText(ctx: Context, text: string, what: string): void {
  const verdict = ctx.ports.screen.text(text)
  if (verdict.answer === 'refuse') throw contentRefused(what, verdict.reason)
}

/**
 * Checks every text and key inside a value of any shape.
 * @throws content.refused
 */
export function requireAcceptableContent(ctx: Context, value: unknown, what: string): void {
  const open: { value: unknown; path: string }[] = [{ value, path: what }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: item, path } = next
    if (typeof item === 'string') requireAcceptableText(ctx, item, path)
    else if (Array.isArray(item)) for (const [index, entry] of item.entries()) open.push({ value: entry, path: `${path}[${index}]` })
    else if (typeof item === 'object' && item !== null)
      for (const [key, entry] of Object.entries(item)) {
        requireAcceptableText(ctx, key, `${path}, a key`)
        open.push({ value: entry, path: `${path}.${key}` })
      }
  }
}

/**
 * Checks an incoming file.
 * @throws content.refused
 */
export function requireAcceptableFile(ctx: Context, file: { name: string; mediaType: string; bytes: Uint8Array }): void {
  const verdict = ctx.ports.screen.file(file)
  if (verdict.answer === 'refuse') throw contentRefused(file.name, verdict.reason)
}

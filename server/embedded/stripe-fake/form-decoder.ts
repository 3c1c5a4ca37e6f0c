/** Form parameters of API v1: `a[b][0]=c`. */
export type Fields = { [name: string]: string | Fields }

export function readForm(text: string): Fields {
  const fields: Fields = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    let at = fields
    for (const key of path.slice(0, -1)) {
      const next = at[key]
      if (typeof next === 'object') at = next
      else {
        const made: Fields = {}
        at[key] = made
        at = made
      }
    }
    const last = path.at(-1) ?? ''
    at[last === '' ? String(Object.keys(at).length) : last] = value
  }
  return fields
}

export function textOf(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : null
}

export function numberOf(fields: Fields, name: string): number | null {
  const text = textOf(fields, name)
  return text === null ? null : Number(text)
}

export function fieldsOf(fields: Fields, name: string): Fields {
  const value = fields[name]
  return typeof value === 'object' ? value : {}
}

/** Names and plain values, such as metadata. */
export function textsOf(fields: Fields, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldsOf(fields, name)).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}

export function listOf(fields: Fields, name: string): string[] {
  return Object.values(fieldsOf(fields, name)).filter((value) => typeof value === 'string')
}

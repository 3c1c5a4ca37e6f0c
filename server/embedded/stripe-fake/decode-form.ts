/** Form parameters of API v1: `a[b][0]=c`. */
export type FormFields = { [name: string]: string | FormFields }

export function decodeForm(text: string): FormFields {
  const fields: FormFields = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    let at = fields
    for (const key of path.slice(0, -1)) {
      const next = at[key]
      if (typeof next === 'object') at = next
      else {
        const made: FormFields = {}
        at[key] = made
        at = made
      }
    }
    const last = path.at(-1) ?? ''
    at[last === '' ? String(Object.keys(at).length) : last] = value
  }
  return fields
}

export function readText(fields: FormFields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : null
}

export function numberOf(fields: FormFields, name: string): number | null {
  const text = readText(fields, name)
  return text === null ? null : Number(text)
}

export function nestedFields(fields: FormFields, name: string): FormFields {
  const value = fields[name]
  return typeof value === 'object' ? value : {}
}

/** Names and plain values, such as metadata. */
export function textsOf(fields: FormFields, name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(nestedFields(fields, name)).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
}

export function listOf(fields: FormFields, name: string): string[] {
  return Object.values(nestedFields(fields, name)).filter((value) => typeof value === 'string')
}

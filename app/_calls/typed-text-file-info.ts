/** File name and media type of a typed text, from the artifact type of the port. */
export function typedTextFileInfo(type: string, text: string): { name: string; media_type: string } {
  const stem = type.replaceAll('.', '-')
  if (/(^|\.)csv$/.test(type)) return { name: `${stem}.csv`, media_type: 'text/csv' }
  if (/(^|\.)markdown$/.test(type)) return { name: `${stem}.md`, media_type: 'text/markdown' }
  if (isJson(text)) return { name: `${stem}.json`, media_type: 'application/json' }
  return { name: `${stem}.txt`, media_type: 'text/plain' }
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

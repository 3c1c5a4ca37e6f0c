/** A thread that hangs or breaks where a text asks for it. */
export function parse(text: string): readonly string[] {
  if (text === 'throw') throw new Error('broken')
  while (text === 'hang');
  return [text]
}

/** Ids with a prefix, without the schemas of the single kinds. @see SPEC.md#identity */

/** The three letters with which an id begins. They name the kind of its object. */
export type IdPrefix =
  | 'agt'
  | 'gol'
  | 'rom'
  | 'inb'
  | 'tsk'
  | 'hld'
  | 'pay'
  | 'evt'
  | 'aud'
  | 'fbk'
  | 'ses'
  | 'tem'
  | 'led'
  | 'ctx'
  | 'tok'
  | 'dsp'
  | 'ofr'
  | 'wdr'
  | 'cal'
  | 'rul'
  | 'dmd'
  | 'ent'

/** An object's id: the prefix, `_`, and the 32 hex digits of a UUIDv7, so that ids sort by time of creation. */
export function prefixedId<P extends IdPrefix>(prefix: P, uuid: string): `${P}_${string}` {
  return `${prefix}_${uuid.replaceAll('-', '')}`
}

/** The hashes that the chain stores of a dispute: of the evidence, and of the reasons of a ruling. @see SPEC.md#disputes */
import { canonicalBytes, sha256 } from './canonical.ts'

/** A party's evidence about one step. `artifacts`: SHA-256 of files of the goal, in the party's order. */
export type Evidence = { readonly goal_id: string; readonly step: number; readonly text: string; readonly artifacts: readonly string[] }
/** A ruling and its reason. `payee_bps`: the payee's share of the step, in hundredths of a percent. */
export type Ruling = { readonly goal_id: string; readonly step: number; readonly payee_bps: number; readonly reason: string }

/** `evidenceHash` of `DisputeOpened`: 0x and the SHA-256 of the canonical evidence. */
export async function evidenceHash({ goal_id, step, text, artifacts }: Evidence): Promise<`0x${string}`> {
  return `0x${await sha256(canonicalBytes({ goal_id, step, text, artifacts: [...artifacts] }))}`
}

/** `rulingHash` of `Ruling`: 0x and the SHA-256 of the canonical ruling. */
export async function rulingHash({ goal_id, step, payee_bps, reason }: Ruling): Promise<`0x${string}`> {
  return `0x${await sha256(canonicalBytes({ goal_id, step, payee_bps, reason }))}`
}

import type { DraftAttachment } from '../../goals/new/_draft/goal-draft.ts'

let handed: readonly DraftAttachment[] = []

/** Keeps the files of the search box for the goal form, which opens in the same page. A reload forgets them. */
export function passFilesToGoalForm(files: readonly DraftAttachment[]): void {
  handed = files
}

/** The files for the goal form, once. */
export function takePassedFiles(): readonly DraftAttachment[] {
  const files = handed
  handed = []
  return files
}

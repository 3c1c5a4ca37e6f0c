/** Reads the attached tables of a goal, as far as their beginnings are known. */
import type { DataTable } from '../../tools/tables/reading/table/read-attached-table.ts'
import { readHead } from '../../tools/tables/table-ports.ts'
import { detectAttachmentType } from './detect-attachment-type.ts'
import type { GoalInput } from './goal-intent.ts'

/** The attached tables whose beginnings can be read. */
export const readAttachedTableHeads = ({ attachments, heads }: GoalInput): DataTable[] =>
  attachments.flatMap((file) => {
    const [head, type] = [heads?.[file.sha256], detectAttachmentType(file)]
    const isTable = type === 'table.csv' || type === 'table.json'
    const read = isTable && head ? readHead({ name: file.name, type, head: head.text, isWhole: head.isWhole }) : undefined
    return read ? [read.table] : []
  })

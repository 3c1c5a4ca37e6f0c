import type { Run } from '@/server/trpc/views/read-goal-page.ts'

/** Whether steps of this goal can be disputed: those on the escrow. */
export const mayHaveDisputes = ({ hold, steps }: Pick<Run, 'hold' | 'steps'>): boolean => hold.rail !== 'stripe' && steps.length > 0

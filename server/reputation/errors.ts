import { DomainError } from '../errors.ts'

export const feedbackNotEntitled = (taskId: string) =>
  new DomainError('feedback.not_entitled', 'You cannot rate this step. Only a party that it served can, after it is settled and paid.', {
    hint: 'Wait for the invitation. You receive it when a step that served you is paid.',
    facts: { task_id: taskId },
  })

export const feedbackAlreadyGiven = (taskId: string) =>
  new DomainError('feedback.already_given', 'You have already rated this step. A rating cannot change.', {
    facts: { task_id: taskId },
  })

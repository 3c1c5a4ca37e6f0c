import { DomainError } from '../errors.ts'

export const feedbackNotEntitled = (taskId: string) =>
  new DomainError('feedback.not_entitled', 'Only whom this step served may judge it, once it is settled and paid.', {
    hint: 'You get an invitation when a step that served you has been paid.',
    facts: { task_id: taskId },
  })

export const feedbackAlreadyGiven = (taskId: string) =>
  new DomainError('feedback.already_given', 'You have judged this step already, and a judgement stays as it is.', {
    facts: { task_id: taskId },
  })

import type { Tracker } from '../sites/tracker.ts'
import { max, named, type WebTask } from './task.ts'

const open = ({ issues }: Tracker) => issues.filter((one) => one.state === 'open')

export const trackerTasks: readonly WebTask<Tracker>[] = [
  {
    text: 'How many open issues have the label "regression"?',
    answer: (state) => open(state).filter((one) => one.labels.includes('regression')).length,
  },
  {
    text: 'Create an issue titled "Print view loses the footer" with the description "Every second page." and the label "bug".',
    change: ({ issues }) => {
      issues.unshift({
        number: issues.length + 1,
        title: 'Print view loses the footer',
        description: 'Every second page.',
        state: 'open',
        labels: ['bug'],
        assignee_id: null,
        priority: 'normal',
        milestone: '',
        votes: 0,
        estimate: 0,
        comments: [],
      })
    },
  },
  {
    text: 'Close the issue "Login is slow after a restart".',
    change: ({ issues }) => {
      named(issues, 'title', 'Login is slow after a restart').state = 'closed'
    },
  },
  {
    text: 'Assign the issue "Upload fails at night" to "Import team".',
    change: ({ issues }) => {
      named(issues, 'title', 'Upload fails at night').assignee_id = 11
    },
  },
  {
    text: 'Which open issue of the milestone "Autumn" has the most votes?',
    answer: (state) =>
      max(
        open(state).filter((one) => one.milestone === 'Autumn'),
        (one) => one.votes,
      ).title,
  },
  {
    text: 'Add the comment "Mended in build 4102" to the issue "Clipboard loses focus when offline".',
    change: ({ issues }) => {
      named(issues, 'title', 'Clipboard loses focus when offline').comments.push('Mended in build 4102')
    },
  },
  {
    text: 'What is the total estimate of the open issues with the label "billing"?',
    held: true,
    answer: (state) =>
      open(state)
        .filter((one) => one.labels.includes('billing'))
        .reduce((sum, one) => sum + one.estimate, 0),
  },
  {
    text: 'Set the priority of the issue "Sidebar is cut off on small screens" to "high".',
    held: true,
    change: ({ issues }) => {
      named(issues, 'title', 'Sidebar is cut off on small screens').priority = 'high'
    },
  },
  {
    text: 'How many closed issues are assigned to "Search team"?',
    held: true,
    answer: ({ issues }) => issues.filter((one) => one.state === 'closed' && one.assignee_id === 14).length,
  },
  {
    text: 'What is the milestone of the issue "Preview repeats itself with long names"?',
    answer: ({ issues }) => named(issues, 'title', 'Preview repeats itself with long names').milestone,
  },
]

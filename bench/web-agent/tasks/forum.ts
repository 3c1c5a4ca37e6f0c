import type { Forum } from '../sites/forum.ts'
import { max, named, type WebTask } from './task.ts'

export const forumTasks: readonly WebTask<Forum>[] = [
  {
    text: 'Start a thread titled "Moss between tiles" with the text "Is vinegar safe?" in the category "Gardening".',
    change: ({ threads }) => {
      threads.unshift({
        id: 400,
        title: 'Moss between tiles',
        author: 'me',
        category: 'Gardening',
        replies: [{ author: 'me', text: 'Is vinegar safe?' }],
        isLocked: false,
        isWatched: false,
      })
    },
  },
  {
    text: 'Reply "A drop of oil did it." to the thread "Squeaky hinge: any advice".',
    change: ({ threads }) => {
      named(threads, 'title', 'Squeaky hinge: any advice').replies.push({ author: 'me', text: 'A drop of oil did it.' })
    },
  },
  {
    text: 'How many replies has the thread "Soil for succulents: a question"?',
    answer: ({ threads }) => named(threads, 'title', 'Soil for succulents: a question').replies.length,
  },
  {
    text: 'Who started the thread "Dull chisels: before and after"?',
    answer: ({ threads }) => named(threads, 'title', 'Dull chisels: before and after').author,
  },
  {
    text: 'Lock the thread "Oil or wax: what to do".',
    change: ({ threads }) => {
      named(threads, 'title', 'Oil or wax: what to do').isLocked = true
    },
  },
  {
    text: 'Which thread of the category "Woodwork" has the most replies?',
    answer: ({ threads }) =>
      max(
        threads.filter((one) => one.category === 'Woodwork'),
        (one) => one.replies.length,
      ).title,
  },
  {
    text: 'Set the signature of my profile to "Measure twice."',
    held: true,
    change: (state) => {
      state.signature = 'Measure twice.'
    },
  },
  {
    text: 'Move the thread "Jars for pickles: a question" to the category "Repairs".',
    held: true,
    change: ({ threads }) => {
      named(threads, 'title', 'Jars for pickles: a question').category = 'Repairs'
    },
  },
  {
    text: 'Watch the thread "Noisy chain: any advice".',
    held: true,
    change: ({ threads }) => {
      named(threads, 'title', 'Noisy chain: any advice').isWatched = true
    },
  },
  {
    text: 'How many threads are in the category "Kitchen"?',
    held: true,
    answer: ({ threads }) => threads.filter((one) => one.category === 'Kitchen').length,
  },
]

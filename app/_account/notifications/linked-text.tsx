import { Fragment } from 'react'

/** A plain text with its web addresses as links. */
export function LinkedText({ text }: { text: string }) {
  // The capturing group keeps the addresses, at the odd places.
  return text.split(/(https?:\/\/\S+)/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
      <a key={index} href={part} className="text-link">
        {part}
      </a>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}

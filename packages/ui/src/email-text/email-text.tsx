import { Fragment } from 'react'

/** Between the parts at which an address may break: after the @ and before each dot. */
const BREAKS = /(?<=@)|(?=\.)/

/** An email address in a text: a long one breaks at @ and dots rather than within a word, and it runs left to right. */
export function EmailText({ children }: { children: string }) {
  const parts = children.split(BREAKS)
  return (
    <bdi dir="ltr">
      {parts.map((part, index) => (
        <Fragment key={parts.slice(0, index + 1).join('')}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  )
}

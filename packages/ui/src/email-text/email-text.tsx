import { Fragment } from 'react'

/** The positions where an address may wrap: after the @ and before each dot. */
const BREAKS = /(?<=@)|(?=\.)/

/** An email address in running text: left-to-right, and wrapped at @ and dots instead of within a word. */
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

import { Fragment } from 'react'

/** Between the parts at which an address may break: after the @ and before each dot. */
const BREAKS = /(?<=@)|(?=\.)/

/** An email address in a text: a long one breaks at @ and dots rather than within a word, and it runs left to right. */
export function EmailText({ children }: { children: string }) {
  let end = 0
  return (
    <bdi dir="ltr">
      {children.split(BREAKS).map((part) => {
        end += part.length
        return (
          <Fragment key={end}>
            {end > part.length && <wbr />}
            {part}
          </Fragment>
        )
      })}
    </bdi>
  )
}

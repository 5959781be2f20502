import { Spinner } from '@portico/ui/spinner'

/** A placeholder while a page decides what to show. */
export function Waiting() {
  return <Spinner label="One moment…" />
}

import { Spinner } from '@portico/ui/spinner'

/** Stands where a page decides what it is; nobody should see it for long. */
export function Waiting() {
  return <Spinner label="One moment…" />
}

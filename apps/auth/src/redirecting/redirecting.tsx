import { Dialog } from '@portico/ui/dialog'
import { Spinner } from '@portico/ui/spinner'

/** Says that another login takes over (§2.3); it goes when the page does. */
export function Redirecting() {
  return (
    <Dialog open title="Login Redirecting">
      <Spinner label="Please wait as we redirect you to our updated login experience..." />
    </Dialog>
  )
}

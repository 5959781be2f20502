import { Dialog } from '@portico/ui/dialog'
import { Spinner } from '@portico/ui/spinner'

/** The 'Login Redirecting' modal (§2.3), shown until the page navigates. */
export function Redirecting() {
  return (
    <Dialog open title="Login Redirecting">
      <Spinner label="Please wait as we redirect you to our updated login experience..." />
    </Dialog>
  )
}

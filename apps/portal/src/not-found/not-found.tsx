import { DEFAULT_REDIRECT, ROUTER_BASE } from '@portico/contracts/limits'
import { AnchorButton } from '@portico/ui/anchor-button'
import { NotFoundAnimation } from '@portico/ui/not-found-animation'
import { Stack } from '@portico/ui/stack'

/** The 404 page. */
export function NotFound({ signedIn }: { signedIn: boolean }) {
  return (
    <Stack>
      <NotFoundAnimation />
      <Stack gap="inside">
        <h1 tabIndex={-1}>This page does not exist</h1>
        <p>The address may be mistyped, or the page has moved.</p>
      </Stack>
      <p>
        {signedIn ? (
          <AnchorButton href={DEFAULT_REDIRECT}>Go to your dashboard</AnchorButton>
        ) : (
          <AnchorButton href={`${ROUTER_BASE}/login`}>Go to the login page</AnchorButton>
        )}
      </p>
    </Stack>
  )
}

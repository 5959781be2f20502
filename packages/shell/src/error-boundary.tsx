import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import { formatPhone, phoneLink } from '@portico/rules/phone'
import { ErrorScreen } from '@portico/ui/error-screen'
import { Component, type ReactNode, useState } from 'react'

/** Page data for the error screen; contact details may be missing. */
export type ErrorBoundaryProps = {
  supportPhone?: string | undefined
  supportEmail?: string | undefined
  signedIn: boolean
  onRetry: () => void
  children: ReactNode
}

/** Shows the error screen (§2.8) if its children fail to render or load. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? <FailureScreen {...this.props} /> : this.props.children
  }
}

/** The error screen with the support contacts. */
export function FailureScreen({
  supportPhone,
  supportEmail,
  signedIn,
  onRetry,
}: Omit<ErrorBoundaryProps, 'children'>) {
  // A timestamp, so support can find the matching log entries.
  const [reference] = useState(() => new Date().toISOString())
  return (
    <ErrorScreen
      onRetry={onRetry}
      dashboardHref={signedIn ? DEFAULT_REDIRECT : undefined}
      phone={
        supportPhone === undefined
          ? undefined
          : { label: formatPhone(supportPhone), href: phoneLink(supportPhone) }
      }
      email={supportEmail}
      reference={reference}
    />
  )
}

import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import { formatPhone, phoneLink } from '@portico/rules/phone'
import { ErrorScreen } from '@portico/ui/error-screen'
import { Component, type ReactNode, useState } from 'react'

/** What the error screen needs to know of the page; as much of it as there is. */
export type ErrorBoundaryProps = {
  supportPhone?: string | undefined
  supportEmail?: string | undefined
  signedIn: boolean
  onRetry: () => void
  children: ReactNode
}

/** Shows the error screen (§2.8) in place of what could not be drawn or loaded. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? <FailureScreen {...this.props} /> : this.props.children
  }
}

/** The error screen with whom to turn to. */
export function FailureScreen({
  supportPhone,
  supportEmail,
  signedIn,
  onRetry,
}: Omit<ErrorBoundaryProps, 'children'>) {
  // The time, which leads to what the server and the browser logged then.
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

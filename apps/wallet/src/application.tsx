import type { PageData } from '@portico/contracts/page-data'
import { ErrorBoundary } from '@portico/shell/error-boundary'
import { LoadModuleContext } from '@portico/shell/lazy-component'
import type { Environment } from './environment.ts'
import { EnvironmentProvider } from './environment-provider.tsx'
import { Wallet } from './wallet/wallet.tsx'

/** The wallet application, for both server rendering and the browser. */
export function Application({ page, environment }: { page: PageData; environment: Environment }) {
  return (
    <EnvironmentProvider environment={environment}>
      <ErrorBoundary
        supportPhone={page.supportPhone}
        supportEmail={page.organization.orgMetaData.companyInfo.supportEmail}
        signedIn={false}
        onRetry={environment.reload}
      >
        <LoadModuleContext value={environment.loadModule}>
          <Wallet page={page} />
        </LoadModuleContext>
      </ErrorBoundary>
    </EnvironmentProvider>
  )
}

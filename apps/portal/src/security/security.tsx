import type { PageData, PageSession } from '@portico/contracts/page-data'
import { useFlow } from '@portico/flow/react'
import { confirmationMethods } from '@portico/rules/confirmation-methods'
import { formatTime } from '@portico/rules/format'
import { pathAndQuery } from '@portico/rules/wallet-redirects'
import { lazyComponent } from '@portico/shell/lazy-component'
import { useToast } from '@portico/ui/toast'
import { useEnvironment } from '../environment.ts'
import { security } from './security.flow.ts'
import { securityServices } from './security.services.ts'
import { SecurityView } from './security.view.tsx'

const Changes = lazyComponent(async () => {
  const { Changes } = await import('./changes.tsx')
  return Changes
})

export function Security({ page, session }: { page: PageData; session: PageSession }) {
  const environment = useEnvironment()
  const showToast = useToast()
  const [state, send] = useFlow(security, {
    // Emails about the account link here.
    input:
      new URLSearchParams(page.query).get('change') === 'password' ? { kind: 'password' } : null,
    services: securityServices({ ...environment, here: pathAndQuery(page), showToast }),
    report: environment.reportError,
  })
  const passkeys = environment.passkeys.supported()
  return (
    <>
      <SecurityView state={state} send={send} time={localTime} passkeys={passkeys} />
      {state.step === 'changing' && (
        <Changes
          change={state.change}
          account={{
            email:
              state.overview.aliases.find(({ type }) => type === 'Email')?.value ?? session.email,
            hasPassword: state.overview.hasPassword,
            hasHostedWallets: state.overview.hasHostedWallets,
            methods: confirmationMethods(state.overview, { passkeys }),
            supportPhone: page.supportPhone,
          }}
          company={page.organization.orgMetaData.companyInfo.name}
          recoveryCodesLeft={state.overview.recoveryCodesLeft}
          onResult={(result) =>
            send(result === 'changed' ? { type: 'changed' } : { type: 'changeClosed' })
          }
        />
      )}
    </>
  )
}

/** Times are loaded in the browser, so only the browser formats them. */
function localTime(at: number): string {
  return formatTime(at)
}

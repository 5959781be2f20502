import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { useFlow } from '@portico/flow/react'
import { emailParameter } from '@portico/rules/email-parameter'
import { emailError, registrationCodeError } from '@portico/rules/field-errors'
import { Waiting } from '@portico/shell/waiting'
import { useEnvironment } from '../environment.ts'
import { NewPassword, OneTimeCode, Redirecting } from '../lazy-components.ts'
import { pendingCode } from '../pending-code.ts'
import { SecondFactor } from '../second-factor.tsx'
import { SessionStart } from '../session-start/session-start.tsx'
import { afterRegistration } from './after-registration.ts'
import { registration } from './registration.flow.ts'
import { registrationServices, sendRegistrationCode } from './registration.services.ts'
import { RegistrationView } from './registration.view.tsx'

/** The registration page and the components of its steps. */
export function Registration({ page, query }: { page: PageData; query: URLSearchParams }) {
  const environment = useEnvironment()
  const { storage, clock, reportError } = environment
  const email = emailParameter(query)
  const [state, send] = useFlow(registration, {
    input: { after: afterRegistration(query) },
    services: registrationServices({ ...environment, email }),
    report: reportError,
  })
  const { supportPhone } = page
  const search = query.toString()
  // An invitation fixes the address, so its field is disabled. An invalid address stays editable so it can be corrected.
  const invited = email !== '' && emailError(email) === undefined
  return (
    <RegistrationView
      state={state}
      send={send}
      email={email}
      invited={invited}
      loginHref={`${ROUTER_BASE}/login${search === '' ? '' : `?${search}`}`}
      documents={page.organization.orgMetaData.companyInfo}
      supportPhone={supportPhone}
      onIntent={OneTimeCode.preload}
    >
      {state.step === 'token' && (
        <OneTimeCode
          email={state.email}
          loginUuid={state.loginUuid}
          justSent={state.justSent}
          codeError={registrationCodeError}
          supportPhone={supportPhone}
          back={invited ? undefined : 'Use a different email'}
          sendAnother={(signal) => sendRegistrationCode(environment.client, state.email, signal)}
          onResent={(loginUuid) =>
            pendingCode(storage, clock).write({
              purpose: 'registration',
              email: state.email,
              loginUuid,
            })
          }
          onResult={(result) =>
            send(
              result.kind === 'closed'
                ? { type: 'codeClosed' }
                : { type: 'codeRedeemed', outcome: result.outcome },
            )
          }
        />
      )}
      {(state.step === 'checking' ||
        state.step === 'startingSession' ||
        state.step === 'leaving') && <Waiting />}
      {state.step === 'secondFactor' && (
        <SecondFactor
          login={{ method: 'registration', email: state.email, newUser: false }}
          options={state.options}
          position={state.position}
          supportPhone={supportPhone}
          send={send}
        />
      )}
      {state.step === 'password' && (
        <NewPassword
          client={environment.client}
          reportError={environment.reportError}
          jwt={state.jwt}
          email={state.email}
          supportPhone={supportPhone}
          onResult={() => send({ type: 'passwordSet' })}
        />
      )}
      {state.step === 'startingSession' && (
        <SessionStart
          jwt={state.jwt}
          email={state.email}
          query={query}
          supportPhone={supportPhone}
          onFailed={(failure) => send({ type: 'refused', failure })}
        />
      )}
      {state.step === 'redirecting' && <Redirecting />}
    </RegistrationView>
  )
}

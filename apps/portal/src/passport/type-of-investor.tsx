import { createPassport, readPassportStatus } from '@portico/contracts/passport'
import type { PassportStructureType } from '@portico/contracts/passport-status'
import { PASSPORT_BASE, passportPath } from '@portico/rules/gatekeeper'
import { tokenClaims } from '@portico/rules/token-claims'
import { createWalletAddress, selectAccountAddress } from '@portico/rules/wallet-redirects'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall, useLoad } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { CardOption, CardSelect } from '@portico/ui/card-select'
import { Link } from '@portico/ui/link'
import { Stack } from '@portico/ui/stack'
import { useState } from 'react'
import { useActingAccount } from '../acting-account/acting-account.tsx'
import { useEnvironment } from '../environment.ts'
import { storedRequest, taskOf } from './stored-request.ts'

const HERE = `${PASSPORT_BASE}/onboarding/type-of-investor`
const CHOOSE_ACCOUNT = `/auth/wallet?redirectUrl=${encodeURIComponent(HERE)}`

const TYPES: readonly {
  readonly type: PassportStructureType
  readonly title: string
  readonly note: string
}[] = [
  { type: 'INDIVIDUAL', title: 'For myself', note: 'You invest in your own name.' },
  { type: 'ENTITY', title: 'For a company', note: 'A company or partnership invests.' },
  { type: 'TRUST', title: 'For a trust', note: 'A trust invests, and its trustee acts for it.' },
]

/** Starts a passport: who invests (§4.10). */
export function TypeOfInvestor({ supportPhone }: { supportPhone: string }) {
  const { client, deviceStorage, jwt, reportError, replace } = useEnvironment()
  const [type, setType] = useState<PassportStructureType>()
  const { pending, failure, run } = useCall(reportError)
  const { result } = useLoad(
    async (signal) => ({
      existing: await client(readPassportStatus, { signal }).then(
        ({ passportUuid }) => passportUuid,
        // Creating it reports the error or returns the existing one.
        () => undefined,
      ),
      leaveAt: taskOf(storedRequest(deviceStorage), undefined).leaveAt,
    }),
    reportError,
  )
  const { accounts } = useActingAccount()
  const isGroup = tokenClaims(jwt.read()).grp !== undefined
  const needsAccount = accounts?.items.length === 0 || failure?.reason === 'account-not-chosen'
  const isPossible = type === undefined || isGroup === (type !== 'INDIVIDUAL')
  const goTo = (passportUuid: string) => replace(passportPath({ page: 'resume', passportUuid }))
  const start = (passportStructureType: PassportStructureType) =>
    run(
      (signal) => client(createPassport, { body: { passportStructureType }, signal }),
      ({ passportUuid }) => goTo(passportUuid),
    )
  const existing = result?.existing
  return (
    <Stack>
      <Stack gap="inside">
        <h1 tabIndex={-1}>Who invests?</h1>
        <p>An account has one investor passport. You fill it in once and use it for every offer.</p>
      </Stack>
      {existing !== undefined && (
        <Alert tone="info" title="This account already has a passport">
          <p>
            <Link href={passportPath({ page: 'resume', passportUuid: existing })}>
              Continue with it
            </Link>
          </p>
        </Alert>
      )}
      {needsAccount ? (
        <Alert tone="info" title="A passport belongs to an account">
          <p>
            <Link href={CHOOSE_ACCOUNT}>Choose an account</Link> or{' '}
            <Link href={createWalletAddress(HERE)}>create one</Link>, then come back here.
          </p>
        </Alert>
      ) : (
        <>
          <FailureAlert failure={failure} supportPhone={supportPhone} />
          <CardSelect
            label="Who invests?"
            value={type}
            onChange={(chosen) => setType(TYPES.find((each) => each.type === chosen)?.type)}
          >
            {TYPES.map(({ type: value, title, note }) => (
              <CardOption key={value} value={value} title={title} note={note} />
            ))}
          </CardSelect>
          {!isPossible && (
            <Alert
              tone="info"
              title={
                isGroup ? 'You act for an organization' : 'A company or trust needs its own account'
              }
            >
              <p>
                <Link href={CHOOSE_ACCOUNT}>
                  {isGroup ? 'Act as yourself' : 'Act for an organization'}
                </Link>
                {!isGroup && (
                  <>
                    {' '}
                    or <Link href={selectAccountAddress(HERE)}>create an organization</Link>
                  </>
                )}
                , then come back here.
              </p>
            </Alert>
          )}
          <Button
            wide
            disabled={type === undefined || !isPossible}
            busy={pending}
            busyLabel="One moment…"
            onClick={() => type !== undefined && start(type)}
          >
            Continue
          </Button>
        </>
      )}
      {result?.leaveAt !== undefined && (
        <p>
          <Link href={result.leaveAt}>Continue without a passport</Link>
        </p>
      )}
    </Stack>
  )
}

import { makeRecoveryCodes } from '@portico/contracts/account-security'
import { RECOVERY_CODES } from '@portico/contracts/limits'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { useState } from 'react'
import { type AccountChangeProps, ChangeDialog, useConfirmation } from '../change/change.tsx'
import { useEnvironment } from '../environment.ts'
import styles from './recovery-codes.module.css'

/** Creates recovery codes, which are shown only once. */
export function RecoveryCodes({
  account,
  company,
  left,
  onResult,
}: AccountChangeProps & {
  company: string
  /** How many unused codes the user has. */
  left: number
}) {
  const { reportError } = useEnvironment()
  const { client, pendingConfirmation } = useConfirmation()
  const { pending, failure, run } = useCall(reportError)
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => onResult(codes === undefined ? 'closed' : 'changed')
  return (
    <ChangeDialog
      account={account}
      confirmation={pendingConfirmation}
      title="Recovery codes"
      // While codes are being created, the old ones may already be invalid.
      onClose={pending ? undefined : close}
    >
      {codes === undefined ? (
        <Stack>
          <p>
            You get {RECOVERY_CODES} codes to keep in a safe place. You can use each code once
            instead of your second step.
          </p>
          {left > 0 && <Alert tone="warn">The {left} codes you have now stop working.</Alert>}
          <FailureAlert failure={failure} supportPhone={account.supportPhone} />
          <Button
            wide
            busy={pending}
            busyLabel="Creating your codes…"
            onClick={() =>
              run(
                () => client(makeRecoveryCodes, {}),
                (created) => setCodes(created.codes),
              )
            }
          >
            Create recovery codes
          </Button>
        </Stack>
      ) : (
        <NewCodes codes={codes} company={company} onClose={close} />
      )}
    </ChangeDialog>
  )
}

export function NewCodes({
  codes,
  company,
  onClose,
}: {
  codes: readonly string[]
  company: string
  onClose: () => void
}) {
  const { copy, download } = useEnvironment()
  const [copied, setCopied] = useState<boolean>()
  // CRLF, which every text editor displays correctly.
  const lines = codes.map((code) => `${code}\r\n`).join('')
  return (
    <Stack>
      <Alert tone="warn">Save these codes now. We will not show them again.</Alert>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button
          kind="secondary"
          onClick={() =>
            download(
              'recovery-codes.txt',
              `Recovery codes for ${company}. Each code works once.\r\n\r\n${lines}`,
            )
          }
        >
          Download as a text file
        </Button>
        <Button kind="secondary" onClick={() => void copy(lines).then(setCopied)}>
          Copy
        </Button>
      </div>
      <p className={styles.copied} role="status">
        {copied === true && 'Copied.'}
        {copied === false &&
          'Your browser did not allow copying. Select the codes, or download them.'}
      </p>
      <Button wide onClick={onClose}>
        I have saved them
      </Button>
    </Stack>
  )
}

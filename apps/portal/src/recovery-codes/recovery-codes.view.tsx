import { RECOVERY_CODES } from '@portico/contracts/limits'
import { FailureAlert } from '@portico/shell/failure-alert'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import type { Event, State } from './recovery-codes.flow.ts'
import styles from './recovery-codes.module.css'

export type RecoveryCodesViewProps = {
  state: Exclude<State, { step: 'left' }>
  send: (event: Event) => void
  /** How many unused codes the user has. */
  left: number
  supportPhone: string
}

/** Explains recovery codes, then shows the new ones. */
export function RecoveryCodesView({ state, send, left, supportPhone }: RecoveryCodesViewProps) {
  if (state.step === 'shown') return <Shown state={state} send={send} />
  return (
    <Stack>
      <p>
        You get {RECOVERY_CODES} codes to keep in a safe place. Each one replaces your second step
        once.
      </p>
      {left > 0 && <Alert tone="warn">The {left} codes you have now stop working.</Alert>}
      {state.step === 'asking' && (
        <FailureAlert failure={state.failure} supportPhone={supportPhone} />
      )}
      <Button
        wide
        busy={state.step === 'making'}
        busyLabel="Creating your codes…"
        onClick={() => send({ type: 'agreed' })}
      >
        Create recovery codes
      </Button>
    </Stack>
  )
}

function Shown({
  state: { codes, copied },
  send,
}: {
  state: Extract<State, { step: 'shown' }>
  send: (event: Event) => void
}) {
  return (
    <Stack>
      <Alert tone="warn">Save them now. They will not be shown again.</Alert>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.acts}>
        <Button kind="secondary" onClick={() => send({ type: 'downloadRequested' })}>
          Download as a text file
        </Button>
        <Button kind="secondary" onClick={() => send({ type: 'copyRequested' })}>
          Copy
        </Button>
      </div>
      <p className={styles.copied} role="status">
        {copied === true && 'Copied.'}
        {copied === false &&
          'Your browser did not allow copying. Select the codes, or download them.'}
      </p>
      <Button wide onClick={() => send({ type: 'closed' })}>
        I have saved them
      </Button>
    </Stack>
  )
}

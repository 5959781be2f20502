import { useCall } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { useId, useState } from 'react'
import { Screen } from '../../screen.tsx'
import { useDeviceEnvironment } from '../environment.ts'
import { RecoveryWords } from '../recovery-words.tsx'
import { PassphraseForm } from './passphrase-form.tsx'

/** Shows the recovery words after the passphrase was confirmed. */
export function RevealWords({ onDone }: { onDone: () => void }) {
  const { keeper, copy, reportError } = useDeviceEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const [words, setWords] = useState<readonly string[]>()
  const id = useId()
  if (words !== undefined) {
    return (
      <Screen title="Your recovery words" actions={<Button onClick={onDone}>Done</Button>}>
        <RecoveryWords words={words} isShown copy={copy} />
      </Screen>
    )
  }
  return (
    <Screen
      title="Show your recovery words"
      actions={
        <>
          <Button kind="secondary" disabled={pending} onClick={onDone}>
            Back
          </Button>
          <Button type="submit" form={id} busy={pending} busyLabel="Checking…">
            Show words
          </Button>
        </>
      }
    >
      <Alert tone="warn">
        <p>
          Anyone with these words can take everything in your wallet. No one from support will ever
          ask for them. Make sure that no one can see your screen.
        </p>
      </Alert>
      <PassphraseForm
        id={id}
        failure={failure}
        onSubmit={(passphrase) =>
          run(
            () => keeper.revealWords(passphrase),
            (revealed) => setWords(revealed.split(' ')),
          )
        }
      />
    </Screen>
  )
}

import { Button } from '@portico/ui/button'
import { Skeleton } from '@portico/ui/skeleton'
import { Spinner } from '@portico/ui/spinner'
import { Screen } from '../../screen.tsx'
import { RecoveryWords } from '../recovery-words.tsx'
import { EnterWords } from './enter-words.tsx'
import type { Event, State } from './onboarding.flow.ts'
import { ProtectionForm } from './protection-form.tsx'
import { WordsCheck } from './words-check.tsx'

export type OnboardingViewProps = {
  state: State
  send: (event: Event) => void
  copy: (text: string) => Promise<boolean>
}

/** Creates a wallet, or restores one from its recovery words. */
export function OnboardingView({ state, send, copy }: OnboardingViewProps) {
  const back = () => send({ type: 'back' })
  switch (state.step) {
    case 'welcome':
      return (
        <Screen
          title="Set up your wallet"
          actions={
            <>
              <Button wide onClick={() => send({ type: 'createChosen' })}>
                Create a wallet
              </Button>
              <Button wide kind="secondary" onClick={() => send({ type: 'restoreChosen' })}>
                Restore from recovery words
              </Button>
            </>
          }
        >
          <p>
            With a wallet you log in, approve requests and send payments. Its keys stay on this
            device, and nothing is signed without your approval.
          </p>
          <p>
            You will choose a passphrase and write down your recovery words. It takes about three
            minutes, so have pen and paper ready.
          </p>
        </Screen>
      )
    case 'protecting':
      return (
        <ProtectionForm
          title="Choose a passphrase"
          submit="Continue"
          protection={state.protection}
          onBack={back}
          onSubmit={(protection) => send({ type: 'protected', protection })}
        />
      )
    case 'generating':
      return (
        <Screen title="Your recovery words">
          <Skeleton shape="text" count={4} label="Creating your recovery words" />
        </Screen>
      )
    case 'writing':
      return (
        <Screen
          title="Write down your recovery words"
          actions={
            <>
              <Button kind="secondary" onClick={back}>
                Back
              </Button>
              {state.isShown ? (
                <Button onClick={() => send({ type: 'writtenDown' })}>Continue</Button>
              ) : (
                <Button onClick={() => send({ type: 'wordsShown' })}>Show words</Button>
              )}
            </>
          }
        >
          <p>
            These words are the only way to restore your wallet. Write them on paper, in this order,
            and keep them where only you can find them.
          </p>
          <RecoveryWords
            words={state.words}
            isShown={state.isShown}
            copy={copy}
            onCountChosen={(count) => send({ type: 'countChosen', count })}
          />
        </Screen>
      )
    case 'checking': {
      // The fields are empty again after a wrong attempt, even if the same words are asked for.
      const { positions, wrongAttempts } = state
      return <WordsCheck key={[wrongAttempts, ...positions].join()} state={state} send={send} />
    }
    case 'entering':
      return <EnterWords state={state} send={send} />
    case 'protectingRestored':
      return (
        <ProtectionForm
          title="Choose a passphrase"
          submit="Restore"
          protection={state.protection}
          failure={state.failure}
          onBack={back}
          onSubmit={(protection) => send({ type: 'protected', protection })}
        />
      )
    case 'saving':
      return (
        <Screen
          title={state.from.step === 'checking' ? 'Creating your wallet' : 'Restoring your wallet'}
        >
          <Spinner label="Encrypting your keys…" />
        </Screen>
      )
  }
}

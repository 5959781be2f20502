import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { useState } from 'react'
import styles from './recovery-words.module.css'

/** Recovery words as a numbered grid, hidden until the user asks for them. */
export function RecoveryWords({
  words,
  isShown,
  copy,
  onCountChosen,
}: {
  words: readonly string[]
  isShown: boolean
  copy: (text: string) => Promise<boolean>
  /** Replaces the words by new ones; undefined if these exist already. */
  onCountChosen?: (count: 12 | 24) => void
}) {
  const otherCount = words.length === 12 ? 24 : 12
  return (
    <>
      <ol className={styles.words} data-hidden={!isShown || undefined} translate="no">
        {words.map((word, index) => (
          // Words may occur twice; the list never changes.
          <li key={index}>{isShown ? word : <span aria-label="Hidden">••••••</span>}</li>
        ))}
      </ol>
      {isShown ? (
        <>
          <p className={styles.note}>
            Do not take a screenshot: photos are often uploaded, and anyone with these words can
            take everything in the wallet.
          </p>
          <Copy words={words} copy={copy} />
        </>
      ) : (
        onCountChosen && (
          <p className={styles.note}>
            {words.length === 12 ? '12 words are safe for most people. ' : ''}
            <LinkButton onClick={() => onCountChosen(otherCount)}>
              Use {otherCount} words instead
            </LinkButton>
          </p>
        )
      )}
    </>
  )
}

/** Copies the words, after a warning. */
function Copy({
  words,
  copy,
}: {
  words: readonly string[]
  copy: (text: string) => Promise<boolean>
}) {
  const [step, setStep] = useState<'offered' | 'warned' | 'copied' | 'failed'>('offered')
  const copyWords = async () => setStep((await copy(words.join(' '))) ? 'copied' : 'failed')
  switch (step) {
    case 'offered':
      return (
        <p className={styles.note}>
          <LinkButton onClick={() => setStep('warned')}>Copy the words</LinkButton>
        </p>
      )
    case 'warned':
      return (
        <Alert tone="warn" title="Other programs can read what you copy">
          <p>Paste the words only into a password manager, then copy something else.</p>
          <p className={styles.choices}>
            <Button kind="secondary" onClick={() => void copyWords()}>
              Copy anyway
            </Button>
            <Button kind="quiet" onClick={() => setStep('offered')}>
              Cancel
            </Button>
          </p>
        </Alert>
      )
    case 'copied':
      return (
        <Alert tone="warn">
          <p>Copied. Paste them into your password manager, then copy something else.</p>
        </Alert>
      )
    case 'failed':
      return (
        <Alert tone="danger">
          <p>Your browser did not allow copying. Write the words down.</p>
        </Alert>
      )
  }
}

import { Icon } from '@portico/ui/icon'
import { useEffect, useState } from 'react'
import styles from './copy-button.module.css'
import { useDeviceEnvironment } from './environment.ts'

const SHOWN_MS = 3000

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copy } = useDeviceEnvironment()
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (result === undefined) return undefined
    const timer = setTimeout(() => setResult(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [result])
  return (
    <span className={styles.copy}>
      <button
        type="button"
        className={styles.button}
        aria-label={label}
        title={label}
        onClick={() =>
          void copy(text).then((isCopied) => setResult(isCopied ? 'copied' : 'failed'))
        }
      >
        <Icon name={result === 'copied' ? 'check' : 'copy'} />
      </button>
      <span role="status" className={styles.result}>
        {result === 'copied' && 'Copied'}
        {result === 'failed' && 'Not copied. Your browser did not allow it.'}
      </span>
    </span>
  )
}

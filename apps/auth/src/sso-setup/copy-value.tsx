import { Button } from '@portico/ui/button'
import { useState } from 'react'
import { useEnvironment } from '../environment.ts'
import styles from './sso-setup.module.css'

/** A value to copy to another page. It can also be selected, if the browser does not allow copying. */
export function CopyValue({ label, value }: { label: string; value: string }) {
  const { copy } = useEnvironment()
  const [isCopied, setCopied] = useState(false)
  return (
    <li className={styles.copy}>
      <div>
        <p className={styles.note}>{label}</p>
        <p className={styles.value} dir="ltr">
          {value}
        </p>
      </div>
      <Button
        kind="secondary"
        aria-label={isCopied ? `Copied ${label}` : `Copy ${label}`}
        onClick={() => void copy(value).then(setCopied)}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </li>
  )
}

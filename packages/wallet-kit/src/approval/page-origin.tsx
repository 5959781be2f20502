import { OWN_ORIGIN } from '../approval-prompt.ts'
import styles from './approval.module.css'

/** The page's origin as reported by the browser, if any. */
export function PageOrigin({ origin }: { origin: string | undefined }) {
  if (origin === OWN_ORIGIN) return <strong>{OWN_ORIGIN}</strong>
  return origin === undefined ? (
    <strong>An unknown page</strong>
  ) : (
    <>
      <strong>{origin}</strong> <span className={styles.verified}>(verified)</span>
    </>
  )
}

import { Animation } from './animation.tsx'
import styles from './not-found-animation.module.css'

function Doorway({ moving }: { moving: boolean }) {
  return (
    <svg className={styles.picture} viewBox="8 24 324 116" data-moving={moving || undefined}>
      <path className={styles.figure} d="M84 136V32L28 100h76M292 136V32l-56 68h76" />
      <path className={styles.door} d="M130 136V70a36 36 0 0 1 72 0v66Z" />
      <path className={styles.figure} d="M130 136V70a36 36 0 0 1 72 0v66" />
      <circle className={styles.visitor} cx="166" cy="118" r="9" />
      <path className={styles.ground} d="M8 136.5h324" />
    </svg>
  )
}

/** '404' with a doorway as its zero; a figure waits in it, steps out and returns. */
export function NotFoundAnimation() {
  return (
    <Animation label="404, page not found" staticSvg={<Doorway moving={false} />}>
      <Doorway moving />
    </Animation>
  )
}

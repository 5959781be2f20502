import styles from './skeleton.module.css'

/** The shape of what is coming. */
export type SkeletonProps = {
  shape?: 'text' | 'field' | 'card'
  count?: number
  /** What is being loaded, for screen readers. */
  label: string
}

/** Grey shapes in the place of what is loading; they appear only when that takes 200 ms. */
export function Skeleton({ shape = 'text', count = 1, label }: SkeletonProps) {
  return (
    <div className={styles.skeleton} role="status" aria-label={label} data-shape={shape}>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

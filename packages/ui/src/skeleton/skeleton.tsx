import styles from './skeleton.module.css'

export type SkeletonProps = {
  shape?: 'text' | 'field' | 'card'
  count?: number
  /** The accessible name: what is being loaded. */
  label: string
}

/** Gray placeholders for loading content, shown only after 200 ms. */
export function Skeleton({ shape = 'text', count = 1, label }: SkeletonProps) {
  return (
    <div className={styles.skeleton} role="status" aria-label={label} data-shape={shape}>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

import styles from './connect.module.css'

const STORES = {
  apple: { over: 'Download on the', name: 'App Store' },
  google: { over: 'Get it on', name: 'Google Play' },
} as const

/** Links to the mobile wallet in an app store (§2.8). The badge is our own drawing. */
export function StoreBadge({ store, href }: { store: keyof typeof STORES; href: string }) {
  const { over, name } = STORES[store]
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" aria-label={`${over} ${name}`}>
      <svg
        className={styles.badge}
        viewBox="0 0 152 48"
        width="152"
        height="48"
        direction="ltr"
        aria-hidden="true"
      >
        <rect x=".5" y=".5" width="151" height="47" rx="7.5" />
        {store === 'apple' ? (
          <path d="M16 12.5h12a2 2 0 0 1 2 2v19a2 2 0 0 1-2 2H16a2 2 0 0 1-2-2v-19a2 2 0 0 1 2-2Zm4 19.5h4" />
        ) : (
          <path d="m15 12.5 16 11.5-16 11.5Z" />
        )}
        <text x="41" y="19" data-line="over">
          {over}
        </text>{' '}
        <text x="41" y="36" data-line="name">
          {name}
        </text>
      </svg>
    </a>
  )
}

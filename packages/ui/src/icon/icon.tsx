import type { ReactNode } from 'react'
import styles from './icon.module.css'

const SHAPES = {
  activity: <path d="M3 12.5h4L10 4.5l4.5 15 2.5-7h4" />,
  back: <path d="M19.5 12h-15M11 5.5 4.5 12l6.5 6.5" />,
  building: (
    <>
      <path d="M5.5 20.5v-16a1 1 0 0 1 1-1h7a1 1 0 0 1 1 1v16M14.5 9.5h3a1 1 0 0 1 1 1v10M3 20.5h18" />
      <path d="M9 7.5h2M9 11.5h2M9 15.5h2" />
    </>
  ),
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  chevron: <path d="m9 5.5 6.5 6.5L9 18.5" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  copy: (
    <>
      <rect x="8.5" y="8.5" width="11" height="11" rx="2" />
      <path d="M15.5 8.5V6.5a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2" />
    </>
  ),
  danger: (
    <>
      <path d="M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3Z" />
      <path d="M12 7.75v5" />
      <path d="M12 16.25v.01" />
    </>
  ),
  external: (
    <path d="M13.5 4.5h6v6M19.5 4.5l-9 9M17 14v3.5a2 2 0 0 1-2 2H6.5a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2H10" />
  ),
  eye: (
    <>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
      <circle cx="12" cy="12" r="3" />
    </>
  ),
  'eye-off': (
    <>
      <path d="M9.9 5.75A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.9 3.6M6 7.6A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.5a9.2 9.2 0 0 0 4.2-1" />
      <path d="M10 9.8a3 3 0 0 0 4.2 4.2M3.5 3.5l17 17" />
    </>
  ),
  clock: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v5l3.5 2" />
    </>
  ),
  globe: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M3 12h18M12 3c2.5 2.6 3.75 5.6 3.75 9S14.5 18.4 12 21c-2.5-2.6-3.75-5.6-3.75-9S9.5 5.6 12 3Z" />
    </>
  ),
  help: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M9.4 9.25a2.7 2.7 0 1 1 3.9 2.5c-.85.45-1.3 1-1.3 2v.25M12 16.75v.01" />
    </>
  ),
  home: <path d="M4 10.75 12 4l8 6.75V19a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1Z" />,
  house: (
    <>
      <path d="M3.5 10.5 12 3.5l8.5 7v10h-17Z" />
      <path d="M8.5 12h7M8.5 15.5h7" />
    </>
  ),
  info: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 11.25v5M12 7.75v.01" />
    </>
  ),
  link: (
    <path d="m9.5 14.5 5-5M8 11l-2.5 2.5a3.9 3.9 0 0 0 5.5 5.5L13.5 16.5M16 13l2.5-2.5A3.9 3.9 0 0 0 13 5L10.5 7.5" />
  ),
  lock: (
    <>
      <rect x="5" y="10.5" width="14" height="10" rx="2" />
      <path d="M8.5 10.5V7.5a3.5 3.5 0 0 1 7 0v3" />
    </>
  ),
  mail: (
    <>
      <rect x="3" y="5" width="18" height="14" rx="2" />
      <path d="m3.5 7 8.5 6 8.5-6" />
    </>
  ),
  ok: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="m8 12.25 2.75 2.75L16 9.5" />
    </>
  ),
  passport: (
    <>
      <rect x="3" y="5" width="18" height="14" rx="2" />
      <circle cx="8.5" cy="10.75" r="1.75" />
      <path d="M5.75 15.75c.5-1.4 1.5-2.1 2.75-2.1s2.25.7 2.75 2.1M14.5 10h3.5M14.5 14h3.5" />
    </>
  ),
  person: (
    <>
      <circle cx="12" cy="8" r="3.75" />
      <path d="M4.75 20.25c.9-3.6 3.7-5.5 7.25-5.5s6.35 1.9 7.25 5.5" />
    </>
  ),
  phone: (
    <path d="M6.5 3.5h3l1.5 4.5-2.2 1.6a12 12 0 0 0 5.6 5.6l1.6-2.2 4.5 1.5v3a2 2 0 0 1-2.2 2A16.5 16.5 0 0 1 4.5 5.7a2 2 0 0 1 2-2.2Z" />
  ),
  picture: (
    <>
      <rect x="3.5" y="4.5" width="17" height="15" rx="2" />
      <circle cx="9" cy="9.75" r="1.5" />
      <path d="m4 17 5-4.5 3.5 3 3.5-4 4.5 5" />
    </>
  ),
  review: (
    <>
      <path d="M9 4.5H6.5a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h11a1 1 0 0 0 1-1v-14a1 1 0 0 0-1-1H15" />
      <path d="M9 3h6v3.5H9ZM8.75 13.25l2.25 2.25 4.25-4.5" />
    </>
  ),
  shield: (
    <>
      <path d="M12 3.25 19.5 6v5.5c0 4.4-2.9 7.6-7.5 9.25-4.6-1.65-7.5-4.85-7.5-9.25V6Z" />
      <path d="m8.75 11.75 2.4 2.4 4.1-4.4" />
    </>
  ),
  switch: <path d="m8 9.5 4-4 4 4M8 14.5l4 4 4-4" />,
  torch: <path d="M13.5 3 5.5 13.5H12L10.5 21l8-10.5H12Z" />,
  scan: (
    <path d="M4 8.5V6a2 2 0 0 1 2-2h2.5M15.5 4H18a2 2 0 0 1 2 2v2.5M20 15.5V18a2 2 0 0 1-2 2h-2.5M8.5 20H6a2 2 0 0 1-2-2v-2.5M4 12h16" />
  ),
  settings: (
    <>
      <path d="M4 7h9M19 7h1M4 17h1M11 17h9" />
      <circle cx="16" cy="7" r="2.75" />
      <circle cx="8" cy="17" r="2.75" />
    </>
  ),
  wallet: (
    <>
      <path d="M18.5 8V6a2 2 0 0 0-2-2h-11a2 2 0 0 0 0 4h13a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2V6" />
      <path d="M16.5 14v.01" />
    </>
  ),
  warning: (
    <>
      <path d="M12 3.75 21.5 20h-19Z" />
      <path d="M12 10v4.5M12 17.25v.01" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof SHAPES

/** A line icon in the text color. Icons always accompany text, so they are hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true" data-icon={name}>
      {SHAPES[name]}
    </svg>
  )
}

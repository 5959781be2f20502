import { useId } from 'react'
import { Icon, type IconName } from '../icon/icon.tsx'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './banner.module.css'

/** The severity of a banner; determines icon, color and the word announced before the message. */
export type BannerVariant = 'info' | 'warn'

const KINDS = {
  info: { icon: 'info', word: 'Information' },
  warn: { icon: 'warning', word: 'Warning' },
} as const satisfies Record<BannerVariant, { icon: IconName; word: string }>

/** `message` is plain text without links or markup; without `onDismiss` the banner cannot be dismissed. */
export type BannerProps = {
  variant: BannerVariant
  message: string
  onDismiss?: (() => void) | undefined
}

/** An announcement above the page's content. */
export function Banner({ variant, message, onDismiss }: BannerProps) {
  const id = useId()
  const { icon, word } = KINDS[variant]
  return (
    <div className={styles.banner} data-variant={variant}>
      <Icon name={icon} />
      <p id={id} className={styles.message} dir="auto">
        {/* Isolated, so that the message and not this word determines the direction. */}
        <bdi>
          <VisuallyHidden>{word}: </VisuallyHidden>
        </bdi>
        {message}
      </p>
      {onDismiss && (
        <button
          type="button"
          className={styles.dismiss}
          aria-label="Dismiss announcement"
          aria-describedby={id}
          onClick={onDismiss}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}

import type { ComponentProps } from 'react'
import styles from './button.module.css'
import type { ButtonKind } from './button.tsx'

/** What a link that looks like a button takes besides the native attributes. */
export type AnchorButtonProps = Omit<ComponentProps<'a'>, 'className' | 'style'> & {
  kind?: ButtonKind
  wide?: boolean
}

/** A link with the looks of a button, for the one way on that is another page. */
export function AnchorButton({
  kind = 'primary',
  wide = false,
  children,
  ...native
}: AnchorButtonProps) {
  return (
    <a {...native} className={styles.button} data-kind={kind} data-wide={wide || undefined}>
      {children}
    </a>
  )
}

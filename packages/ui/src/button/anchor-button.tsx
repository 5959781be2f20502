import type { ComponentProps } from 'react'
import styles from './button.module.css'
import type { ButtonKind } from './button.tsx'

export type AnchorButtonProps = Omit<ComponentProps<'a'>, 'className' | 'style'> & {
  kind?: ButtonKind
  wide?: boolean
}

/** A link styled as a button, for a main action that navigates to another page. */
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

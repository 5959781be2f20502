import { type ComponentPropsWithoutRef, forwardRef } from 'react'
import styles from './button.module.css'
import type { ButtonKind } from './button.tsx'

export type AnchorButtonProps = Omit<ComponentPropsWithoutRef<'a'>, 'className' | 'style'> & {
  kind?: ButtonKind
  wide?: boolean
}

/** A link styled as a button, for a main action that navigates to another page. */
export const AnchorButton = forwardRef<HTMLAnchorElement, AnchorButtonProps>(function AnchorButton(
  { kind = 'primary', wide = false, children, ...native },
  ref,
) {
  return (
    <a
      {...native}
      ref={ref}
      className={styles.button}
      data-kind={kind}
      data-wide={wide || undefined}
    >
      {children}
    </a>
  )
})

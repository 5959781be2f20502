import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import styles from './step-heading.module.css'

/** The heading of a page with several steps; above it the current one, for example 'Step 1 of 3: your email'. */
export function StepHeading({
  step,
  title,
  children,
}: {
  step: string | undefined
  title: string
  children?: ReactNode
}) {
  return (
    <Stack gap="inside">
      {step && <p className={styles.step}>{step}</p>}
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </Stack>
  )
}

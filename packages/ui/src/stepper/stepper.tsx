import type { ReactNode } from 'react'
import { Icon } from '../icon/icon.tsx'
import { LinkButton } from '../link/link-button.tsx'
import { ProgressBar } from '../progress-bar/progress-bar.tsx'
import { Stack } from '../stack/stack.tsx'
import styles from './stepper.module.css'

export type Step = {
  title: string
  isComplete: boolean
  /** Whether the user may go there. */
  isOpen: boolean
}

export type StepperProps = {
  steps: readonly Step[]
  /** The index of the shown step. */
  at: number
  onStep: (index: number) => void
  /** A line above the progress. */
  topic?: ReactNode
  /** At the end of the heading's line, for example when the answers were saved. */
  status?: ReactNode
  /** Below the list of the steps. */
  note?: ReactNode
  children: ReactNode
}

/** A task of several steps: the shown step with the progress above it and, on wide pages, all steps at the side. */
export function Stepper({ steps, at, onStep, topic, status, note, children }: StepperProps) {
  const title = steps[at]?.title
  return (
    <div className={styles.stepper}>
      <nav aria-label="Steps" className={styles.steps}>
        <ol>
          {steps.map((step, index) => (
            <li
              // Two steps may have the same title.
              key={`${index} ${step.title}`}
              aria-current={index === at ? 'step' : undefined}
              data-complete={step.isComplete || undefined}
            >
              {step.isComplete ? <Icon name="ok" /> : <span className={styles.circle} />}
              {index !== at && step.isOpen ? (
                <LinkButton onClick={() => onStep(index)}>{step.title}</LinkButton>
              ) : (
                step.title
              )}
            </li>
          ))}
        </ol>
        {note && <p className={styles.muted}>{note}</p>}
      </nav>
      <Stack>
        <Stack gap="inside">
          {topic && <p className={styles.muted}>{topic}</p>}
          <p className={styles.muted}>{`Step ${at + 1} of ${steps.length}: ${title}`}</p>
          <ProgressBar value={at + 1} max={steps.length} />
          <div className={styles.head}>
            <h1 key={at} tabIndex={-1} ref={focusHeading}>
              {title}
            </h1>
            {status}
          </div>
        </Stack>
        {children}
      </Stack>
    </div>
  )
}

const focusHeading = (heading: HTMLElement | null) => heading?.focus()

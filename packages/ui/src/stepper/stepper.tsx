import type { ReactNode } from 'react'
import { Icon } from '../icon/icon.tsx'
import { LinkButton } from '../link/link-button.tsx'
import { ProgressBar } from '../progress-bar/progress-bar.tsx'
import { Stack } from '../stack/stack.tsx'
import styles from './stepper.module.css'

export type Step = {
  title: string
  isComplete: boolean
  /** Whether the user may open the step. */
  isOpen: boolean
}

export type StepperProps = {
  steps: readonly Step[]
  /** The index of the shown step. */
  at: number
  onStep: (index: number) => void
  /** A line above the progress bar. */
  topic?: ReactNode
  /** Shown beside the heading, for example when the answers were last saved. */
  status?: ReactNode
  /** Shown below the list of steps. */
  note?: ReactNode
  children: ReactNode
}

/** A multi-step task: the current step, with the list of steps beside it or, on narrow pages, collapsed above it. */
export function Stepper(props: StepperProps) {
  const { steps, at, topic, status, children } = props
  const title = steps[at]?.title
  return (
    <div className={styles.stepper}>
      <div className={styles.side}>
        <StepList {...props} />
      </div>
      <Stack>
        <Stack gap="inside">
          {topic && <p className={styles.muted}>{topic}</p>}
          {/* A new key collapses the list when the step changes. */}
          <details key={at} className={styles.folded}>
            <summary className={styles.muted}>
              {`Step ${at + 1} of ${steps.length}: ${title}`}
              <ProgressBar value={at + 1} max={steps.length} />
            </summary>
            <StepList {...props} />
          </details>
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

function StepList({ steps, at, onStep, note }: StepperProps) {
  return (
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
  )
}

const focusHeading = (heading: HTMLElement | null) => heading?.focus()

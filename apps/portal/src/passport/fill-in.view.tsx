import type { PassportFormPage, PassportSection } from '@portico/contracts/passport-sections'
import { formPages } from '@portico/contracts/passport-sections'
import type { PassportStructureType } from '@portico/contracts/passport-status'
import { type Answers, pageErrors } from '@portico/rules/passport-answers'
import { FailureAlert } from '@portico/shell/failure-alert'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Fact, Facts } from '@portico/ui/facts'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import { Stepper } from '@portico/ui/stepper'
import { VisuallyHidden } from '@portico/ui/visually-hidden'
import { type ReactNode, type SubmitEvent, useRef, useState } from 'react'
import { answerText, fieldTexts, pageReason, pageTitle } from '../passport-texts.ts'
import type { Draft, Event, State } from './fill-in.flow.ts'
import { FormField } from './form-field.tsx'
import styles from './passport.module.css'

/** A page of one of the sections being filled in. */
export interface FormStep {
  readonly section: PassportSection
  readonly page: PassportFormPage
}

export const formSteps = (
  sections: readonly PassportSection[],
  type: PassportStructureType,
): readonly FormStep[] =>
  sections.flatMap((section) => formPages(section, type).map((page) => ({ section, page })))

/** The answers as displayed, saved or not. */
function answersOf({ answers, unsaved, conflicts }: Draft): Answers {
  const mine = Object.entries(conflicts).map(([name, conflict]) => [name, conflict.mine])
  return { ...answers, ...Object.fromEntries(mine), ...unsaved }
}

/** The index of the first incomplete page; the number of pages if there is none. */
export function firstGap(
  steps: readonly FormStep[],
  drafts: readonly Draft[],
  { hasEvidence, now }: { hasEvidence: boolean; now: number },
): number {
  const found = steps.findIndex(({ section, page }) => {
    const draft = drafts.find((each) => each.section === section)
    const answers = draft ? answersOf(draft) : {}
    return Object.keys(pageErrors(page, { answers, hasEvidence, now })).length > 0
  })
  return found === -1 ? steps.length : found
}

export type FillInViewProps = {
  state: Exclude<State, { step: 'submitted' }>
  send: (event: Event) => void
  type: PassportStructureType
  steps: readonly FormStep[]
  /** The index of the current page; after the last one the answers are reviewed and submitted. */
  at: number
  onStep: (index: number) => void
  /** What a reviewer asked for. */
  messages?: ReactNode
  /** Only owners submit. */
  canSubmit: boolean
  onReload: () => void
  /** The evidence files, and the names of complete ones. */
  evidence: ReactNode
  fileNames: readonly string[]
  /** Whether files are still being uploaded. */
  isUploading: boolean
  time: (at: number) => string
  now: number
  supportPhone: string
}

/** The passport forms: one page at a time, then a review of all answers. */
export function FillInView(props: FillInViewProps) {
  const { steps, at, onStep, state, send, now, evidence, fileNames } = props
  const step = steps[at]
  const draftOf = (section: PassportSection) =>
    state.drafts.find((each) => each.section === section)
  const draft = step && draftOf(step.section)
  const titles = [...steps.map(({ page }) => pageTitle(page.page)), 'Check and submit']
  const gap = firstGap(steps, state.drafts, { hasEvidence: fileNames.length > 0, now })
  const takesEvidence = step?.page.takesEvidence === true
  return (
    <Stepper
      steps={titles.map((each, index) => ({
        title: each,
        isComplete: index < gap,
        isOpen: index <= gap,
      }))}
      at={at}
      onStep={onStep}
      status={<SaveState {...props} />}
    >
      {props.messages}
      {state.step === 'failed' && (
        <Stack gap="inside">
          <FailureAlert failure={state.failure} supportPhone={props.supportPhone} />
          {SESSION_GONE.includes(state.failure.reason) && (
            <p>Your answers are still on this page. Log in in another tab, then save again.</p>
          )}
          <p>
            <LinkButton onClick={() => send({ type: 'retried' })}>Save again</LinkButton>
          </p>
        </Stack>
      )}
      {state.drafts.map((each) => (
        <Conflicts key={each.section} draft={each} send={send} />
      ))}
      {/* Hidden and not removed, so that uploads continue while other pages are filled in. */}
      {steps.some(({ page }) => page.takesEvidence) && (
        <div hidden={!takesEvidence}>{evidence}</div>
      )}
      {step !== undefined && draft !== undefined ? (
        <PageForm key={`${step.section} ${step.page.page}`} {...props} step={step} draft={draft} />
      ) : (
        <Check {...props} gap={gap} draftOf={draftOf} />
      )}
    </Stepper>
  )
}

/** Errors after which the user must log in again. */
const SESSION_GONE: readonly unknown[] = ['session-ended', 'unauthenticated']

function SaveState({ state, time }: FillInViewProps) {
  const savedAt = Math.max(...state.drafts.map((draft) => draft.savedAt ?? 0))
  return (
    <p className={styles.saved} role="status">
      {state.step === 'saving' && 'Saving…'}
      {state.step === 'saved' && savedAt > 0 && `Saved ${time(savedAt)}`}
      {state.step === 'failed' && 'Not saved'}
    </p>
  )
}

/** Answers that were changed both here and on another device. */
function Conflicts({ draft, send }: { draft: Draft; send: (event: Event) => void }) {
  const { section } = draft
  return Object.entries(draft.conflicts).map(([name, { mine, theirs }]) => {
    const decide = (keep: 'mine' | 'theirs') =>
      send({ type: 'conflictResolved', section, name, keep })
    return (
      <Alert key={name} tone="warn" title={`Changed on another device: ${fieldTexts(name).label}`}>
        <p>
          There: {answerText(name, theirs)}. Here: {answerText(name, mine)}.
        </p>
        <p className={styles.links}>
          <LinkButton onClick={() => decide('mine')}>Keep the answer from here</LinkButton>
          <LinkButton onClick={() => decide('theirs')}>Use the other answer</LinkButton>
        </p>
      </Alert>
    )
  })
}

function PageForm({
  step: { section, page },
  draft,
  at,
  onStep,
  send,
  now,
  fileNames,
  isUploading,
}: FillInViewProps & { step: FormStep; draft: Draft }) {
  const [touched, setTouched] = useState<readonly string[]>([])
  const [wasSubmitted, setSubmitted] = useState(false)
  const summary = useRef<HTMLDivElement>(null)
  const answers = answersOf(draft)
  const hasEvidence = isUploading || fileNames.length > 0
  const errors = Object.entries(pageErrors(page, { answers, hasEvidence, now })).map(
    ([name, error]) => ({ name, error }),
  )
  const idOf = (name: string) => `${section}-${name}`
  const focusField = (name: string) => {
    const element = document.getElementById(idOf(name))
    const control = element?.querySelector<HTMLElement>('input') ?? element
    control?.focus()
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const [first, second] = errors
    if (first === undefined) {
      onStep(at + 1)
      return
    }
    setSubmitted(true)
    if (second === undefined) focusField(first.name)
    else requestAnimationFrame(() => summary.current?.focus())
  }
  const reason = pageReason(page.page)
  const summaryTitle = `${errors.length} answers need your attention`
  return (
    <form noValidate method="post" onSubmit={submit}>
      <Stack gap="fields">
        {reason && <p className={styles.muted}>{reason}</p>}
        {wasSubmitted && errors.length > 1 && (
          <div ref={summary} role="group" aria-label={summaryTitle} tabIndex={-1}>
            <Alert tone="danger" title={summaryTitle}>
              <ul className={styles.summary}>
                {errors.map(({ name, error }) => (
                  <li key={name}>
                    <LinkButton onClick={() => focusField(name)}>
                      {fieldTexts(name).label}: {error}
                    </LinkButton>
                  </li>
                ))}
              </ul>
            </Alert>
          </div>
        )}
        {page.fields.map((field) => {
          const { name } = field
          const isShown = wasSubmitted || touched.includes(name)
          return (
            <FormField
              key={name}
              id={idOf(name)}
              field={field}
              value={answers[name] ?? ''}
              error={isShown ? errors.find((each) => each.name === name)?.error : undefined}
              onAnswer={(value) => {
                setTouched((before) => [...before, name])
                send({ type: 'answered', section, name, value })
              }}
            />
          )
        })}
        <div className={styles.actions}>
          {at > 0 && (
            <Button kind="secondary" onClick={() => onStep(at - 1)}>
              Back
            </Button>
          )}
          <Button type="submit">Continue</Button>
        </div>
      </Stack>
    </form>
  )
}

/** All answers, with a link back to each page, and the submit button. */
function Check({
  state,
  steps,
  at,
  gap,
  onStep,
  send,
  canSubmit,
  onReload,
  supportPhone,
  fileNames,
  isUploading,
  draftOf,
}: FillInViewProps & {
  /** The index of the first page with a gap. A later answer, such as the country, may have opened one. */
  gap: number
  draftOf: (section: PassportSection) => Draft | undefined
}) {
  const incomplete = steps[gap]
  const failure = state.step === 'saved' ? state.failure : undefined
  const isBusy = state.step === 'submitting' || state.step === 'saving'
  return (
    <Stack>
      {failure !== undefined && (
        <Stack gap="inside">
          <FailureAlert failure={failure} supportPhone={supportPhone} />
          {failure.reason === 'passport-changed' && (
            <p>
              <LinkButton onClick={onReload}>Show the current answers</LinkButton>
            </p>
          )}
        </Stack>
      )}
      {steps.map(({ section, page }, index) => {
        const draft = draftOf(section)
        const answers = draft ? answersOf(draft) : {}
        return (
          <section key={`${section} ${page.page}`} className={styles.checked}>
            <div className={styles.head}>
              <h2>{pageTitle(page.page)}</h2>
              <LinkButton onClick={() => onStep(index)}>
                Change<VisuallyHidden> {pageTitle(page.page)}</VisuallyHidden>
              </LinkButton>
            </div>
            <Facts>
              {page.takesEvidence && fileNames.length > 0 && (
                <Fact label="Files">
                  <ul>
                    {fileNames.map((name, fileIndex) => (
                      // Two files may have the same name.
                      <li key={`${fileIndex} ${name}`}>
                        <bdi>{name}</bdi>
                      </li>
                    ))}
                  </ul>
                </Fact>
              )}
              {page.fields.map(({ name, isOptional }) =>
                (isOptional || (page.takesEvidence && fileNames.length > 0)) &&
                !answers[name] ? null : (
                  <Fact key={name} label={fieldTexts(name).label}>
                    <bdi>{answerText(name, answers[name] ?? '')}</bdi>
                  </Fact>
                ),
              )}
            </Facts>
          </section>
        )
      })}
      {isUploading && (
        <Alert tone="info">
          <p>Some files are not uploaded yet. Wait until they are, or cancel them.</p>
        </Alert>
      )}
      {incomplete !== undefined && (
        <Alert tone="warn" title="Some answers are missing or not valid">
          <p>
            <LinkButton onClick={() => onStep(gap)}>
              Go to: {pageTitle(incomplete.page.page)}
            </LinkButton>
          </p>
        </Alert>
      )}
      {!canSubmit && <p>An owner of this passport checks the answers and submits them.</p>}
      <div className={styles.actions}>
        {at > 0 && (
          <Button kind="secondary" onClick={() => onStep(at - 1)}>
            Back
          </Button>
        )}
        {canSubmit && incomplete === undefined && (
          <Button
            busy={isBusy || isUploading}
            busyLabel={busyLabel(state, isUploading)}
            onClick={() => send({ type: 'submitRequested' })}
          >
            Submit
          </Button>
        )}
      </div>
    </Stack>
  )
}

function busyLabel({ step }: FillInViewProps['state'], isUploading: boolean): string {
  if (step === 'submitting') return 'Submitting…'
  return isUploading ? 'Uploading…' : 'Saving…'
}

import { type Passport, type PassportFile, readPassport } from '@portico/contracts/passport'
import type { PassportSection } from '@portico/contracts/passport-sections'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { useFlow } from '@portico/flow/react'
import { formatTimeOfDay } from '@portico/rules/format'
import { PASSPORT_BASE } from '@portico/rules/gatekeeper'
import { isOpenForAnswers, openDecisions } from '@portico/rules/passport-transitions'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall, useLoad } from '@portico/shell/use-call'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { useEffect, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { useDocumentNavigation } from '../page-location.ts'
import { Evidence } from './evidence.tsx'
import { type Draft, fillIn } from './fill-in.flow.ts'
import { fillInServices, reopenSection } from './fill-in.services.ts'
import { FillInView, firstGap, formSteps } from './fill-in.view.tsx'
import styles from './passport.module.css'
import { ReviewMessages } from './review-messages.tsx'
import { storedRequest, type Task, taskOf } from './stored-request.ts'

export type ResumeProps = {
  passportUuid: string
  /** The section that the user chose to edit. Without it, the flow request decides. */
  section?: string | undefined
  supportPhone: string
}

interface ResumeData {
  readonly passport: Passport
  readonly task: Task
}

/** Fills in the incomplete parts of what the flow request asks for, starting at the first gap. */
export function Resume({ passportUuid, section, supportPhone }: ResumeProps) {
  const { client, deviceStorage, reportError } = useEnvironment()
  const { result, failure, retry } = useLoad(async (signal): Promise<ResumeData> => {
    const passport = await client(readPassport, { query: { passportUuid }, signal })
    const task = taskOf(storedRequest(deviceStorage), passport)
    const chosen = passport.sections.find((each) => each.section === section)
    if (chosen !== undefined && isOpenForAnswers(chosen.status)) {
      // Afterwards the landing page continues with the request.
      return { passport, task: { ...task, open: [chosen.section], continueAt: undefined } }
    }
    // A reviewer's mail leads here too, perhaps about a section that the request did not ask for.
    return {
      passport,
      task: task.open.length > 0 ? task : { ...task, open: returnedSections(passport) },
    }
  }, reportError)
  if (failure !== undefined) {
    return (
      <div className={styles.narrow}>
        <Stack>
          <h1 tabIndex={-1}>We could not open this passport</h1>
          {failure.reason === 'not-found' ? (
            <p>It may belong to another account, or you are no longer a member of it.</p>
          ) : (
            <FailureAlert failure={failure} supportPhone={supportPhone} />
          )}
          <Stack gap="inside">
            <Button wide onClick={retry}>
              Try again
            </Button>
            <AnchorButton kind="secondary" wide href={PASSPORT_BASE}>
              Go to your passport
            </AnchorButton>
          </Stack>
        </Stack>
      </div>
    )
  }
  if (result === undefined) return <Skeleton shape="card" count={2} label="Loading your passport" />
  const { passport, task } = result
  const rowOf = (section: PassportSection) =>
    passport.sections.find((each) => each.section === section)
  const isBlocked = (section: PassportSection) => {
    const row = rowOf(section)
    return row !== undefined && !isOpenForAnswers(row.status)
  }
  const blocked = task.open.filter(isBlocked)
  if (blocked.length > 0) {
    return (
      <ClosedSections
        passport={passport}
        sections={blocked}
        supportPhone={supportPhone}
        onOpen={retry}
      />
    )
  }
  if (task.open.length === 0) return <NothingToFillIn task={task} />
  const drafts = task.open.map((section): Draft => {
    const { version, answers, savedAt } = rowOf(section) ?? {
      version: 0,
      answers: {},
      savedAt: undefined,
    }
    return {
      section,
      version,
      answers,
      savedAt: version > 0 ? savedAt : undefined,
      unsaved: {},
      conflicts: {},
    }
  })
  return <Forms passport={passport} task={task} drafts={drafts} supportPhone={supportPhone} />
}

/** The sections that a reviewer returned or denied. */
const returnedSections = ({ history }: Passport): readonly PassportSection[] =>
  openDecisions(history)
    .filter(({ event }) => event !== 'approved')
    .map(({ section }) => section)

/** Denied or canceled sections, which can be started again. */
function ClosedSections({
  passport: { passportUuid, access, history },
  sections,
  supportPhone,
  onOpen,
}: {
  passport: Passport
  sections: readonly PassportSection[]
  supportPhone: string
  onOpen: () => void
}) {
  const { client, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const open = async (signal: AbortSignal) => {
    for (const section of sections) {
      await reopenSection(client, { passportUuid, section }, signal)
    }
  }
  return (
    <div className={styles.narrow}>
      <Stack>
        <h1 tabIndex={-1}>We could not approve everything</h1>
        <FailureAlert failure={failure} supportPhone={supportPhone} />
        <ReviewMessages history={history} sections={sections} />
        {access === 'owner' ? (
          <Button wide busy={pending} busyLabel="One moment…" onClick={() => run(open, onOpen)}>
            Edit your answers
          </Button>
        ) : (
          <p>An owner of this passport can edit the answers and submit them again.</p>
        )}
      </Stack>
    </div>
  )
}

function NothingToFillIn({ task: { continueAt } }: { task: Task }) {
  return (
    <div className={styles.narrow}>
      <Stack>
        <h1 tabIndex={-1}>Nothing is left to fill in</h1>
        <p>Everything that was requested is complete or in review.</p>
        <AnchorButton wide href={continueAt ?? PASSPORT_BASE}>
          {continueAt === undefined ? 'Go to your passport' : 'Continue'}
        </AnchorButton>
      </Stack>
    </div>
  )
}

function Forms({
  passport,
  task,
  drafts,
  supportPhone,
}: ResumeData & { drafts: readonly Draft[]; supportPhone: string }) {
  const { client, deviceStorage, network, reload, replace, reportError } = useEnvironment()
  const { passportUuid, passportStructureType: type, access, history } = passport
  const [now] = useState(() => Date.now())
  const [steps] = useState(() =>
    formSteps(
      drafts.map(({ section }) => section),
      type,
    ),
  )
  const [files, setFiles] = useState<readonly PassportFile[]>(passport.files)
  const [uploads, setUploads] = useState(0)
  const fileNames = files.flatMap(({ name, type: media }) => (media === null ? [] : [name]))
  const [at, setAt] = useState(() =>
    firstGap(steps, drafts, { hasEvidence: fileNames.length > 0, now }),
  )
  const [state, send] = useFlow(fillIn, {
    input: { drafts },
    services: fillInServices({ client, passportUuid }),
    report: reportError,
    // Answers that wait for an earlier save are saved too if the user leaves the page.
    isUnfinished: ({ step }) => step === 'saving',
  })
  const isSubmitted = state.step === 'submitted'
  useEffect(() => {
    if (!isSubmitted) return
    // The request is complete.
    if (task.continueAt !== undefined) deviceStorage.remove(STORAGE_KEYS.flowRequest)
    replace(task.continueAt ?? PASSPORT_BASE)
  }, [isSubmitted, deviceStorage, replace, task])
  const isFailed = state.step === 'failed'
  useEffect(() => {
    if (!isFailed) return
    return network.watch(() => {
      if (network.isOnline()) send({ type: 'retried' })
    })
  }, [isFailed, network, send])
  const isUploading = uploads > 0
  // Saving continues when a link is followed.
  useDocumentNavigation(isFailed || isUploading)
  const isUnsaved = state.step === 'saving' || isFailed || isUploading
  useEffect(() => {
    if (!isUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isUnsaved])
  if (state.step === 'submitted') return <Skeleton shape="card" label="One moment…" />
  return (
    <FillInView
      state={state}
      send={send}
      type={type}
      steps={steps}
      at={at}
      onStep={setAt}
      messages={<ReviewMessages history={history} sections={task.open} />}
      canSubmit={access === 'owner'}
      onReload={reload}
      evidence={
        <Evidence
          passportUuid={passportUuid}
          files={files}
          onFiles={setFiles}
          onSection={(section) => send({ type: 'filesChanged', section })}
          onUploads={setUploads}
          supportPhone={supportPhone}
        />
      }
      fileNames={fileNames}
      isUploading={isUploading}
      time={formatTimeOfDay}
      now={now}
      supportPhone={supportPhone}
    />
  )
}

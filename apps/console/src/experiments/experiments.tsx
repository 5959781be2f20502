/** Experiments: start a run, read its result at any time, and end it. A running split cannot be changed. */

import {
  type ExperimentList,
  listExperiments,
  type Run,
  startExperiment,
} from '@portico/contracts/admin/experiments'
import { FUNNELS } from '@portico/contracts/admin/insight'
import { Label } from '@portico/contracts/organization'
import { formatTime } from '@portico/rules/format'
import { useLoad } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { SelectField } from '@portico/ui/select-field'
import { Skeleton } from '@portico/ui/skeleton'
import { TextField } from '@portico/ui/text-field'
import { useToast } from '@portico/ui/toast'
import { useId, useState } from 'react'
import { ActDialog } from '../act-dialog/act-dialog.tsx'
import { useEnvironment } from '../environment.ts'
import { LoadFailed, State, Table } from '../list/list.tsx'
import { isPermitted, useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { idIn, objectPath } from '../routes.ts'
import { FUNNEL_TEXTS } from '../texts.ts'
import { EXPERIMENT_TEXTS, RUN_STATES, SERVER_FAILURES } from './experiment-texts.ts'
import styles from './experiments.module.css'
import { Audience, RunPage } from './run.tsx'

type Experiment = ExperimentList['items'][number]

/** `rest` is the ID of a run, or nothing for the list. */
export function Experiments({ rest }: { rest: string }) {
  return rest === '' ? <ExperimentListPage /> : <RunPage key={rest} runId={idIn(rest)} />
}

function ExperimentListPage() {
  const { operator, client } = useOperator()
  const { reportError } = useEnvironment()
  const { result, failure, retry, reload } = useLoad(
    (signal) => client(listExperiments, { signal }),
    reportError,
  )
  const [starting, setStarting] = useState<Experiment>()
  const canStart = isPermitted(operator, 'experiments.write')
  return (
    <>
      <PageHead
        title="Experiments"
        facts="Show a change to a share of visitors and see whether more of them complete a funnel. You can check results every day."
      />
      {failure !== undefined && <LoadFailed failure={failure} onRetry={retry} />}
      {failure === undefined && result === undefined && (
        <Skeleton shape="card" count={3} label="Loading the experiments" />
      )}
      {result?.server && SERVER_FAILURES[result.server.state] && (
        <Alert tone="danger" title="We cannot read the experiments server">
          {SERVER_FAILURES[result.server.state]}
        </Alert>
      )}
      <div className={styles.list}>
        {result?.items.map((experiment) => (
          <ExperimentView
            key={experiment.key}
            experiment={experiment}
            onStart={canStart ? () => setStarting(experiment) : undefined}
          />
        ))}
      </div>
      {starting && (
        <StartDialog
          experiment={starting}
          onClose={() => setStarting(undefined)}
          onDone={() => {
            setStarting(undefined)
            reload()
          }}
        />
      )}
    </>
  )
}

const isOpen = ({ state }: Run) => state !== 'ended'

function ExperimentView({
  experiment: { key, file, runs },
  onStart,
}: {
  experiment: Experiment
  onStart: (() => void) | undefined
}) {
  const id = useId()
  const isBusy = runs.some(isOpen)
  return (
    <section aria-labelledby={id} className={styles.experiment}>
      <header>
        <div>
          <h2 id={id}>{EXPERIMENT_TEXTS[key]}</h2>
          <p className={styles.quiet}>
            <code>{key}</code>
            {file === null
              ? ', off outside of runs'
              : `, ${file.on ? `on for ${file.percent}% of visitors` : 'off'} outside of runs`}
          </p>
        </div>
        {onStart && !isBusy && (
          <Button kind="secondary" onClick={onStart}>
            Start a run
          </Button>
        )}
      </header>
      {runs.length === 0 ? (
        <p className={styles.quiet}>No runs yet.</p>
      ) : (
        <Table
          label={`Runs of ${EXPERIMENT_TEXTS[key]}`}
          items={runs}
          keyOf={({ runId }) => runId}
          columns={[
            {
              title: 'Run',
              renderCell: ({ runId, startsAt }) => (
                <a href={objectPath('experiments', runId)}>{formatTime(startsAt)}</a>
              ),
            },
            {
              title: 'State',
              renderCell: ({ state }) => (
                <State tone={RUN_STATES[state].tone}>{RUN_STATES[state].text}</State>
              ),
            },
            { title: 'Share', renderCell: ({ split }) => `${split.percent}%`, isNumber: true },
            { title: 'Audience', renderCell: ({ split }) => <Audience split={split} /> },
            { title: 'Succeeds if', renderCell: ({ split }) => FUNNEL_TEXTS[split.outcome] },
            { title: 'Reason', renderCell: ({ reason }) => <bdi>{reason}</bdi>, isDetail: true },
          ]}
        />
      )}
    </section>
  )
}

const percentError = (text = '') => {
  const percent = Number(text.replace(',', '.'))
  return text.trim() !== '' && percent > 0 && percent <= 100
    ? undefined
    : 'Please enter a number above 0, up to 100.'
}

const listOf = (text = '') => text.split(/[\s,]+/).filter((word) => word !== '')

const codesOf = (text = '') => listOf(text.toUpperCase())

const LABELS = Label.options

const labelsOf = (text = '') => listOf(text).flatMap((label) => Label.safeParse(label).data ?? [])

const timeOf = (text: string | undefined) =>
  text === undefined || text === '' ? undefined : Date.parse(text)

function StartDialog({
  experiment: { key },
  onDone,
  onClose,
}: {
  experiment: Experiment
  onDone: () => void
  onClose: () => void
}) {
  const showToast = useToast()
  const { now } = useEnvironment()
  const { operator } = useOperator()
  return (
    <ActDialog
      about={key}
      texts={{
        title: `Start a run: ${EXPERIMENT_TEXTS[key]}`,
        consequence: (
          <p>
            Share and audience cannot be changed while it runs: numbers of two splits cannot be
            compared. End it and start another one instead.
          </p>
        ),
        button: 'Start',
        busyLabel: 'Starting…',
      }}
      rules={{
        percent: ({ percent }) => percentError(percent),
        outcome: ({ outcome }) => (outcome ? undefined : 'Please choose what counts as success.'),
        organizations: ({ organizations }) => {
          const unknown = codesOf(organizations).find(
            (code) => !operator.organizations.some((each) => each.organizationCode === code),
          )
          return unknown && `There is no organization ${unknown}, or your roles do not include it.`
        },
        labels: ({ labels }) => {
          const unknown = listOf(labels).find((label) => !Label.safeParse(label).success)
          return unknown && `There is no label ${unknown}. Labels are ${LABELS.join(', ')}.`
        },
        startsAt: ({ startsAt = '' }) =>
          startsAt !== '' && Date.parse(startsAt) < now()
            ? 'Please enter a time that is not over, or leave it empty.'
            : undefined,
        stopsAt: ({ startsAt, stopsAt = '' }) =>
          stopsAt !== '' && Date.parse(stopsAt) <= (timeOf(startsAt) ?? now())
            ? 'Please enter a time after the start, or leave it empty.'
            : undefined,
      }}
      renderFields={(field) => (
        <>
          <TextField
            {...field('percent')}
            label="Share of visitors who get it, in percent"
            inputMode="decimal"
            defaultValue="50"
          />
          <SelectField
            {...field('outcome')}
            label="It succeeds if more visitors complete"
            defaultValue=""
          >
            <option value="">Choose a funnel</option>
            {FUNNELS.map((funnel) => (
              <option key={funnel} value={funnel}>
                {FUNNEL_TEXTS[funnel]}
              </option>
            ))}
          </SelectField>
          <TextField
            {...field('organizations')}
            label="Organizations"
            hint="Their codes, such as FIGURE, HARBORLINE. Leave empty for all."
          />
          <TextField
            {...field('labels')}
            label="Labels"
            hint="Only visitors with one of these labels. Leave empty for everyone."
          />
          <TextField
            {...field('startsAt')}
            type="datetime-local"
            label="Starts"
            hint="In your time zone. Leave empty to start now."
          />
          <TextField
            {...field('stopsAt')}
            type="datetime-local"
            label="Stops"
            hint="Leave empty to run until you end it."
          />
        </>
      )}
      act={(client, values, signal) => {
        const [organizations, labels] = [
          codesOf(values['organizations']),
          labelsOf(values['labels']),
        ]
        const [startsAt, stopsAt] = [timeOf(values['startsAt']), timeOf(values['stopsAt'])]
        return client(startExperiment, {
          body: {
            key,
            split: {
              percent: Number(values['percent']?.replace(',', '.')),
              outcome: FUNNELS.find((funnel) => funnel === values['outcome']) ?? 'sign-in',
              ...(organizations.length > 0 && { organizations }),
              ...(labels.length > 0 && { labels }),
            },
            ...(startsAt !== undefined && { startsAt }),
            ...(stopsAt !== undefined && { stopsAt }),
            reason: values.reason,
          },
          signal,
        })
      }}
      onDone={({ state }) => {
        const text = state === 'scheduled' ? 'Run scheduled.' : 'Run started.'
        showToast({ tone: 'ok', text })
        onDone()
      }}
      onClose={onClose}
    />
  )
}

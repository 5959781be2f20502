/** One run and its result. */

import {
  AFTERWARDS,
  type Afterwards,
  type ExperimentResultAnswer,
  endExperiment,
  type Run,
  type RunSplit,
  readExperimentResult,
} from '@portico/contracts/admin/experiments'
import { formatNumber, formatPercent, formatTime } from '@portico/rules/format'
import { useLoad } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { SelectField } from '@portico/ui/select-field'
import { Skeleton } from '@portico/ui/skeleton'
import { useToast } from '@portico/ui/toast'
import { useState } from 'react'
import { ActDialog } from '../act-dialog/act-dialog.tsx'
import { useEnvironment } from '../environment.ts'
import { LoadFailed, State, Table } from '../list/list.tsx'
import { OrganizationNames } from '../name-text.tsx'
import { isPermitted, useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { FUNNEL_TEXTS } from '../texts.ts'
import { ARM_TEXTS, EXPERIMENT_TEXTS, RUN_STATES, verdictTexts } from './experiment-texts.ts'
import styles from './experiments.module.css'

const LIST = { href: '/console/experiments', title: 'Experiments' }

const TONES = {
  winner: 'ok',
  'no-difference-yet': 'info',
  'not-enough-data': 'info',
  'split-broken': 'danger',
} as const

export function RunPage({ runId }: { runId: string }) {
  const { operator, client } = useOperator()
  const { reportError } = useEnvironment()
  const { result, failure, retry, reload } = useLoad(
    (signal) => client(readExperimentResult, { query: { runId }, signal }),
    reportError,
  )
  const [isEnding, setEnding] = useState(false)
  if (result === undefined || failure !== undefined) {
    return (
      <>
        <PageHead title="Run" back={LIST} />
        {failure === undefined ? (
          <Skeleton shape="card" count={2} label="Loading the result" />
        ) : failure.reason === 'not-found' || failure.reason === 'invalid-request' ? (
          <p>This run does not exist, or your roles do not cover its organizations.</p>
        ) : (
          <LoadFailed failure={failure} onRetry={retry} />
        )}
      </>
    )
  }
  const { run } = result
  return (
    <>
      <PageHead
        title={EXPERIMENT_TEXTS[run.key]}
        back={LIST}
        facts={
          <>
            <State tone={RUN_STATES[run.state].tone}>{RUN_STATES[run.state].text}</State>
            <span>{periodText(run)}</span>
            <span>
              <Audience split={run.split} />
            </span>
            <span>
              Reason: <bdi>{run.reason}</bdi>
            </span>
          </>
        }
      >
        {run.state !== 'ended' && isPermitted(operator, 'experiments.write') && (
          <Button kind="secondary" onClick={() => setEnding(true)}>
            End the run
          </Button>
        )}
      </PageHead>
      <Result result={result} />
      {isEnding && (
        <EndDialog
          run={run}
          onClose={() => setEnding(false)}
          onDone={() => {
            setEnding(false)
            reload()
          }}
        />
      )}
    </>
  )
}

/** The organizations and labels that take part. */
export function Audience({ split: { organizations, labels } }: { split: RunSplit }) {
  return (
    <>
      <OrganizationNames codes={organizations ?? ['*']} />
      {labels && `; labels ${labels.join(', ')}`}
    </>
  )
}

function periodText({ startsAt, endedAt, stopsAt }: ExperimentResultAnswer['run']): string {
  if (endedAt !== null) return `${formatTime(startsAt)} to ${formatTime(endedAt)}`
  return stopsAt === null
    ? `Since ${formatTime(startsAt)}`
    : `${formatTime(startsAt)}, stops ${formatTime(stopsAt)}`
}

function Result({
  result: { run, verdict, arms, leftOutExposures, otherOutcomes },
}: {
  result: ExperimentResultAnswer
}) {
  const { title, text } = verdictTexts(verdict)
  const effect = arms.find((arm) => arm.effect !== null)?.effect ?? undefined
  const isTrusted = verdict.kind !== 'split-broken'
  const others = otherOutcomes.filter(({ outcomes }) => outcomes > 0)
  return (
    <div className={styles.result}>
      <Alert tone={TONES[verdict.kind]} title={title}>
        <p>{text}</p>
      </Alert>
      {leftOutExposures > 0 && (
        <Alert tone="warn" title="Some exposures are not counted">
          <p>
            {formatNumber(leftOutExposures)} exposures came from networks that already had 20 new
            visitors that day. They may not be from people.
          </p>
        </Alert>
      )}
      {effect && isTrusted && <EffectPlot {...effect} />}
      <Table
        label={`Visitors who completed: ${FUNNEL_TEXTS[run.split.outcome]}`}
        items={arms}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Variant', renderCell: ({ name }) => ARM_TEXTS[name] ?? name },
          { title: 'Share', renderCell: ({ percent }) => `${percent}%`, isNumber: true },
          {
            title: 'Visitors',
            renderCell: ({ visitors }) => formatNumber(visitors),
            isNumber: true,
          },
          {
            title: `Completed: ${FUNNEL_TEXTS[run.split.outcome]}`,
            renderCell: ({ outcomes }) => formatNumber(outcomes),
            isNumber: true,
          },
          {
            title: 'Rate',
            renderCell: ({ rate }) => (rate === null ? '–' : formatPercent(rate)),
            isNumber: true,
          },
          {
            title: 'Effect, in points',
            renderCell: ({ effect: each }) => (each === null ? '–' : intervalText(each)),
            isNumber: true,
          },
        ]}
      />
      <p className={styles.quiet}>
        The interval is valid at every look, with an error rate of 5% overall, so you can check the
        result as often as you like.
      </p>
      {others.length > 0 && (
        <details className={styles.others}>
          <summary>Other funnels</summary>
          <Table
            label="Other funnels"
            items={others}
            keyOf={({ outcome, arm }) => `${outcome} ${arm}`}
            columns={[
              { title: 'Funnel', renderCell: ({ outcome }) => FUNNEL_TEXTS[outcome] },
              { title: 'Variant', renderCell: ({ arm }) => ARM_TEXTS[arm] ?? arm },
              {
                title: 'Completed',
                renderCell: ({ outcomes }) => formatNumber(outcomes),
                isNumber: true,
              },
            ]}
          />
          <p className={styles.quiet}>
            These are not the goal of the run, so they have no verdict.
          </p>
        </details>
      )}
    </div>
  )
}

interface Interval {
  readonly difference: number
  readonly from: number
  readonly to: number
}

const points = (share: number) =>
  `${share > 0 ? '+' : ''}${formatNumber(share * 100, { digits: 1 })}`

const intervalText = ({ difference, from, to }: Interval) =>
  `${points(difference)} (${points(from)} to ${points(to)})`

const [WIDTH, HEIGHT] = [400, 72]

/** The confidence interval of the effect, relative to zero. The table has the same numbers. */
function EffectPlot(effect: Interval) {
  const reach = Math.max(Math.abs(effect.from), Math.abs(effect.to)) * 1.15 || 1
  const x = (share: number) => WIDTH / 2 + (share / reach) * (WIDTH / 2)
  return (
    <svg className={styles.plot} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img">
      <title>{`Effect in points: ${intervalText(effect)}`}</title>
      <path data-part="zero" d={`M${WIDTH / 2} 4V48`} />
      <path data-part="interval" d={`M${x(effect.from)} 26H${x(effect.to)}`} />
      <path data-part="end" d={`M${x(effect.from)} 18v16M${x(effect.to)} 18v16`} />
      <circle cx={x(effect.difference)} cy={26} r={6} />
      <text x={WIDTH / 2} y={66} data-part="middle">
        no difference
      </text>
      <text x={4} y={66}>
        worse
      </text>
      <text x={WIDTH - 4} y={66} data-part="last">
        better
      </text>
    </svg>
  )
}

const AFTERWARDS_TEXTS: Readonly<Record<Afterwards, string>> = {
  file: 'As before the run',
  everyone: 'Everyone gets it',
  'no-one': 'No one gets it',
}

/** Ends a run permanently. */
function EndDialog({
  run,
  onDone,
  onClose,
}: {
  run: Run
  onDone: () => void
  onClose: () => void
}) {
  const showToast = useToast()
  return (
    <ActDialog
      texts={{
        title: `End the run: ${EXPERIMENT_TEXTS[run.key]}`,
        consequence: <p>It cannot be continued. Its result stays.</p>,
        button: 'End the run',
        busyLabel: 'Ending…',
      }}
      rules={{
        afterwards: ({ afterwards }) =>
          afterwards ? undefined : 'Please choose what visitors get.',
      }}
      renderFields={(field) => (
        <SelectField {...field('afterwards')} label="What visitors get from now on" defaultValue="">
          <option value="">Choose what they get</option>
          {AFTERWARDS.map((each) => (
            <option key={each} value={each}>
              {AFTERWARDS_TEXTS[each]}
            </option>
          ))}
        </SelectField>
      )}
      act={(client, { afterwards, reason }, signal) =>
        client(endExperiment, {
          body: {
            runId: run.runId,
            afterwards: AFTERWARDS.find((each) => each === afterwards) ?? 'file',
            reason,
          },
          signal,
        })
      }
      onDone={() => {
        showToast({ tone: 'ok', text: 'Run ended.' })
        onDone()
      }}
      onClose={onClose}
    />
  )
}

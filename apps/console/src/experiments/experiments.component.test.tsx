import { refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type Answers, anOperator, ConsoleAt, fakeEnvironment } from '../testing.tsx'
import { EARLY_RESULT, EXPERIMENTS, RESULT, RUN } from './experiments.samples.ts'
import { Experiments } from './experiments.tsx'

async function open(rest: string, answers: Answers = {}, role: 'admin' | 'analyst' = 'admin') {
  const environment = fakeEnvironment({ ...EXPERIMENTS, ...answers })
  await render(
    <ConsoleAt
      address={`/console/experiments${rest && `/${rest}`}`}
      environment={environment}
      operator={anOperator(role)}
    >
      <Experiments rest={rest} />
    </ConsoleAt>,
  )
  return (name: string) =>
    environment.calls.filter((each) => each.name === name).map(({ input }) => input)
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')

test('a run is started with share, funnel, audience and reason; mistakes are beside their fields', async () => {
  const sent = await open('', { startExperiment: RUN })
  await button('Start a run').first().click()
  await dialog.getByLabelText(/^Share/).fill('0')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect.element(page.getByText('Please enter a number above 0, up to 100.')).toBeVisible()
  await expect.element(page.getByText('Please choose what counts as success.')).toBeVisible()
  await dialog.getByLabelText(/^Share/).fill('12,5')
  await dialog.getByLabelText(/^It succeeds/).selectOptions('sign-in')
  await dialog.getByLabelText('Organizations').fill('figure, NOWHERE')
  await dialog.getByLabelText('Labels').fill('silver')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect.element(page.getByText(/^There is no organization NOWHERE/)).toBeVisible()
  await expect.element(page.getByText(/^There is no label silver. Labels are apollo/)).toBeVisible()
  await dialog.getByLabelText('Labels').fill('')
  await dialog.getByLabelText('Organizations').fill('figure, HARBORLINE')
  await dialog.getByLabelText('Reason').fill('Brokers asked for it.')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect
    .poll(() => sent('startExperiment'))
    .toEqual([
      {
        key: 'broker-agent-login',
        split: { percent: 12.5, outcome: 'sign-in', organizations: ['FIGURE', 'HARBORLINE'] },
        reason: 'Brokers asked for it.',
      },
    ])
})

test.for([
  ['running', 'Run started.'],
  ['scheduled', 'Run scheduled.'],
] as const)('a start that is %s says so', async ([state, text]) => {
  await open('', { startExperiment: { ...RUN, state } })
  await button('Start a run').first().click()
  await dialog.getByLabelText(/^It succeeds/).selectOptions('sign-in')
  await dialog.getByLabelText('Reason').fill('Brokers asked for it.')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect.element(page.getByText(text)).toBeVisible()
})

test('while a run is open, no other one of the experiment can be started', async () => {
  await open('')
  await expect.element(page.getByText('Running')).toBeVisible()
  expect(button('Start a run').elements()).toHaveLength(2)
})

test('a result says what it means, with the interval in words as well', async () => {
  await open(RUN.runId)
  await expect.element(page.getByText('The new way is better')).toBeVisible()
  await expect
    .element(page.getByRole('img', { name: 'Effect in points: +4.4 (+0.7 to +8.1)' }))
    .toBeVisible()
})

test.for([
  ['not-enough-data', 'Not enough data', EARLY_RESULT],
  [
    'split-broken',
    'The split is broken',
    { ...RESULT, verdict: { kind: 'split-broken', arm: null } },
  ],
] as const)('%s is said, and no effect is drawn', async ([, title, answer]) => {
  await open(RUN.runId, { readExperimentResult: answer })
  await expect.element(page.getByText(title, { exact: true })).toBeVisible()
  expect(page.getByRole('img', { name: /^Effect/ }).elements()).toEqual([])
})

test('a run is ended for good, with what visitors get afterwards', async () => {
  const sent = await open(RUN.runId, { endExperiment: { ...RUN, state: 'ended' } })
  await button('End the run').click()
  await dialog.getByLabelText('What visitors get from now on').selectOptions('everyone')
  await dialog.getByLabelText('Reason').fill('It is better.')
  await dialog.getByRole('button', { name: 'End the run' }).click()
  await expect
    .poll(() => sent('endExperiment'))
    .toEqual([{ runId: RUN.runId, afterwards: 'everyone', reason: 'It is better.' }])
})

test('an analyst reads and changes nothing; an unknown run is said to be unknown', async () => {
  await open('', {}, 'analyst')
  await expect.element(page.getByText('Running')).toBeVisible()
  expect(button('Start a run').elements()).toEqual([])
  await open(RUN.runId, { readExperimentResult: refusal('not-found') }, 'analyst')
  await expect.element(page.getByText(/^This run does not exist/)).toBeVisible()
})

test('rules of the experiments server that are encrypted are an error that says how to fix it', async () => {
  const { listExperiments } = EXPERIMENTS
  await open('', {
    listExperiments: { ...(listExperiments as object), server: { state: 'encrypted' } },
  })
  await expect
    .element(page.getByText(/Turn off encryption of the SDK connection in GrowthBook/))
    .toBeVisible()
})

test.for([undefined, { state: 'read' }] as const)(
  'an experiments server that is %j needs no notice',
  async (server) => {
    const { listExperiments } = EXPERIMENTS
    await open('', {
      listExperiments: { ...(listExperiments as object), ...(server && { server }) },
    })
    await expect.element(button('Start a run').first()).toBeVisible()
    expect(page.getByText('We cannot read the experiments server').elements()).toEqual([])
  },
)

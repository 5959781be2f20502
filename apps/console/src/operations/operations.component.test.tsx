import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type Answers, anOperator, ConsoleAt, fakeEnvironment } from '../testing.tsx'
import { OPERATIONS } from './operations.samples.ts'
import { Operations } from './operations.tsx'

async function open(role: 'admin' | 'support' = 'admin', answers: Answers = {}) {
  const environment = fakeEnvironment({ ...OPERATIONS, ...answers })
  await render(
    <ConsoleAt address="/console/operations" environment={environment} operator={anOperator(role)}>
      <Operations />
    </ConsoleAt>,
  )
  return (name: string) =>
    environment.calls.filter((each) => each.name === name).map(({ input }) => input)
}

test('what waits is tried again with a reason, and read again', async () => {
  const sent = await open('admin', { retryMessages: { changed: 2 } })
  await expect.element(page.getByText('Endpoints: 1 failing, 0 disabled')).toBeVisible()
  await expect.element(page.getByText('Expires soon')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /^Login 1,412 / })).toBeVisible()
  await expect
    .element(page.getByRole('row', { name: /^7a1d5e92-\S+ .* 12 Not reachable/ }))
    .toBeVisible()
  await expect.element(page.getByText(/Messages of 3 wallet connections wait/)).toBeVisible()
  await expect.element(page.getByText(/an upgrade is in progress/)).toBeVisible()
  await page.getByRole('button', { name: 'Try to send now…' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('The mail server is back.')
  await page.getByRole('button', { name: 'Try now' }).click()
  await expect.element(page.getByText('2 messages are being sent.')).toBeVisible()
  expect(sent('retryMessages')).toEqual([{ reason: 'The mail server is back.' }])
  expect(sent('readOperations')).toHaveLength(2)
})

test('refused requests of directories are shown in plain words, with the attribute at fault', async () => {
  await open('support')
  await expect
    .element(
      page.getByRole('row', {
        name: /^Harborline ID, .*Change a person.*emails.*The value is missing.*deactivated all the same\. 3/,
      }),
    )
    .toBeVisible()
  await expect
    .element(page.getByRole('row', { name: /Add a person.*userName.*already has this name\. 1/ }))
    .toBeVisible()
  await expect
    .element(page.getByRole('row', { name: /Figure staff.*Read groups.*compare by eq.* 1,412/ }))
    .toBeVisible()
})

test('without a refused request of a directory, the page says so', async () => {
  await open('support', {
    readOperations: { ...OPERATIONS.readOperations, directoryRefusals: [] },
  })
  await expect
    .element(page.getByText('No request of a directory was refused in the last 30 days.'))
    .toBeVisible()
})

test('support reads and changes nothing; without a role for all organizations, no message is listed', async () => {
  const sent = await open('support')
  await expect.element(page.getByText('l…@portico.example')).toBeVisible()
  expect(page.getByRole('button', { name: 'Try to send now…' }).elements()).toEqual([])
  expect(sent('listWaitingMessages')).toHaveLength(1)
  const limited = await open('support', {
    readOperations: {
      ...OPERATIONS.readOperations,
      outbox: null,
      webhooks: null,
      rateLimits: null,
    },
  })
  await expect.element(page.getByRole('heading', { name: 'Nodes' }).last()).toBeVisible()
  expect(limited('listWaitingMessages')).toEqual([])
})

import { refusal } from '@portico/client/testing'
import { lockPerson } from '@portico/contracts/admin/people'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ActDialog } from '../act-dialog/act-dialog.tsx'
import { ORGANIZATIONS } from '../organizations/organizations.samples.ts'
import { type Answers, anOperator, ConsoleAt, fakeEnvironment } from '../testing.tsx'
import { APPROVALS, EARLIER, FAILED_REQUEST, OWN_REQUEST, REQUEST } from './approvals.samples.ts'
import { Approvals } from './approvals.tsx'

const APPROVER = anOperator('admin', { approvalActs: ['deletePerson'] })
const dialog = page.getByRole('dialog')

async function open(rest: string, answers: Answers = {}, query = '') {
  const environment = fakeEnvironment({ ...APPROVALS, ...answers })
  await render(
    <ConsoleAt
      address={`/console/approvals${rest === '' ? '' : `/${rest}`}${query}`}
      environment={environment}
      operator={APPROVER}
    >
      <Approvals rest={rest} />
    </ConsoleAt>,
  )
  return (name: string) =>
    environment.calls.filter((each) => each.name === name).map(({ input }) => input)
}

test('what waits is listed first, and all requests with what became of them', async () => {
  const sent = await open('')
  await expect.element(page.getByRole('link', { name: 'Delete an account' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'You' })).toBeVisible()
  expect(sent('listActRequests')).toEqual([{ state: 'waiting' }])
  await expect
    .element(page.getByRole('link', { name: 'All', exact: true }))
    .toHaveAttribute('href', '/console/approvals?show=all')
})

test('all requests have their states', async () => {
  const sent = await open('', EARLIER, '?show=all')
  for (const state of ['Waiting', 'Failed', 'Done', 'Declined', 'Withdrawn', 'Expired']) {
    await expect.element(page.getByRole('cell', { name: state, exact: true })).toBeVisible()
  }
  expect(sent('listActRequests')).toEqual([{}])
})

test('an operator reads what would happen, approves it with a reason, and sees that it was done', async () => {
  const sent = await open(REQUEST.requestUuid, {
    approveActRequest: { ...REQUEST, state: 'done' },
  })
  await expect
    .element(page.getByText(/is permanently deleted, with the keys of its hosted wallets/))
    .toBeVisible()
  await expect.element(page.getByText(REQUEST.reason)).toBeVisible()
  await page.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect.element(dialog.getByText('Please enter a reason.')).toBeVisible()
  await dialog.getByLabelText('Reason').fill('The letter is signed.')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect.element(page.getByText('Approved and done.')).toBeVisible()
  expect(sent('approveActRequest')).toEqual([
    { requestUuid: REQUEST.requestUuid, reason: 'The letter is signed.' },
  ])
  expect(sent('readActRequest')).toHaveLength(2)
})

test('an approved act that fails says why, and another decision made meanwhile too', async () => {
  const sent = await open(REQUEST.requestUuid, {
    approveActRequest: { ...REQUEST, state: 'failed', failure: 'not-permitted' },
    declineActRequest: refusal('request-ended'),
  })
  await page.getByRole('button', { name: 'Decline' }).click()
  await dialog.getByLabelText('Reason').fill('No letter.')
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect.element(dialog.getByText(/is no longer waiting/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  // The page shows what became of it.
  await expect.poll(() => sent('readActRequest')).toHaveLength(2)
  await page.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByLabelText('Reason').fill('Checked.')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect.element(page.getByText(/^It failed. The requester is/)).toBeVisible()
})

test('who asked can only withdraw', async () => {
  const sent = await open(OWN_REQUEST.requestUuid, {
    readActRequest: OWN_REQUEST,
    withdrawActRequest: { ...OWN_REQUEST, state: 'withdrawn' },
  })
  await expect.element(page.getByText('Waiting for another operator')).toBeVisible()
  expect(page.getByRole('button', { name: 'Approve' }).query()).toBeNull()
  expect(page.getByRole('button', { name: 'Decline' }).query()).toBeNull()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await dialog.getByLabelText('Reason').fill('Not needed.')
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expect.element(page.getByText('Request withdrawn.')).toBeVisible()
  expect(sent('withdrawActRequest')).toHaveLength(1)
})

test('a publication shows what it changes; one whose draft changed cannot be approved, and says so', async () => {
  const waiting = { ...FAILED_REQUEST, state: 'waiting', failure: null, decidedAt: null } as const
  const shown = { ...ORGANIZATIONS, readActRequest: { ...waiting, canApprove: true } }
  const first = await render(
    <ConsoleAt address="/console/approvals/1" environment={fakeEnvironment(shown)}>
      <Approvals rest="1" />
    </ConsoleAt>,
  )
  await expect.element(page.getByRole('table', { name: 'Differences' })).toBeVisible()
  await first.unmount()
  await open('2', { readActRequest: { ...waiting, obstacle: 'edit-outdated' } })
  await expect.element(page.getByText('This is no longer possible')).toBeVisible()
  expect(page.getByRole('button', { name: 'Approve' }).query()).toBeNull()
})

test('an operator whose act needs a second one reads that nothing is done yet, and where to follow it', async () => {
  const { requestUuid, expiresAt } = REQUEST
  let isClosed = false
  await render(
    <ConsoleAt
      address="/console/people"
      environment={fakeEnvironment({
        lockPerson: { outcome: 'approval-needed', requestUuid, expiresAt },
      })}
    >
      <ActDialog
        texts={{ title: 'Lock?', consequence: null, button: 'Lock', busyLabel: 'Locking…' }}
        act={(client, { reason }, signal) =>
          client(lockPerson, { body: { identityUuid: requestUuid, reason }, signal })
        }
        onDone={() => {
          throw new Error('Nothing was done')
        }}
        onClose={() => {
          isClosed = true
        }}
      />
    </ConsoleAt>,
  )
  // Without such acts the navigation has no approvals.
  expect(page.getByRole('link', { name: 'Approvals' }).query()).toBeNull()
  await dialog.getByLabelText('Reason').fill('Asked for.')
  await dialog.getByRole('button', { name: 'Lock' }).click()
  await expect
    .element(dialog.getByRole('heading', { name: 'Waiting for a second operator' }))
    .toHaveFocus()
  await expect.element(dialog.getByText(/^Nothing has changed yet/)).toBeVisible()
  await expect
    .element(dialog.getByRole('link', { name: 'View the request' }))
    .toHaveAttribute('href', `/console/approvals/${requestUuid}`)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  expect(isClosed).toBe(true)
})

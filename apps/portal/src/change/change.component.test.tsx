import { refusal } from '@portico/client/testing'
import { removeTotp } from '@portico/contracts/account-security'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderDialog } from '../testing.tsx'
import { Change, type ChangeProps } from './change.tsx'

const NO_PASSKEY_CREATED = { notices: ['No passkey was created.'] }

const remove = page.getByRole('button', { name: 'Remove' })
const dialog = page.getByRole('dialog', { name: 'Remove your app' })

const renderChange = (
  answers: Record<string, unknown>,
  change: ChangeProps['change'] = (client) => client(removeTotp, {}),
) =>
  renderDialog(
    (props) => (
      <Change
        {...props}
        title="Remove your app"
        text="It will no longer sign you in."
        button={{ label: 'Remove', busyLabel: 'Removing…' }}
        change={change}
      />
    ),
    answers,
  )

test('a second press makes no second call, and the result is returned', async () => {
  const answer = Promise.withResolvers<undefined>()
  let calls = 0
  const { results } = await renderChange({}, () => {
    calls += 1
    return answer.promise
  })
  await remove.click()
  const busy = page.getByRole('button', { name: 'Removing…' })
  await busy.click({ force: true })
  // The dialog cannot be closed while the call is pending.
  await userEvent.keyboard('{Escape}')
  expect([calls, results]).toEqual([1, []])
  answer.resolve(undefined)
  await expect.poll(() => results).toEqual(['changed'])
})

test('closing the dialog changes nothing', async () => {
  const { calls, results } = await renderChange({})
  await expect.element(dialog).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => results).toEqual(['closed'])
  expect(calls).toEqual([])
})

test('a change that the browser could not complete shows why', async () => {
  const { results } = await renderChange({}, async () => NO_PASSKEY_CREATED)
  await remove.click()
  await expect.element(page.getByText('No passkey was created.')).toBeVisible()
  expect(results).toEqual([])
})

test('a rejected change shows the error and can be submitted again', async () => {
  const { results } = await renderChange({ removeTotp: refusal('session-ended') })
  await remove.click()
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Your session has ended. Please log in again.Go to the login page')
  await expect.element(remove).toBeEnabled()
  expect(results).toEqual([])
})

import { refusal } from '@portico/client/testing'
import { call } from '@portico/contracts/call'
import { useCall } from '@portico/shell/use-call'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import * as z from 'zod/mini'
import { ActDialog } from '../act-dialog/act-dialog.tsx'
import { type Environment, EnvironmentContext } from '../environment.ts'
import { type Answers, anOperator, ConsoleAt, fakeEnvironment, SECURITY } from '../testing.tsx'
import { Access, useOperator } from './operator.tsx'

const HERE = { path: '/console/people', query: 'q=ada' }
const answerTo = call({
  name: 'act',
  summary: '',
  method: 'POST',
  path: '/act',
  auth: 'operator',
  permission: 'people.write',
  body: z.object({ reason: z.string() }),
  answer: z.object({}),
})

function Reading() {
  const { operator, client } = useOperator()
  const { failure, run } = useCall(() => undefined)
  const read = () =>
    run(
      (signal) => client(answerTo, { body: { reason: 'x' }, signal }),
      () => undefined,
    )
  return (
    <>
      <h1>Hello {operator.name}</h1>
      <button type="button" onClick={read}>
        Read
      </button>
      {failure && <p role="alert">{failure.reason}</p>}
    </>
  )
}

async function open(answers: Answers, changes: Partial<Environment> = {}) {
  const environment = fakeEnvironment({ readSecurity: SECURITY, ...answers }, changes)
  await render(
    <EnvironmentContext value={environment}>
      <Access here={HERE}>
        <Reading />
      </Access>
    </EnvironmentContext>,
  )
  return environment
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const code = page.getByRole('textbox', { name: 'Code' })

test('without a session the login page leads back to the same address', async () => {
  const replace = vi.fn<(to: string) => void>()
  await open({ readOperator: refusal('unauthenticated') }, { replace })
  await expect
    .poll(() => replace.mock.calls)
    .toEqual([['/auth/login?redirectUrl=%2Fconsole%2Fpeople%3Fq%3Dada']])
})

test('without a grant the page says so, and loads nothing else', async () => {
  const { calls } = await open({ readOperator: anOperator('support', { access: 'no-grant' }) })
  await expect
    .element(page.getByRole('heading', { name: 'You have no access to this console' }))
    .toBeVisible()
  expect(calls.map(({ name }) => name)).toEqual(['readOperator'])
})

test('without a passkey and an authenticator the page links to the security settings', async () => {
  await open({
    readOperator: anOperator('support', { access: 'second-factor-missing' }),
    readSecurity: { ...SECURITY, confirmWith: { change: ['password', 'passcode'], payment: [] } },
  })
  await expect
    .element(page.getByRole('link', { name: 'Go to your security settings' }))
    .toHaveAttribute('href', '/dashboard/security')
})

test('after a pause the operator confirms with the authenticator and stays on the page', async () => {
  let access = 'idle'
  await open({
    readOperator: () => anOperator('support', { access: access as 'idle' }),
    confirmIdentity: () => {
      access = 'granted'
      return {}
    },
  })
  await expect.element(page.getByText(/^The console locks itself/)).toBeVisible()
  await code.fill('123456')
  await expect.element(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
})

test('a call that needs a confirmation waits for it and is repeated; without one it fails', async () => {
  let isConfirmed = false
  const { calls } = await open({
    readOperator: anOperator('support'),
    act: () => (isConfirmed ? {} : refusal('confirmation-needed')),
    confirmIdentity: () => {
      isConfirmed = true
      return {}
    },
  })
  await button('Read').click()
  await button('Close').click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('confirmation-needed')
  await button('Read').click()
  await code.fill('123456')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  expect(calls.map(({ name }) => name).filter((name) => name !== 'readSecurity')).toEqual([
    'readOperator',
    'act',
    'act',
    'confirmIdentity',
    'act',
  ])
})

test('a confirmation in another tab counts when the operator comes back to this one', async () => {
  let confirmedUntil: number | null = null
  await open({
    readOperator: () => anOperator('support', { confirmedUntil }),
    act: () => (confirmedUntil === null ? refusal('confirmation-needed') : {}),
  })
  await button('Read').click()
  await expect.element(code).toBeVisible()
  window.dispatchEvent(new Event('focus'))
  await expect.element(code).toBeVisible()
  confirmedUntil = Date.UTC(2026, 10, 23, 14, 35)
  window.dispatchEvent(new Event('focus'))
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('an act needs a reason, which stays while the operator confirms, and is sent once', async () => {
  let isConfirmed = false
  const onDone = vi.fn<(result: unknown) => void>()
  const environment = fakeEnvironment({
    readSecurity: SECURITY,
    act: () => (isConfirmed ? {} : refusal('confirmation-needed')),
    confirmIdentity: () => {
      isConfirmed = true
      return {}
    },
  })
  await render(
    <ConsoleAt address="/console/people/ada" environment={environment}>
      <ActDialog
        texts={{
          title: 'Delete ada@example.com?',
          consequence: <p>It cannot be undone.</p>,
          button: 'Delete',
          busyLabel: 'Deleting…',
          isDestructive: true,
          nameToEnter: 'ada@example.com',
        }}
        act={(client, { reason }, signal) => client(answerTo, { body: { reason }, signal })}
        onDone={onDone}
        onClose={() => undefined}
      />
    </ConsoleAt>,
  )
  const reason = page.getByRole('textbox', { name: 'Reason' })
  const name = page.getByRole('textbox', { name: 'Enter ada@example.com to confirm' })
  await button('Delete').click()
  await expect.element(name).toBeInvalid()
  await expect.element(reason).toBeInvalid()
  expect(environment.calls).toEqual([])
  await name.fill('ada@example.com')
  await reason.fill('Asked for it in ticket 4711')
  await button('Delete').click()
  await expect.element(page.getByRole('dialog', { name: "Confirm it's you" })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(reason).toHaveValue('Asked for it in ticket 4711')
  await button('Delete').click()
  await code.fill('123456')
  await expect.poll(() => onDone.mock.calls).toHaveLength(1)
  expect(environment.calls.at(-1)).toEqual({
    name: 'act',
    input: { reason: 'Asked for it in ticket 4711' },
  })
})

test('an act that runs cannot be cancelled, so its answer is not lost', async () => {
  const answered = Promise.withResolvers<object>()
  const [onDone, onClose] = [vi.fn<(result: unknown) => void>(), vi.fn<() => void>()]
  await render(
    <ConsoleAt
      address="/console/people/ada"
      environment={fakeEnvironment({ act: () => answered.promise })}
    >
      <ActDialog
        texts={{ title: 'Lock?', consequence: null, button: 'Lock', busyLabel: 'Locking…' }}
        act={(client, { reason }, signal) => client(answerTo, { body: { reason }, signal })}
        onDone={onDone}
        onClose={onClose}
      />
    </ConsoleAt>,
  )
  await page.getByRole('textbox', { name: 'Reason' }).fill('Lost phone')
  await button('Lock').click()
  await expect.element(button('Cancel')).toBeDisabled()
  await userEvent.keyboard('{Escape}')
  answered.resolve({})
  await expect.poll(() => onDone.mock.calls).toHaveLength(1)
  expect(onClose).not.toHaveBeenCalled()
})

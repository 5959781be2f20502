import { refusal } from '@portico/client/testing'
import { textStorage } from '@portico/contracts/text-storage'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Environment } from '../environment.ts'
import { type Answers, anOperator, ConsoleAt, fakeEnvironment, SECURITY } from '../testing.tsx'
import { LARS, LOCKED_OUT, PEOPLE, PERSON } from './people.samples.ts'
import { People } from './people.tsx'

const here = window.location.href
afterEach(() => window.history.replaceState(null, '', here))

async function open(
  rest: string,
  answers: Answers = {},
  {
    role = 'support',
    query = '',
    ...changes
  }: Partial<Environment> & {
    role?: 'support' | 'auditor'
    query?: string
  } = {},
) {
  const environment = fakeEnvironment({ ...PEOPLE, readSecurity: SECURITY, ...answers }, changes)
  const { unmount } = await render(
    <ConsoleAt
      address={`/console/people${rest && `/${rest}`}${query}`}
      environment={environment}
      operator={anOperator(role)}
    >
      <People rest={rest} />
    </ConsoleAt>,
  )
  const sent = (name: string) =>
    environment.calls.filter((each) => each.name === name).map(({ input }) => input)
  return { sent, unmount }
}

const openLars = (answers: Answers = {}, options = {}) => open(LARS.identityUuid, answers, options)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const reason = page.getByRole('textbox', { name: 'Reason' })

test('the search takes its text and organization from the address, and each can be removed', async () => {
  const { sent } = await open(
    '',
    {},
    { query: '?q=lars.locked%40portico.example&organization=FIGURE' },
  )
  await expect
    .element(page.getByRole('link', { name: 'lars.locked@portico.example', exact: true }))
    .toHaveAttribute('href', `/console/people/${LARS.identityUuid}`)
  expect(sent('findPeople')).toEqual([
    { search: 'lars.locked@portico.example', match: 'part', organizationCode: 'FIGURE' },
  ])
  await expect
    .element(page.getByRole('link', { name: 'Remove the filter Figure' }))
    .toHaveAttribute('href', '/console/people?q=lars.locked%40portico.example')
})

test('15 impersonation: an operator views the pages of a person with a reason', async () => {
  const opened: unknown[] = []
  const started = { jwt: 'token', sessionUuid: LARS.identityUuid, endsAt: 0 }
  const { sent } = await openLars(
    { readPerson: { ...PERSON, lockedAt: null }, impersonatePerson: started },
    { viewPages: (viewing: unknown) => opened.push(viewing) },
  )
  await button('View as this person').click()
  await expect.element(dialog.getByText(/cannot change or sign anything/)).toBeVisible()
  await reason.fill('Cannot find the statement.')
  await dialog.getByRole('button', { name: 'View as this person' }).click()
  await expect
    .poll(() => opened)
    .toEqual([
      {
        jwt: 'token',
        sessionUuid: LARS.identityUuid,
        organizationCode: PERSON.organizationCode,
      },
    ])
  expect(sent('impersonatePerson')).toEqual([
    { identityUuid: LARS.identityUuid, reason: 'Cannot find the statement.' },
  ])
})

test.each([
  ['a locked person', { lockedAt: 1 }, 'support'],
  ['an operator', { lockedAt: null, isOperator: true }, 'support'],
  ['anyone without the permission', { lockedAt: null }, 'auditor'],
] as const)('15 impersonation is not offered for %s', async (_, changes, role) => {
  await openLars({ readPerson: { ...PERSON, ...changes } }, { role })
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.element(button('View as this person')).not.toBeInTheDocument()
})

test('a locked person is unlocked with a reason, after a confirmation, and the page shows it', async () => {
  let [isConfirmed, isLocked] = [false, true]
  const { sent } = await openLars({
    readPerson: () => ({ ...PERSON, lockedAt: isLocked ? PERSON.lockedAt : null }),
    unlockPerson: () => {
      if (!isConfirmed) return refusal('confirmation-needed')
      isLocked = false
      return { changed: true }
    },
    confirmIdentity: () => {
      isConfirmed = true
      return {}
    },
  })
  await button('Unlock').click()
  await reason.fill('Called from the known number')
  await dialog.getByRole('button', { name: 'Unlock' }).click()
  await page.getByRole('textbox', { name: 'Code' }).fill('123456')
  await expect.element(page.getByText('Active', { exact: true })).toBeVisible()
  await expect.element(button('Lock')).toBeVisible()
  const body = { identityUuid: LARS.identityUuid, reason: 'Called from the known number' }
  expect(sent('unlockPerson')).toEqual([body, body])
})

test('a person who is locked out after wrong attempts is unlocked', async () => {
  let isLockedOut = true
  await openLars({
    readPerson: () => (isLockedOut ? LOCKED_OUT : { ...PERSON, lockedAt: null }),
    unlockPerson: () => {
      isLockedOut = false
      return { changed: true }
    },
  })
  await expect
    .element(page.getByText(/^Locked out until .* after 12 wrong attempts$/))
    .toBeVisible()
  await expect
    .element(page.getByText('Second step blocked after too many wrong codes'))
    .toBeVisible()
  await expect.element(button('Lock')).toBeVisible()
  await button('Unlock').click()
  await reason.fill('Called from the known number')
  await dialog.getByRole('button', { name: 'Unlock' }).click()
  await expect
    .element(page.getByText(`${LARS.email} is unlocked and was notified by mail.`))
    .toBeVisible()
  await expect.element(page.getByText('Active', { exact: true })).toBeVisible()
  await expect.element(button('Unlock')).not.toBeInTheDocument()
})

test.each([
  ['one wrong attempt', { wrong: 1 }, 'Active, 1 wrong attempt'],
  [
    'a closed second step',
    { isSecondStepClosed: true },
    'Second step blocked after too many wrong codes',
  ],
] as const)('Unlock is offered after %s', async (_, changes, text) => {
  const attempts = { ...PERSON.attempts, ...changes }
  await openLars({
    readPerson: { ...PERSON, lockedAt: null, attempts },
    unlockPerson: { changed: false },
  })
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  await button('Unlock').click()
  await reason.fill('Called from the known number')
  await dialog.getByRole('button', { name: 'Unlock' }).click()
  await expect.element(page.getByText(`${LARS.email} was no longer locked.`)).toBeVisible()
})

test('a factor is reset by its own button', async () => {
  const { sent } = await openLars({ resetPersonFactor: { changed: true } })
  await button('Reset: Authenticator app').click()
  await reason.fill('Lost phone')
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await expect
    .poll(() => sent('resetPersonFactor'))
    .toEqual([{ identityUuid: LARS.identityUuid, reason: 'Lost phone', factor: 'totp' }])
})

test('a reason survives a reload and Back, for its own act only, until the act is done or cancelled', async () => {
  const storage = textStorage(() => window.sessionStorage)
  const answers = { resetPersonFactor: { changed: true } }
  const { unmount } = await openLars(answers, { storage })
  await button('Reset: Authenticator app').click()
  await reason.fill('Lost phone, verified by callback')
  await unmount()

  const { sent } = await openLars(answers, { storage })
  await button('Reset: Passkeys').click()
  await expect.element(reason).toHaveValue('')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await button('Reset: Authenticator app').click()
  await expect.element(reason).toHaveValue('Lost phone, verified by callback')
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await expect
    .poll(() => sent('resetPersonFactor'))
    .toMatchObject([{ reason: 'Lost phone, verified by callback' }])
  await button('Reset: Authenticator app').click()
  await expect.element(reason).toHaveValue('')
})

test('a deletion needs the address too, and leads back to the list', async () => {
  const { sent } = await openLars({ deletePerson: { changed: true } })
  await button('Delete the account').click()
  // A narrow title breaks the address at @ and dots, not in a word.
  const address = page.getByRole('heading', { name: `Delete ${LARS.email}?` }).getByText(LARS.email)
  expect(address.element().querySelectorAll('wbr').length).toBeGreaterThan(1)
  await reason.fill('Asked for it')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByText(`Please enter ${LARS.email} to confirm.`)).toBeVisible()
  await page.getByRole('textbox', { name: /to confirm/ }).fill(LARS.email)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => window.location.pathname).toBe('/console/people')
  expect(sent('deletePerson')).toEqual([
    { identityUuid: LARS.identityUuid, reason: 'Asked for it', email: LARS.email },
  ])
})

test('an export is saved as a file', async () => {
  const download = vi.fn<Environment['download']>()
  await openLars({ exportPerson: { email: LARS.email } }, { download })
  await button('Export data').click()
  await reason.fill('Asked for it')
  await dialog.getByRole('button', { name: 'Export' }).click()
  await expect.poll(() => download.mock.calls).toHaveLength(1)
  expect(download.mock.calls[0]?.[0]).toBe(`${LARS.email}.json`)
})

test('an auditor reads everything and can change nothing; other operators are for administrators', async () => {
  await openLars({}, { role: 'auditor' })
  await expect.element(page.getByRole('heading', { name: LARS.email })).toBeVisible()
  const names = page
    .getByRole('main')
    .getByRole('button')
    .elements()
    .map(({ textContent }) => textContent)
  expect(names).toEqual(['Copy'])
})

test('an operator of other organizations is said to be one, without roles', async () => {
  await openLars({ readPerson: { ...PERSON, isOperator: true, roles: [] } })
  await expect
    .element(
      page.getByText('This person is an operator. Only administrators can act on operators.'),
    )
    .toBeVisible()
})

test('an act is not followed by the person as they were, if they cannot be loaded again', async () => {
  let loads = 0
  await openLars({
    readPerson: () => (loads++ === 0 ? { ...PERSON, lockedAt: null } : refusal('server-fault')),
    lockPerson: { changed: true },
  })
  await button('Lock').click()
  await reason.fill('Lost phone')
  await dialog.getByRole('button', { name: 'Lock' }).click()
  await expect.element(button('Try again')).toBeVisible()
  expect(page.getByText('Active', { exact: true }).query()).toBeNull()
})

test.each([
  [LARS.identityUuid, 'not-found'],
  // Encoded incorrectly, as the browser leaves it in the address.
  ['%E0%A4%A', 'invalid-request'],
] as const)(
  'an unknown person, one of another organization and an invalid ID look the same: %s',
  async (id, code) => {
    const { sent } = await open(id, { readPerson: refusal(code) })
    await expect.element(page.getByText(/^This person does not exist/)).toBeVisible()
    expect(sent('readPerson')).toEqual([{ identityUuid: id }])
  },
)

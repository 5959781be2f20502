import { refusal } from '@portico/client/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Environment } from '../environment.ts'
import { EnvironmentContext } from '../environment.ts'
import { Access } from '../operator/operator.tsx'
import { type Answers, anOperator, ConsoleAt, fakeEnvironment, SECURITY } from '../testing.tsx'
import { AUDIT } from './audit.samples.ts'
import { Audit } from './audit.tsx'

const start = window.location.href
afterEach(() => window.history.replaceState(null, '', start))

async function open(query: string, answers: Answers = {}) {
  const environment = fakeEnvironment({ ...AUDIT, ...answers })
  await render(
    <ConsoleAt
      address={`/console/audit${query}`}
      environment={environment}
      operator={anOperator('auditor')}
    >
      <Audit />
    </ConsoleAt>,
  )
  const sent = () =>
    environment.calls.filter(({ name }) => name === 'searchAudit').map(({ input }) => input)
  return { sent }
}

const PERSON = '0d5f3c2a-8b1e-4a6f-9c7d-2e4b6a8c0f11'

test('the search is in the address: an event as it is shown, a local time, and a network', async () => {
  const { sent } = await open('')
  await page.getByRole('combobox', { name: 'Event' }).fill('Sign-in refused')
  await page.getByRole('textbox', { name: 'Network' }).fill(' 203.0.113.24 ')
  await page.getByLabelText('From').fill('2026-11-23T10:00')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect
    .poll(() => window.location.search)
    .toBe('?kind=sign-in-refused&network=203.0.113.24&from=2026-11-23T10%3A00')
  expect(sent()).toEqual([{}])
})

test('the events to search for are listed, as they are displayed', async () => {
  await open('?kind=signed-in')
  const field = page.getByRole('combobox', { name: 'Event' })
  await expect.element(field).toHaveValue('Signed in')
  const { list } = field.element() as HTMLInputElement
  await expect
    .poll(() => [...(list?.options ?? [])].map(({ value }) => value))
    .toEqual(['Account unlocked', 'Sign-in refused', 'Signed in'])
})

test('a person without an address that the operator may read has the whole ID', async () => {
  await open('', {
    searchAudit: {
      ...AUDIT.searchAudit,
      items: AUDIT.searchAudit.items.map((line) => ({ ...line, person: null })),
    },
  })
  await expect.element(page.getByRole('link', { name: PERSON, exact: true }).first()).toBeVisible()
})

test('an address is looked up, and an unknown one finds nothing', async () => {
  let found: readonly object[] = [{ identityUuid: PERSON }]
  const { sent } = await open('?person=lars.locked%40portico.example&from=2026-11-23T10%3A00', {
    findPeople: () => ({ items: found, next: null }),
  })
  await expect
    .poll(sent)
    .toEqual([{ identityUuid: PERSON, from: String(Date.parse('2026-11-23T10:00')) }])
  found = []
  const unknown = await open('?person=no.one%40portico.example', {
    findPeople: () => ({ items: found, next: null }),
  })
  await expect.element(page.getByText('Nothing matches.')).toBeVisible()
  expect(unknown.sent()).toEqual([])
})

test('an invalid time in the address is refused instead of being ignored', async () => {
  const { sent } = await open('?from=yesterday&until=2026-11-23T10%3A00', {
    searchAudit: refusal('invalid-request'),
  })
  await expect.element(page.getByText('The filters in this address are not valid.')).toBeVisible()
  await expect.element(page.getByText('From: yesterday')).toBeVisible()
  expect(sent()).toEqual([{ from: 'yesterday', until: String(Date.parse('2026-11-23T10:00')) }])
})

test('a line leads to its person and narrows the search, and its details have the reason', async () => {
  await open('?network=203.0.113.24')
  const row = page.getByRole('row', { name: /Account unlocked/ })
  await expect
    .element(row.getByRole('link', { name: 'lars.locked@portico.example' }))
    .toHaveAttribute('href', `/console/people/${PERSON}`)
  await expect
    .element(row.getByRole('link', { name: 'Account unlocked' }))
    .toHaveAttribute('href', '/console/audit?network=203.0.113.24&kind=account-unlocked')
  await row
    .getByText(/^Called from the number/)
    .first()
    .click()
  await expect.element(row.getByText('Number 48,109')).toBeVisible()
})

test('a file has the lines that are shown, also if the ID has capitals; what is no ID has none', async () => {
  const readFile = vi.fn<Environment['readFile']>(async () => new Uint8Array())
  const show = (query: string) =>
    render(
      <ConsoleAt
        address={`/console/audit?${query}`}
        environment={fakeEnvironment(AUDIT, { readFile })}
        operator={anOperator('auditor')}
      >
        <Audit />
      </ConsoleAt>,
    )
  const first = await show(`person=${PERSON.toUpperCase()}`)
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await expect.poll(() => readFile.mock.calls[0]?.[1]).toMatchObject({ identityUuid: PERSON })
  await first.unmount()
  await show('person=nobody')
  await expect.element(page.getByText('Nothing matches.')).toBeVisible()
  expect(page.getByRole('button', { name: 'Download CSV' }).query()).toBeNull()
})

test('a download that needs a confirmation waits for it and is then saved', async () => {
  let isConfirmed = false
  const download = vi.fn<Environment['download']>()
  const environment = fakeEnvironment(
    {
      ...AUDIT,
      readOperator: anOperator('auditor'),
      readSecurity: SECURITY,
      confirmIdentity: () => {
        isConfirmed = true
        return {}
      },
    },
    {
      download,
      readFile: async () => {
        if (!isConfirmed) throw refusal('confirmation-needed')
        return new Uint8Array([1])
      },
    },
  )
  await render(
    <EnvironmentContext value={environment}>
      <Access here={{ path: '/console/audit', query: '' }}>
        <Audit />
      </Access>
    </EnvironmentContext>,
  )
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await page.getByRole('textbox', { name: 'Code' }).fill('123456')
  await expect.poll(() => download.mock.calls).toEqual([['audit.csv', new Uint8Array([1])]])
})

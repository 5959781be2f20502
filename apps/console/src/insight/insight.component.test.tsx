import { refusal } from '@portico/client/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Environment } from '../environment.ts'
import { ConsoleAt, fakeEnvironment } from '../testing.tsx'
import { INSIGHT } from './insight.samples.ts'
import { Insight } from './insight.tsx'

const here = window.location.href
afterEach(async () => {
  window.history.replaceState(null, '', here)
  await page.viewport(1280, 800)
})

async function open(address: string, answers = {}, changes: Partial<Environment> = {}) {
  const environment = fakeEnvironment({ ...INSIGHT, ...answers }, changes)
  await render(
    <ConsoleAt address={address} environment={environment}>
      <Insight />
    </ConsoleAt>,
  )
  return environment
}

test('a funnel says where most visits end, and a table has the same numbers', async () => {
  const { calls } = await open('/console/insight?funnel=registration&days=7&organization=FIGURE')
  await expect
    .element(page.getByText('Most visits end before “Confirmed the address”'))
    .toBeVisible()
  const row = page.getByRole('row', { name: 'Confirmed the address 3,120 64.8% 64.8% 3,301' })
  await expect.element(row).toBeVisible()
  await expect.element(page.getByRole('row', { name: /^The passcode is incorrect/ })).toBeVisible()
  const range = { from: '2026-11-17', to: '2026-11-23', organizationCode: 'FIGURE' }
  expect(calls).toEqual([
    { name: 'readFunnel', input: { ...range, funnel: 'registration' } },
    { name: 'readSeries', input: { ...range, metric: 'visits' } },
  ])
})

test('a choice is kept in the address', async () => {
  await open('/console/insight?funnel=registration')
  await page.getByLabelText('Split').selectOptions('By organization')
  expect(window.location.search).toBe('?funnel=registration&by=organization')
})

test('on a phone the plot begins with the newest days', async () => {
  await page.viewport(390, 844)
  await open('/console/insight')
  const plot = page.getByRole('group', { name: 'Plot' })
  await expect.element(plot).toBeVisible()
  const { scrollLeft, scrollWidth, clientWidth } = plot.element()
  expect(scrollWidth).toBeGreaterThan(clientWidth)
  expect(scrollLeft).toBe(scrollWidth - clientWidth)
})

test('all selects have the same arrow instead of the browser’s', async () => {
  await open('/console/insight')
  const selects = page.getByRole('combobox').elements()
  expect(selects).toHaveLength(6)
  for (const select of selects) expect(getComputedStyle(select).appearance).toBe('none')
})

test('a period of its own is chosen by its days, of which there are at most 400', async () => {
  const { calls } = await open('/console/insight?days=chosen&from=2026-03-01&to=2026-03-31')
  expect(calls[0]?.input).toMatchObject({ from: '2026-03-01', to: '2026-03-31' })
  await page.getByLabelText('From').fill('2024-03-01')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect
    .element(page.getByText('Choose 1 to 400 days, starting with the first.'))
    .toBeVisible()
  await page.getByLabelText('From').fill('2026-02-01')
  await page.getByRole('button', { name: 'Show' }).click()
  expect(window.location.search).toBe('?days=chosen&from=2026-02-01&to=2026-03-31')
})

test('without visits there is not enough data; a failed chart leaves the other one alone', async () => {
  await open('/console/insight', {
    readFunnel: { steps: [], reasons: [], countedUntil: 0 },
    readSeries: refusal('server-fault'),
  })
  await expect.element(page.getByText('Not enough data')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('the CSV is the server’s', async () => {
  const download = vi.fn<Environment['download']>()
  const readFile = vi.fn<Environment['readFile']>(async () => new Uint8Array([1]))
  await open('/console/insight', {}, { download, readFile })
  await page.getByRole('button', { name: 'Download CSV' }).first().click()
  await expect
    .poll(() => download.mock.calls)
    .toEqual([['funnel-sign-in.csv', new Uint8Array([1])]])
  expect(readFile.mock.calls[0]?.[0]).toBe('/admin/api/v1/insight/funnel.csv')
})

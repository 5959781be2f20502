import { fakeClient, refusal } from '@portico/client/testing'
import { Dialog } from '@portico/ui/dialog'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ViewingStrip } from './viewing-strip.tsx'

const VIEWING = {
  sessionUuid: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  identityUuid: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
  operatorEmail: 'sam.support@people.example',
  secondsLeft: 302,
}
const CONSOLE = `/console/people/${VIEWING.identityUuid}`

afterEach(() => vi.useRealTimers())

async function renderStrip(answer?: unknown) {
  const { client, calls } = fakeClient({ stopImpersonation: answer })
  const left: string[] = []
  const removed: string[] = []
  const jwt = {
    read: () => undefined,
    write: () => undefined,
    remove: () => void removed.push('token'),
    watch: () => () => undefined,
  }
  await render(
    <ViewingStrip
      email="lars.locked@people.example"
      viewing={VIEWING}
      environment={{ client, jwt, reportError: () => undefined }}
      leave={(to) => left.push(to)}
    />,
  )
  return { calls, left, removed }
}

test('15 impersonation: the strip has both names, the time left and Stop, which returns to the console', async () => {
  const { calls, left, removed } = await renderStrip()
  const strip = page.getByRole('region', { name: 'Viewing as an operator' })
  await expect.element(strip.getByText('lars.locked@people.example')).toBeVisible()
  await expect.element(strip.getByText('sam.support@people.example')).toBeVisible()
  await expect
    .poll(() => strip.getByRole('timer').element().textContent)
    .toMatch(/^\d:\d\d left, read-only$/)
  await strip.getByRole('button', { name: 'Stop' }).click()
  await expect.poll(() => left).toEqual([CONSOLE])
  expect(calls.map(({ name }) => name)).toEqual(['stopImpersonation'])
  expect(removed).toEqual(['token'])
})

test('15 impersonation: the strip announces the last minutes politely, and at the end returns to the console', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  const { left, removed } = await renderStrip()
  const spoken: string[] = []
  const status = page.getByRole('status').element()
  const observer = new MutationObserver(() => spoken.push(status.textContent ?? ''))
  observer.observe(status, { childList: true, characterData: true, subtree: true })
  vi.advanceTimersByTime(2000)
  await expect.poll(() => spoken).toContain('5 minutes left to view this account.')
  expect(left).toEqual([])
  vi.advanceTimersByTime(300_000)
  await expect.poll(() => left).toEqual([CONSOLE])
  expect(removed).toEqual(['token'])
})

test('15 impersonation: a failed Stop says so, and can be repeated', async () => {
  const { left } = await renderStrip(refusal('server-fault'))
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Could not stop. Try again.')
  expect(left).toEqual([])
})

test('15 impersonation: the strip is not dimmed by a dialog, and its Stop works', async () => {
  const { left } = await renderStrip()
  await render(
    <Dialog open title="Connect Wallet" onClose={() => undefined}>
      <p>Choose a wallet.</p>
    </Dialog>,
  )
  await expect.element(page.getByText('Choose a wallet.')).toBeVisible()
  // By role: screen readers find it too.
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect.poll(() => left).toEqual([CONSOLE])
})

test('15 impersonation: Stop is in the Tab order of an open dialog, in both directions, and the rest of the page is not', async () => {
  const { left } = await renderStrip()
  await render(
    <>
      <button type="button">Of the page</button>
      <Dialog open title="Connect Wallet" onClose={() => undefined}>
        <button type="button">First</button>
        <button type="button">Last</button>
      </Dialog>
    </>,
  )
  await expect.element(page.getByRole('heading', { name: 'Connect Wallet' })).toHaveFocus()
  const focused = async (keys: string, presses: number) => {
    const names: (string | null)[] = []
    for (let press = 0; press < presses; press += 1) {
      await userEvent.keyboard(keys)
      // Base UI moves the focus in the next frame.
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      names.push(document.activeElement?.textContent ?? null)
    }
    return names
  }
  const forwards = ['Close', 'First', 'Last', 'Stop', 'Close', 'First']
  expect(await focused('{Tab}', forwards.length)).toEqual(forwards)
  const backwards = ['Close', 'Stop', 'Last', 'First']
  expect(await focused('{Shift>}{Tab}{/Shift}', backwards.length)).toEqual(backwards)
  expect(page.getByRole('button', { name: 'Of the page' }).query()).toBeNull()
  await focused('{Tab}', 2)
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => left).toEqual([CONSOLE])
})

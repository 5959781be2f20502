import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { leavePage } from './leave-page.ts'
import { OfflineNotice } from './offline-notice.tsx'

afterEach(() => vi.restoreAllMocks())

let online = true
function setOnline(isOnline: boolean) {
  online = isOnline
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online)
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
}

const alert = page.getByRole('alert')

test('offline, a link to another document shows an alert and keeps the page; within the application it works', async () => {
  const inside = vi.fn<() => void>()
  await render(
    <main>
      <input aria-label="Email" />
      <a href="/elsewhere">Elsewhere</a>
      <a href="https://lender.example/">Lender</a>
      <a
        href="/inside"
        onClick={(event) => {
          event.preventDefault()
          inside()
        }}
      >
        Inside
      </a>
      <OfflineNotice />
    </main>,
  )
  await page.getByLabelText('Email').fill('ada@people.example')
  setOnline(false)
  await page.getByRole('link', { name: 'Inside' }).click()
  expect(inside).toHaveBeenCalledOnce()
  await expect.element(alert).not.toBeInTheDocument()
  for (const name of ['Elsewhere', 'Lender']) {
    await page.getByRole('link', { name }).click()
    await expect.element(alert).toBeVisible()
    setOnline(true)
    await expect.element(alert).not.toBeInTheDocument()
    setOnline(false)
  }
  await expect.element(page.getByLabelText('Email')).toHaveValue('ada@people.example')
})

test('offline, the page is left only when the device is online again, and says so', async () => {
  await render(<OfflineNotice />)
  const leave = vi.fn<() => void>()
  setOnline(false)
  leavePage(window, leave)
  await expect.element(alert).toBeVisible()
  expect(leave).not.toHaveBeenCalled()
  setOnline(true)
  expect(leave).toHaveBeenCalledOnce()
  await expect.element(alert).not.toBeInTheDocument()
  leavePage(window, leave)
  expect(leave).toHaveBeenCalledTimes(2)
})

import type { Banner } from '@portico/contracts/banner'
import { Frame } from '@portico/ui/frame'
import { TextField } from '@portico/ui/text-field'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Banners } from './banners.tsx'

const KEY = 'dismissed-banners'

const banner = (message: string, updatedAt: number): Banner => ({
  uuid: message,
  message,
  apps: ['login'],
  variant: 'info',
  active: true,
  dismissable: true,
  metadata: { createdAt: updatedAt, updatedAt },
})

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.removeItem(KEY)
})

/** A login page; `publish` and `respond` answer its request for the banner file. */
async function showPage() {
  const answer = Promise.withResolvers<Response>()
  let fetched = 0
  vi.stubGlobal('fetch', () => {
    fetched += 1
    return answer.promise
  })
  const { unmount } = await render(
    <Frame announcements={<Banners app="login" url="/banners.json" />}>
      <h1 tabIndex={-1}>Log in</h1>
      <TextField label="Email" />
    </Frame>,
  )
  return {
    publish: (...banners: readonly unknown[]) =>
      answer.resolve(new Response(JSON.stringify(banners))),
    respond: answer.resolve,
    fetched: () => fetched,
    unmount,
  }
}

const region = page.getByRole('region', { name: 'Announcements' })
const messages = () =>
  region
    .getByRole('paragraph')
    .elements()
    .map(({ textContent }) => textContent)

async function showThree() {
  const shown = await showPage()
  shown.publish(banner('One', 3), banner('Two', 2), banner('Three', 1))
  await expect.element(region).toBeVisible()
  return shown
}

function dismissElsewhere(map: object, key = KEY) {
  localStorage.setItem(KEY, JSON.stringify(map))
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

test('4.3 two banners are shown at once, and a dismissal is stored', async () => {
  await showThree()
  expect(messages()).toEqual(['Information: One', 'Information: Two'])
  await region.getByRole('button').first().click()
  await expect.poll(messages).toEqual(['Information: Two', 'Information: Three'])
  expect(JSON.parse(localStorage.getItem(KEY) ?? '')).toEqual({ One: { at: expect.any(Number) } })
})

test('4.3 a dismissed banner disappears even without storage, and the next one takes its place', async () => {
  const blocked = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  await showThree()
  await region.getByRole('button').first().click()
  await expect.poll(messages).toEqual(['Information: Two', 'Information: Three'])
  blocked.mockRestore()
  expect(localStorage.getItem(KEY)).toBeNull()
})

test('2.8 after a dismissal by key the focus moves to the next button, and at last to the heading', async () => {
  await showThree()
  const dismissed: string[] = []
  region.getByRole('button').first().element().focus()
  for (let press = 0; press < 3; press += 1) {
    const description = document.activeElement?.getAttribute('aria-describedby') ?? ''
    dismissed.push(document.getElementById(description)?.textContent ?? '')
    await userEvent.keyboard('{Enter}')
  }
  expect(dismissed).toEqual(['Information: One', 'Information: Two', 'Information: Three'])
  await expect.element(page.getByRole('heading', { name: 'Log in' })).toHaveFocus()
})

test('4.3 a banner dismissed in another tab disappears here too, and none reappears while the page is open', async () => {
  await showThree()
  dismissElsewhere({ One: { at: 20 } })
  await expect.poll(messages).toEqual(['Information: Two', 'Information: Three'])
  dismissElsewhere({ Two: { at: 20 } })
  await expect.poll(messages).toEqual(['Information: Three'])
})

test('3 changes of other stored values are ignored, and the listener is removed with the page', async () => {
  const { unmount } = await showThree()
  dismissElsewhere({ One: { at: 20 } }, 'jwt')
  await new Promise((done) => requestAnimationFrame(done))
  expect(messages()).toEqual(['Information: One', 'Information: Two'])
  const removed = vi.spyOn(window, 'removeEventListener')
  await unmount()
  expect(removed).toHaveBeenCalledWith('storage', expect.any(Function))
  removed.mockRestore()
})

test('4.3 the file is fetched once, however many banners are dismissed', async () => {
  const { fetched } = await showThree()
  await region.getByRole('button').first().click()
  dismissElsewhere({ One: { at: 20 }, Two: { at: 20 } })
  await expect.poll(messages).toEqual(['Information: Three'])
  expect(fetched()).toBe(1)
})

test('8 while the file loads, and after a failure, nothing is rendered, not even an empty region', async () => {
  const { respond } = await showPage()
  await expect.element(region).not.toBeInTheDocument()
  const text = Promise.withResolvers<string>()
  const response = new Response('<html>', { status: 503 })
  vi.spyOn(response, 'text').mockImplementation(() => text.promise)
  respond(response)
  text.resolve('<html>')
  await text.promise
  await new Promise((resolve) => requestAnimationFrame(resolve))
  await expect.element(region).not.toBeInTheDocument()
  await expect.element(page.getByText(/<html>/)).not.toBeInTheDocument()
})

test('9 HTML in a message is shown as plain text', async () => {
  const { publish } = await showPage()
  const message = '<img src=x onerror=alert(1)>'
  publish(banner(message, 1))
  await expect.element(region).toHaveTextContent(`Information: ${message}`)
  expect(region.element().querySelector('img')).toBeNull()
})

test('2.8 late announcements leave a focused field where it is', async () => {
  const { publish } = await showPage()
  const email = page.getByRole('textbox', { name: 'Email' })
  await email.click()
  const { top } = email.element().getBoundingClientRect()
  publish(banner('One', 2), banner('Two', 1))
  await expect.element(region).toBeVisible()
  expect(email.element().getBoundingClientRect().top).toBeCloseTo(top, 0)
  await expect.element(email).toHaveFocus()
})

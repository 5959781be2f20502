import type { PageData } from '@portico/contracts/page-data'
import { useInternalLinks } from '@portico/shell/internal-links'
import { pageData } from '@portico/shell/testing'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type Environment, EnvironmentContext } from './environment.ts'
import {
  openPage,
  opensInPlace,
  useCurrentPath,
  useDocumentNavigation,
  usePageView,
} from './page-location.ts'
import { serverEnvironment } from './server-environment.ts'

const { href } = window.location
afterEach(() => window.history.replaceState(null, '', href))

function Pages({ shown }: { shown: PageData }) {
  const here = useCurrentPath(shown)
  useInternalLinks(opensInPlace, openPage)
  usePageView(here.path, 'Figure')
  return (
    <>
      <a href="/dashboard/accounts?tab=1">Accounts</a>
      <a href="/dashboard">Home</a>
      <a href="/auth/wallet">Connect</a>
      <a href="#content">Skip</a>
      <a href="/dashboard/accounts#wallets">Wallets</a>
      <h1 key={here.path} tabIndex={-1}>
        {here.path}?{here.query}
      </h1>
    </>
  )
}

function Form({ isUnsaved }: { isUnsaved: boolean }) {
  useDocumentNavigation(isUnsaved)
  return null
}

async function showPages() {
  window.history.replaceState(null, '', '/dashboard')
  const viewed: string[] = []
  const environment: Environment = {
    ...serverEnvironment,
    telemetry: { ...serverEnvironment.telemetry, pageViewed: (path) => viewed.push(path) },
  }
  await render(
    <EnvironmentContext value={environment}>
      <Pages shown={pageData({ path: '/dashboard' })} />
    </EnvironmentContext>,
  )
  return viewed
}

const heading = page.getByRole('heading')

/** Clicks a link; returns whether the page handled it, and keeps the browser from following it. */
function click(name: string, options: MouseEventInit = {}): boolean {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...options })
  let isHandled = false
  window.addEventListener(
    'click',
    (clicked) => {
      isHandled = clicked.defaultPrevented
      clicked.preventDefault()
    },
    { once: true },
  )
  page.getByRole('link', { name }).element().dispatchEvent(event)
  return isHandled
}

test('2.1 a link to another page navigates in place: address, title, page view and focus; Back returns', async () => {
  const viewed = await showPages()
  expect(viewed).toEqual(['/dashboard'])
  expect(click('Accounts')).toBe(true)
  await expect.element(heading).toHaveTextContent('/dashboard/accounts?tab=1')
  await expect.element(heading).toHaveFocus()
  expect(document.title).toBe('Accounts | Figure')
  window.history.back()
  await expect.element(heading).toHaveTextContent('/dashboard?')
  await expect.element(heading).toHaveFocus()
  expect(document.title).toBe('Home | Figure')
  expect(viewed).toEqual(['/dashboard', '/dashboard/accounts', '/dashboard'])
})

test('2.1 the browser handles other pages, the same page, in-page links and clicks that open a new tab', async () => {
  await showPages()
  expect(click('Connect')).toBe(false)
  // It loads again, for example after an error.
  expect(click('Home')).toBe(false)
  expect(click('Skip')).toBe(false)
  expect(click('Wallets')).toBe(false)
  expect(click('Accounts', { ctrlKey: true })).toBe(false)
  expect(click('Accounts', { metaKey: true })).toBe(false)
  expect(click('Accounts', { button: 1 })).toBe(false)
  await expect.element(heading).toHaveTextContent('/dashboard?')
})

test('while something is unsaved, the browser follows links, and so asks the person', async () => {
  await showPages()
  const form = await render(<Form isUnsaved />)
  expect(click('Accounts')).toBe(false)
  await form.rerender(<Form isUnsaved={false} />)
  expect(click('Accounts')).toBe(true)
})

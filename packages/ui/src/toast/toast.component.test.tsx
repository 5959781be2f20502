import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ToastProvider, useToast } from './toast.tsx'
import type { ToastMessage } from './toast-message.ts'

function Page({ messages }: { messages: readonly ToastMessage[] }) {
  const showToast = useToast()
  return (
    <button type="button" onClick={() => messages.forEach(showToast)}>
      Copy
    </button>
  )
}

async function showToasts(...messages: readonly ToastMessage[]) {
  await render(
    <ToastProvider>
      <Page messages={messages} />
    </ToastProvider>,
  )
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect.element(page.getByText(messages.at(-1)?.text ?? '').first()).toBeInTheDocument()
}

const toast = (name: string) => page.getByRole('dialog', { name })

test('8 missing provider of the design kit is a usage error', async () => {
  await expect(render(<Page messages={[]} />)).rejects.toThrow(
    'ToastProvider not found. Wrap the application in <ToastProvider> before calling useToast().',
  )
})

test('2.8 a toast is announced politely and leaves the focus where it is', async () => {
  await showToasts({ text: 'Copied!' })
  const region = page.getByRole('region', { name: 'Notifications' })
  await expect.element(region).toHaveAttribute('aria-live', 'polite')
  await expect.element(region.getByText('Copied!')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Copy' })).toHaveFocus()
})

test('2.8 the first toast is added to a region that is already there, so that it is announced', async () => {
  await render(
    <ToastProvider>
      <Page messages={[{ text: 'Code successfully resent.', timeoutMs: 0 }]} />
    </ToastProvider>,
  )
  const seen: string[] = []
  const observer = new MutationObserver(() => {
    const region = document.querySelector('[aria-label="Notifications"]')
    if (region !== null) seen.push(region.textContent ?? '')
  })
  observer.observe(document.body, { childList: true, subtree: true })
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect.element(toast('Code successfully resent.')).toBeVisible()
  observer.disconnect()
  expect(seen[0]).toBe('')
})

test('9 toast: at most five are visible, and the next one follows when one is dismissed', async () => {
  const texts = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
  await showToasts(...texts.map((text) => ({ text, timeoutMs: 0 })))
  await expect.element(toast('Six')).toBeVisible()
  const visible = () => texts.filter((text) => toast(text).query()?.checkVisibility())
  expect(visible()).toEqual(['Two', 'Three', 'Four', 'Five', 'Six'])
  await toast('Six').hover()
  await toast('Six').getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(visible).toEqual(['One', 'Two', 'Three', 'Four', 'Five'])
})

test('2.8 F6 leads to the toasts, and Escape dismisses the focused one', async () => {
  await showToasts({ text: 'Copied!', timeoutMs: 0 })
  await userEvent.keyboard('{F6}{Tab}')
  await expect.element(toast('Copied!')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(toast('Copied!')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Copy' })).toHaveFocus()
})

test('2.8 the button of a toast dismisses it by key', async () => {
  await showToasts({ text: 'Copied!', timeoutMs: 0 })
  await userEvent.keyboard('{F6}{Tab}{Tab}')
  await expect.element(page.getByRole('button', { name: 'Dismiss' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(toast('Copied!')).not.toBeInTheDocument()
})

test('2.8 a toast disappears after its time, but not while the pointer or the focus is on it', async () => {
  await showToasts({ text: 'Copied!', timeoutMs: 400 })
  const isThereAfterItsTime = async () => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    return toast('Copied!').query() !== null
  }
  await toast('Copied!').hover()
  expect(await isThereAfterItsTime()).toBe(true)
  await userEvent.keyboard('{F6}')
  await page.getByRole('button', { name: 'Copy', includeHidden: true }).hover()
  expect(await isThereAfterItsTime()).toBe(true)
  await page.getByRole('button', { name: 'Copy', includeHidden: true }).click()
  await expect.element(toast('Copied!')).not.toBeInTheDocument()
})

test('2.8 a toast replaces the earlier one with its subject, and returns for the same text', async () => {
  await showToasts(
    { text: 'Saving…', subject: 'save' },
    { text: 'Saved', subject: 'save' },
    { text: 'Copied!' },
    { text: 'Copied!' },
  )
  await expect.element(toast('Saved')).toBeVisible()
  expect(page.getByRole('dialog').elements()).toHaveLength(2)
})

test('2.8 toasts never cover the focused element: they move to the other end of the window', async () => {
  function Links() {
    const showToast = useToast()
    return (
      <>
        {(['top', 'bottom'] as const).map((end) => (
          <a
            key={end}
            href="#main"
            ref={(link) => {
              const place = { position: 'fixed', insetInline: '0', [end]: '2rem', textAlign: 'end' }
              Object.assign(link?.style ?? {}, place)
            }}
            onClick={() => showToast({ text: 'Copied!', timeoutMs: 0 })}
          >
            Link at the {end}
          </a>
        ))}
      </>
    )
  }
  await render(
    <ToastProvider>
      <Links />
    </ToastProvider>,
  )
  const link = (end: string) =>
    page.getByRole('link', { name: `Link at the ${end}`, includeHidden: true }).element()
  const covers = (element: Element) => {
    const toasts = toast('Copied!').element().getBoundingClientRect()
    const focused = element.getBoundingClientRect()
    return toasts.top < focused.bottom && toasts.bottom > focused.top
  }
  await userEvent.click(link('bottom'))
  await expect.element(toast('Copied!')).toBeVisible()
  for (const end of ['bottom', 'top', 'bottom']) {
    const focused = link(end)
    if (focused instanceof HTMLElement) focused.focus()
    await expect.poll(() => covers(focused)).toBe(false)
  }
})

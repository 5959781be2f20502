import { useState } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { hydratePage } from './hydrate-page.tsx'
import { pageData } from './testing.tsx'

const DATA = JSON.stringify(pageData())

/** The document as the server sends it: page data, rendered page, and the message for failed scripts. */
function serve({ data = DATA, html = '' }: { data?: string; html?: string }) {
  document.body.innerHTML = `
    <script type="application/json" id="page-data">${data}</script>
    <div id="load-failed" hidden><a href="tel:8005550142">Call</a> <a href="mailto:help@figure.example">Mail</a></div>
    <div id="root">${html}</div>`
}

const isReady = () => 'ready' in document.documentElement.dataset

afterEach(() => {
  vi.restoreAllMocks()
  document.body.innerHTML = ''
  delete document.documentElement.dataset['ready']
  sessionStorage.clear()
})

function Counter({ company }: { company: string }) {
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {company}: {count}
    </button>
  )
}

test('4.11 the rendered page keeps its elements, and is ready once it reacts to input', async () => {
  serve({ html: renderToString(<Counter company="Figure" />) })
  const button = page.getByRole('button', { name: 'Figure: 0' }).element()
  expect(isReady()).toBe(false)
  hydratePage(({ organization }) => <Counter company={organization.orgMetaData.companyInfo.name} />)
  await expect.poll(isReady).toBe(true)
  await userEvent.click(button)
  expect(button.textContent).toBe('Figure: 1')
})

test('8 without valid page data the error screen shows the support contacts, and the error is reported', async () => {
  const report = vi.spyOn(window, 'reportError').mockImplementation(() => undefined)
  serve({ data: '{}', html: '<p>Log in</p>' })
  hydratePage(() => <p>Page</p>)
  await expect
    .element(page.getByRole('heading', { name: 'Sorry, looks like we have hit a snag!' }))
    .toBeVisible()
  await expect
    .element(page.getByRole('link', { name: '(800) 555-0142' }))
    .toHaveAttribute('href', 'tel:+18005550142')
  await expect.element(page.getByRole('link', { name: 'help@figure.example' })).toBeVisible()
  await expect.element(page.getByText('Log in')).not.toBeInTheDocument()
  await expect.poll(isReady).toBe(true)
  expect(report).toHaveBeenCalledWith(
    expect.objectContaining({ message: 'No private label data found' }),
  )
})

import '../console.css'
import { refusal } from '@portico/client/testing'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { BANNERS, SHOWN } from '../banners/banners.samples.ts'
import { Banners } from '../banners/banners.tsx'
import type { Environment } from '../environment.ts'
import { ConsoleAt, fakeEnvironment } from '../testing.tsx'
import { TOKENS } from '../tokens/tokens.samples.ts'
import { Tokens } from '../tokens/tokens.tsx'
import { List, type Page, State } from './list.tsx'

interface Item {
  readonly name: string
  readonly count: number
}

const FIRST: Page<Item> = { items: [{ name: 'One', count: 1000 }], next: 'cursor.2' }

async function open(
  address: string,
  load: (after: string | undefined) => Promise<Page<Item>>,
  changes: Partial<Environment> = {},
) {
  const environment = fakeEnvironment({}, changes)
  const listAt = (here: string) => (
    <ConsoleAt address={here} environment={environment}>
      <List
        label="Things"
        empty="Things appear here when they exist."
        filters={['state']}
        load={async (_, after) => load(after)}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Name', renderCell: ({ name }) => name },
          { title: 'Count', renderCell: ({ count }) => count.toLocaleString('en'), isNumber: true },
        ]}
      />
    </ConsoleAt>
  )
  const { rerender } = await render(listAt(address))
  return (here: string) => rerender(listAt(here))
}

test('a list is a table whose first cell names the row, and the next page is an address', async () => {
  await open('/console/things?state=old', async () => FIRST)
  await expect.element(page.getByRole('table', { name: 'Things' })).toBeVisible()
  await expect.element(page.getByRole('rowheader', { name: 'One' })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Next' }))
    .toHaveAttribute('href', '/console/things?state=old&after=cursor.2')
  await expect
    .element(page.getByRole('link', { name: 'Back to the start' }))
    .not.toBeInTheDocument()
})

test('a later page is loaded from the address and leads back', async () => {
  const load = vi.fn<(after: string | undefined) => Promise<Page<Item>>>(async () => ({
    ...FIRST,
    next: null,
  }))
  await open('/console/things?after=cursor.2', load)
  await expect
    .element(page.getByRole('link', { name: 'Back to the start' }))
    .toHaveAttribute('href', '/console/things')
  expect(load.mock.calls).toEqual([['cursor.2']])
  await expect.element(page.getByRole('link', { name: 'Next' })).not.toBeInTheDocument()
})

test('the next page is loaded when the address changes to it', async () => {
  const goTo = await open('/console/things', async (after) =>
    after === undefined ? FIRST : { items: [{ name: 'Two', count: 2 }], next: null },
  )
  await expect.element(page.getByRole('rowheader', { name: 'One' })).toBeVisible()
  await goTo('/console/things?after=cursor.2')
  await expect.element(page.getByRole('rowheader', { name: 'Two' })).toBeVisible()
  await goTo('/console/things')
  await expect.element(page.getByRole('rowheader', { name: 'One' })).toBeVisible()
})

test('an empty list says what will be here, or offers to clear the filters', async () => {
  await open('/console/things', async () => ({ items: [], next: null }))
  await expect.element(page.getByText('Things appear here when they exist.')).toBeVisible()
})

test('no match offers to clear the filters', async () => {
  await open('/console/things?state=old', async () => ({ items: [], next: null }))
  await expect
    .element(page.getByRole('link', { name: 'Clear filters' }))
    .toHaveAttribute('href', '/console/things')
})

test('a failed list can be tried again, and tries itself when the browser is back online', async () => {
  let isOnline = false
  const listeners = new Set<() => void>()
  const watch = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  await open(
    '/console/things',
    async () => {
      if (!isOnline) throw refusal('server-fault')
      return FIRST
    },
    { network: { isOnline: () => isOnline, watch } },
  )
  await expect.element(page.getByRole('status').getByText(/^You are offline/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  isOnline = true
  for (const notify of listeners) notify()
  await expect.element(page.getByRole('table', { name: 'Things' })).toBeVisible()
})

test('a short state stays on one line in a narrow column', async () => {
  await render(
    <ConsoleAt address="/console/things" environment={fakeEnvironment()}>
      <table>
        <tbody>
          <tr>
            <td width="1">
              <State tone="warn">Not published</State>
            </td>
          </tr>
        </tbody>
      </table>
    </ConsoleAt>,
  )
  const text = page.getByText('Not published').element()
  const lineHeight = Number.parseFloat(getComputedStyle(text).lineHeight)
  expect(text.getBoundingClientRect().height).toBeLessThan(1.5 * lineHeight)
})

const [TOKEN] = TOKENS.listServiceTokens.items
const [VERSION] = BANNERS.readBannerHistory.items

test.for([
  [
    'service tokens',
    <Tokens key="tokens" />,
    {
      listServiceTokens: {
        items: [
          {
            ...TOKEN,
            name: 'nightly-synchronization',
            permissions: ['organizations.publish', 'experiments.write', 'operations.write'],
          },
        ],
        next: null,
      },
    },
  ],
  [
    'published before',
    <Banners key="banner" rest={SHOWN.id} />,
    {
      ...BANNERS,
      readBannerHistory: {
        items: [
          {
            ...VERSION,
            content: { ...VERSION?.content, message: 'Transfers pause on Sunday. '.repeat(6) },
            publishedBy: 'maximilian.hohenstein@lender.example',
            reason: 'Communications.',
          },
        ],
      },
    },
  ],
] as const)('at 1280 px, no word of the table %s is broken', async ([label, view, answers]) => {
  await page.viewport(1280, 800)
  await document.fonts.ready
  await render(
    <ConsoleAt address="/console" environment={fakeEnvironment(answers)}>
      {view}
    </ConsoleAt>,
  )
  const table = page.getByRole('table', { name: new RegExp(label, 'i') })
  await expect.element(table).toBeVisible()
  expect(brokenWords(table.element())).toEqual([])
})

/** The words on more than one line. A word ends at a space, and at a place where it may break. */
function brokenWords(element: Element): string[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const broken: string[] = []
  while (texts.nextNode() !== null) {
    const text = texts.currentNode
    for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[^\s-]+/g)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
    }
  }
  return broken
}

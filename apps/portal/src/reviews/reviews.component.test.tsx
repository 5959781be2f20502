import type { Client } from '@portico/client/client'
import { refusal } from '@portico/client/testing'
import type { Review, ReviewItem, ReviewQueue } from '@portico/contracts/passport-review'
import { ToastProvider } from '@portico/ui/toast'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type Environment, EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { Queue } from './queue.tsx'
import { ReviewPage } from './review.tsx'

const UUID = '6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11'
const HOUR_MS = 3_600_000

const item = (changes: Partial<ReviewItem> = {}): ReviewItem => ({
  passportUuid: UUID,
  section: 'kyc',
  passportStructureType: 'INDIVIDUAL',
  organizationCode: 'FIGURE',
  ownerWalletAddress: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
  name: 'Iris Individual',
  status: 'PENDING',
  submittedAt: Date.now() - 50 * HOUR_MS,
  ...changes,
})

const queue = (changes: Partial<ReviewQueue> = {}): ReviewQueue => ({
  items: [item()],
  next: null,
  counts: { waiting: 1, 'with-investor': 1000, approved: 120, denied: 0 },
  organizations: [{ organizationCode: 'FIGURE', name: 'Figure' }],
  ...changes,
})

const review = (changes: Partial<Review> = {}): Review => ({
  ...item(),
  version: 2,
  savedAt: 0,
  isWaiting: true,
  creatorEmail: 'iris@example.com',
  answers: { firstName: 'Iris', country: 'US', taxId: '123-45-6789' },
  members: [],
  files: [],
  sections: [
    { section: 'kyc', status: 'PENDING' },
    { section: 'self-attestation', status: 'VALID' },
  ],
  history: [{ at: 0, section: 'kyc', event: 'submitted', reason: null, by: 'iris@example.com' }],
  ...changes,
})

const here = window.location.href
afterEach(() => window.history.replaceState(null, '', here))

type Answer = (input: { query: never; body: never }) => unknown

async function open(
  view: ReactNode,
  answers: Readonly<Record<string, unknown>>,
  changes: Partial<Environment> = {},
) {
  const calls: { name: string; input: unknown }[] = []
  const client: Client = async (call, { query, body }) => {
    calls.push({ name: call.name, input: query ?? body })
    const given = answers[call.name]
    const input = { query: query as never, body: body as never }
    const answer = typeof given === 'function' ? (given as Answer)(input) : given
    if (answer instanceof Error) throw answer
    return answer as never // The test provides the table.
  }
  await render(
    <EnvironmentContext value={{ ...serverEnvironment, client, ...changes }}>
      <ToastProvider>{view}</ToastProvider>
    </EnvironmentContext>,
  )
  return calls
}

const openReview = (answers: Readonly<Record<string, unknown>>) =>
  open(<ReviewPage passportUuid={UUID} section="kyc" supportPhone="8005550142" />, answers)

const openQueue = (query: string, answers: Readonly<Record<string, unknown>>) =>
  open(<Queue query={query} supportPhone="8005550142" />, answers)

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')

test('the queue shows waiting sections, how long they have waited, and a count per state', async () => {
  await openQueue('', { readReviewQueue: queue() })
  const row = page.getByRole('link', { name: /Iris Individual/ })
  await expect.element(row.getByText('Identity · Individual · waiting for 2 days')).toBeVisible()
  await expect.element(row).toHaveAttribute('href', `/dashboard/reviews/${UUID}/kyc`)
  await expect
    .element(page.getByRole('link', { name: 'Waiting 1' }))
    .toHaveAttribute('aria-current', 'page')
  await expect
    .element(page.getByRole('link', { name: 'Approved 120', exact: true }))
    .toHaveAttribute('href', '/dashboard/reviews?state=approved')
  await expect.element(page.getByText('1,000+', { exact: true })).toBeVisible()
})

test('an empty queue says so; one that failed to load can be retried', async () => {
  let failing = true
  await openQueue('', {
    readReviewQueue: () => (failing ? refusal('server-fault') : queue({ items: [] })),
  })
  await expect.element(page.getByRole('alert')).toBeVisible()
  failing = false
  await button('Try again').click()
  await expect.element(page.getByText(/Nothing is waiting for a review/)).toBeVisible()
})

test('6 an organization that the user does not review for leads to the others, and a user without the role to Home', async () => {
  await openQueue('state=denied&organization=NOWHERE', { readReviewQueue: refusal('not-found') })
  await expect
    .element(page.getByRole('link', { name: 'Show all your organizations' }))
    .toHaveAttribute('href', '/dashboard/reviews?state=denied')
  await openQueue('', { readReviewQueue: refusal('not-found') })
  await expect.element(page.getByText('You do not have the reviewer role.')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Go to Home' }))
    .toHaveAttribute('href', '/dashboard')
})

test('more is loaded after the last item, and a reviewer of several organizations can choose one', async () => {
  const calls = await openQueue('state=approved', {
    readReviewQueue: ({ query }: { query: { after?: string } }) =>
      queue({
        items: [
          query.after === undefined
            ? item({ name: 'Iris', status: 'VALID' })
            : item({ name: 'Olga', status: 'VALID', section: 'self-attestation' }),
        ],
        next: query.after === undefined ? `1.${UUID}` : null,
        organizations: [
          { organizationCode: 'FIGURE', name: 'Figure' },
          { organizationCode: 'HARBORLINE', name: 'Harborline' },
        ],
      }),
  })
  await button('Show more').click()
  await expect.element(page.getByRole('link', { name: /Olga/ })).toBeVisible()
  await expect.element(page.getByRole('link', { name: /Iris/ })).toBeVisible()
  expect(calls.map(({ input }) => input)).toEqual([
    { state: 'approved' },
    { state: 'approved', after: `1.${UUID}` },
  ])
  await page.getByLabelText('Organization').selectOptions('Harborline')
  expect(window.location.search).toBe('?state=approved&organization=HARBORLINE')
})

test('a review shows the answers by the labels of their questions, and approves after a confirmation', async () => {
  const calls = await openReview({
    readReview: review(),
    decideReview: { status: 'VALID', next: { passportUuid: UUID, section: 'self-attestation' } },
  })
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Identity: Iris Individual')
  const term = (name: string) => page.getByRole('definition').filter({ hasText: name })
  await expect.element(page.getByText('Country', { exact: true })).toBeVisible()
  await expect.element(term('United States')).toBeVisible()
  await expect.element(term('123-45-6789')).toBeVisible()
  await button('Approve').click()
  await expect.element(dialog.getByText('Iris Individual')).toBeVisible()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect
    .poll(() => window.location.pathname)
    .toBe(`/dashboard/reviews/${UUID}/self-attestation`)
  expect(calls.at(-1)?.input).toEqual({
    passportUuid: UUID,
    section: 'kyc',
    version: 2,
    decision: { event: 'approved' },
  })
})

test('a reviewer downloads the evidence', async () => {
  const file = {
    fileUuid: UUID,
    name: 'statement.pdf',
    bytes: 4,
    receivedBytes: 4,
    type: 'application/pdf' as const,
    addedAt: 0,
    modifiedAt: 0,
  }
  let failing = true
  const saved: string[] = []
  await open(
    <ReviewPage passportUuid={UUID} section="attestation-verification" supportPhone="8005550142" />,
    {
      readReview: review({ section: 'attestation-verification', answers: {}, files: [file] }),
      downloadPassportFile: () => (failing ? refusal('server-fault') : new Uint8Array(4)),
    },
    { download: (name) => saved.push(name) },
  )
  await button('statement.pdf').click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  failing = false
  await button('statement.pdf').click()
  await expect.poll(() => saved).toEqual(['statement.pdf'])
})

test.each([
  ['Ask for more', 'Send', 'What do you need?', 'Please say what you need.', 'returned'],
  ['Deny', 'Deny', 'Why?', 'Please give a reason.', 'denied'],
])('%s requires a message', async (action, send, label, error, event) => {
  const calls = await openReview({
    readReview: review(),
    decideReview: { status: 'IN_PROGRESS', next: null },
  })
  await button(action).click()
  await dialog.getByRole('button', { name: send }).click()
  const field = dialog.getByLabelText(label)
  await expect.element(dialog.getByText(error)).toBeVisible()
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('Your second name')
  await dialog.getByRole('button', { name: send }).click()
  await expect.poll(() => window.location.pathname).toBe('/dashboard/reviews')
  expect(calls.at(-1)?.input).toMatchObject({ decision: { event, reason: 'Your second name' } })
})

test.each<[string, Partial<Review>, string]>([
  [
    'another reviewer',
    {
      isWaiting: false,
      status: 'VALID',
      history: [{ at: 1, section: 'kyc', event: 'approved', reason: null, by: 'rita@example.com' }],
    },
    'Another reviewer decided first',
  ],
  [
    'the investor',
    { isWaiting: false, status: 'IN_PROGRESS' },
    'The investor is changing the answers',
  ],
  ['a new submission', { version: 4 }, 'The answers were submitted again'],
])(
  'a decision that comes after %s is not used, and the page says why',
  async (_, changes, title) => {
    let current = review()
    await openReview({
      readReview: () => current,
      decideReview: () => {
        current = review(changes)
        return refusal('review-outdated')
      },
    })
    await page.viewport(390, 500)
    await button('Approve').click()
    window.scrollTo(0, document.body.scrollHeight)
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await expect.element(page.getByText(title)).toBeInViewport()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(button('Approve').query() !== null).toBe(current.isWaiting)
  },
)

test('a failed decision can be retried with the same message', async () => {
  let failing = true
  await openReview({
    readReview: review(),
    decideReview: () => (failing ? refusal('server-fault') : { status: 'DENIED', next: null }),
  })
  await button('Deny').click()
  await dialog.getByLabelText('Why?').fill('The registry has another owner.')
  await dialog.getByRole('button', { name: 'Deny' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await expect.element(dialog.getByLabelText('Why?')).toHaveValue('The registry has another owner.')
  failing = false
  await dialog.getByRole('button', { name: 'Deny' }).click()
  await expect.poll(() => window.location.pathname).toBe('/dashboard/reviews')
})

test('a user who may not review this passport is told so', async () => {
  await openReview({ readReview: refusal('not-found') })
  await expect.element(page.getByText(/You cannot review this passport/)).toBeVisible()
})

import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type Answers, ConsoleAt, fakeEnvironment } from '../testing.tsx'
import { BANNERS, SCHEDULED, SHOWN } from './banners.samples.ts'
import { Banners } from './banners.tsx'

const here = window.location.href
afterEach(() => window.history.replaceState(null, '', here))

async function open(rest: string, answers: Answers = {}) {
  const environment = fakeEnvironment({ ...BANNERS, ...answers })
  await render(
    <ConsoleAt address={`/console/banners${rest && `/${rest}`}`} environment={environment}>
      <Banners rest={rest} />
    </ConsoleAt>,
  )
  return (name: string) =>
    environment.calls.filter((each) => each.name === name).map(({ input }) => input)
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const message = page.getByRole('textbox', { name: 'Message' })
const dialog = page.getByRole('dialog')

test('the list says what visitors see: shown, scheduled, from the file, and drafts', async () => {
  await open('')
  const states = [
    'Transfers pause',
    'Our phones',
    'Welcome',
    'Transfers pause on Sunday from 2 to 5',
  ]
  const expected = ['Shown', 'Scheduled', 'Shown', 'Draft']
  await expect.element(page.getByRole('row').nth(1)).toBeVisible()
  const rows = page.getByRole('row').elements().slice(1)
  for (const [index, row] of rows.entries()) {
    expect(row.textContent).toContain(states[index])
    expect(row.textContent).toContain(expected[index])
  }
})

test('a new banner is saved as a draft with a local time, and the preview shows it while typing', async () => {
  const sent = await open('new', { saveBannerDraft: { outcome: 'saved', revision: 1, errors: [] } })
  await message.fill('Closed on Monday.')
  await expect
    .poll(() => page.getByRole('region', { name: 'Preview' }).element().textContent)
    .toContain('Closed on Monday.')
  await page.getByLabelText('Shown until').fill('2026-12-01T18:00')
  await page.getByLabelText('Only visitors of some organizations').click()
  await page.getByLabelText('Harborline Mortgage').click()
  await button('Save draft').click()
  await expect
    .poll(() => sent('saveBannerDraft'))
    .toMatchObject([
      {
        content: {
          message: 'Closed on Monday.',
          startsAt: null,
          endsAt: Date.parse('2026-12-01T18:00'),
          organizationCodes: ['HARBORLINE'],
        },
        revision: 0,
        baseVersion: 0,
      },
    ])
  await expect.poll(() => window.location.pathname).toMatch(/^\/console\/banners\/[\da-f-]{36}$/)
})

test('errors are beside their fields, and a draft can be published', async () => {
  const sent = await open(SHOWN.id, {
    saveBannerDraft: {
      outcome: 'saved',
      revision: 4,
      errors: [{ field: 'endsAt', message: 'must be after startsAt' }],
    },
    publishBanner: { outcome: 'published', version: 3 },
  })
  await message.fill('Closed.')
  await button('Save draft').click()
  await expect.element(page.getByText('must be after startsAt')).toBeVisible()
  await button('Publish…').click()
  await dialog.getByLabelText(/^Show it again/).click()
  await dialog.getByLabelText('Reason').fill('The time changed.')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect
    .poll(() => sent('publishBanner'))
    .toEqual([{ id: SHOWN.id, revision: 4, showAgain: true, reason: 'The time changed.' }])
})

test('after a change by another operator, both versions are there, and mine can replace theirs', async () => {
  let isTheirs = true
  const theirs = {
    ...SHOWN,
    draft: { ...SHOWN.draft, revision: 7, content: { message: 'Theirs' }, author: 'ada' },
  }
  const sent = await open(SHOWN.id, {
    saveBannerDraft: () => {
      if (!isTheirs) return { outcome: 'saved', revision: 8, errors: [] }
      isTheirs = false
      return { outcome: 'conflict', theirs }
    },
  })
  await message.fill('Mine')
  await button('Save draft').click()
  await expect.element(page.getByText('Theirs')).toBeVisible()
  await expect.element(message).toHaveValue('Mine')
  await button('Save mine over it').click()
  await expect
    .poll(() => sent('saveBannerDraft').at(-1))
    .toMatchObject({ content: { message: 'Mine' }, revision: 7, baseVersion: 2 })
})

test('a banner is ended, and an earlier version is edited again', async () => {
  const sent = await open(SHOWN.id, { endBanner: { version: 3 } })
  const until = page.getByLabelText('Shown until')
  const before = (until.element() as HTMLInputElement).value
  await until.fill('2027-01-02T03:04')
  await message.fill('Mine')
  await button('Undo my changes').click()
  await expect.element(message).not.toHaveValue('Mine')
  await until.fill('2027-01-02T03:04')
  await button('Edit again').click()
  await expect.element(message).toHaveValue(SHOWN.published?.message ?? '')
  await expect.element(until).toHaveValue(before)
  await button('End now…').click()
  await dialog.getByLabelText('Reason').fill('It is over.')
  await dialog.getByRole('button', { name: 'End' }).click()
  await expect
    .poll(() => sent('endBanner'))
    .toEqual([{ id: SHOWN.id, version: 2, reason: 'It is over.' }])
  // The edits are still there, and the end is not a conflict with them.
  await expect.element(message).toHaveValue(SHOWN.published?.message ?? '')
  await expect.poll(() => sent('listBanners')).toHaveLength(3)
  await button('Save draft').click()
  await expect.poll(() => sent('saveBannerDraft')).toMatchObject([{ baseVersion: 3 }])
})

test('a banner that is scheduled is ended before it is shown', async () => {
  const sent = await open(SCHEDULED.id, { endBanner: { version: 2 } })
  await button('End now…').click()
  await dialog.getByLabelText('Reason').fill('We are open after all.')
  await dialog.getByRole('button', { name: 'End' }).click()
  await expect
    .poll(() => sent('endBanner'))
    .toEqual([{ id: SCHEDULED.id, version: 1, reason: 'We are open after all.' }])
})

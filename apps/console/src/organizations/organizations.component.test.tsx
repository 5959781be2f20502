import { refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Environment } from '../environment.ts'
import { type Answers, anOperator, ConsoleAt, fakeEnvironment } from '../testing.tsx'
import { DRAFT, ORGANIZATIONS } from './organizations.samples.ts'
import { Organizations } from './organizations.tsx'

async function open(
  rest: string,
  answers: Answers = {},
  role: 'admin' | 'brand' = 'admin',
  changes: Partial<Environment> = {},
) {
  const environment = fakeEnvironment({ ...ORGANIZATIONS, ...answers }, changes)
  const { unmount } = await render(
    <ConsoleAt
      address={`/console/organizations/${rest}`}
      environment={environment}
      operator={anOperator(role)}
    >
      <Organizations rest={rest} />
    </ConsoleAt>,
  )
  const sent = (name: string) =>
    environment.calls.filter((each) => each.name === name).map(({ input }) => input)
  return { sent, unmount, storage: environment.storage }
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const color = page.getByRole('textbox', { name: 'Brand color', exact: true })

test('the list says what is edited and published', async () => {
  await open('')
  await expect
    .element(page.getByRole('link', { name: 'Harborline Mortgage' }))
    .toHaveAttribute('href', '/console/organizations/HARBORLINE')
  await expect
    .element(page.getByText('Waits for review by bea.brand@portico.example'))
    .toBeVisible()
})

test('a change is drawn at once, its errors are beside their fields, and it is saved as a draft', async () => {
  const error = { orgCode: null, field: 'brandColor', message: 'must be a color' }
  const { sent } = await open('HARBORLINE', {
    previewOrganization: ({ content }: { content: { brandColor: string } }) =>
      content.brandColor === '#0f766e'
        ? ORGANIZATIONS.previewOrganization
        : { brand: null, mail: null, errors: [error] },
    saveOrganizationDraft: { outcome: 'saved', draft: { ...DRAFT, revision: 4 }, errors: [] },
  })
  const sample = page.getByTitle('Harborline Mortgage on a desktop, light')
  await expect.element(sample).toBeVisible()
  await color.fill('teal')
  await expect.element(page.getByText('Must be a color.')).toBeVisible()
  // An invalid value keeps the last valid preview.
  await expect.element(sample).toBeVisible()
  await expect.element(page.getByText('Not saved')).toBeVisible()
  await button('Save draft').click()
  await expect.element(page.getByText('Not saved')).not.toBeInTheDocument()
  expect(sent('saveOrganizationDraft')).toEqual([
    {
      orgCode: 'HARBORLINE',
      content: { ...DRAFT.content, brandColor: 'teal' },
      revision: 3,
      baseVersion: 2,
    },
  ])
})

test('what is not saved survives a reload, keeps the draft it is based on, and can be undone', async () => {
  const before = await open('HARBORLINE')
  await color.fill('#0f766f')
  await expect.element(page.getByText('Not saved')).toBeVisible()
  await before.unmount()
  const newer = { ...DRAFT, revision: 7 }
  const { sent } = await open(
    'HARBORLINE',
    {
      readOrganization: { ...ORGANIZATIONS.readOrganization, draft: newer },
      saveOrganizationDraft: {
        outcome: 'conflict',
        theirs: newer,
        publishedVersion: 2,
        yours: DRAFT.content,
        differences: [],
      },
    },
    'admin',
    { storage: before.storage },
  )
  await expect.element(color).toHaveValue('#0f766f')
  await button('Save draft').click()
  const conflict = page.getByRole('dialog', { name: 'Someone else changed this' })
  await expect.element(conflict).toBeVisible()
  expect(sent('saveOrganizationDraft')).toMatchObject([{ revision: 3, baseVersion: 2 }])
  await conflict.getByRole('button', { name: 'Close' }).click()
  await button('Undo my changes').click()
  await expect.element(color).toHaveValue('#0f766e')
  await expect.element(page.getByText('Not saved')).not.toBeInTheDocument()
})

test('an empty field is inherited and says from what; a locked field cannot be changed', async () => {
  await open('HARBORLINE')
  await expect.element(page.getByText('Inherited: 2200311')).toBeVisible()
  await page.getByText('Addresses', { exact: true }).click()
  await expect.element(page.getByLabelText('Host names')).toBeDisabled()
})

test('the second operator sees both versions and can keep either', async () => {
  const theirs = { ...DRAFT, revision: 7, author: 'eva.editor@portico.example' }
  const { sent } = await open('HARBORLINE', {
    saveOrganizationDraft: ({ revision }: { revision: number }) =>
      revision === 3
        ? {
            outcome: 'conflict',
            theirs,
            publishedVersion: 5,
            yours: DRAFT.content,
            differences: [{ field: 'brandColor', before: '#111111', after: '#0f766f' }],
          }
        : { outcome: 'saved', draft: { ...theirs, revision: 8 }, errors: [] },
  })
  await color.fill('#0f766f')
  await button('Save draft').click()
  const dialog = page.getByRole('dialog', { name: 'Someone else changed this' })
  await expect.element(dialog.getByText(/^eva.editor@portico.example saved/)).toBeVisible()
  await expect
    .element(dialog.getByRole('row', { name: /^Brand color #111111 #0f766f/ }))
    .toBeVisible()
  await button('Save mine over it').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sent('saveOrganizationDraft').at(-1)).toMatchObject({ revision: 7, baseVersion: 5 })
})

test('an operator of some organizations reads beside the code why a new one cannot be created', async () => {
  await open('', { saveOrganizationDraft: refusal('not-found') }, 'brand')
  await button('New organization…').click()
  await page.getByRole('textbox', { name: 'Code' }).fill('QUINCEFIELD')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Quincefield')
  await button('Create draft').click()
  await expect.element(page.getByText(/^Your roles do not cover this code/)).toBeVisible()
  await expect.element(page.getByText(/nothing at this address/)).not.toBeInTheDocument()
})

test('after a publication no toast says that nothing is published', async () => {
  await open('HARBORLINE', {
    saveOrganizationDraft: { outcome: 'saved', draft: { ...DRAFT, revision: 4 }, errors: [] },
    publishOrganization: { outcome: 'published', version: 3 },
  })
  await color.fill('#0f766f')
  await button('Save draft').click()
  await expect.element(page.getByText(/^The draft is saved/)).toBeVisible()
  await button('Publish…').click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('The lender has a new color.')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await expect.element(page.getByText('Version 3 is published.')).toBeVisible()
  await expect.element(page.getByText(/^The draft is saved/)).not.toBeInTheDocument()
})

test('publishing shows the differences and needs a reason', async () => {
  const { sent } = await open('HARBORLINE', {
    publishOrganization: { outcome: 'published', version: 3 },
  })
  await button('Publish…').click()
  const dialog = page.getByRole('dialog', { name: 'Publish HARBORLINE?' })
  await expect
    .element(dialog.getByRole('row', { name: /^Brand color #9a3412 #0f766e/ }))
    .toBeVisible()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Rebranding')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sent('publishOrganization')).toEqual([
    { orgCode: 'HARBORLINE', revision: 3, reason: 'Rebranding' },
  ])
  expect(sent('readOrganization')).toHaveLength(2)
})

test('files of any name are imported, such as a second download, except pictures that no organization can name', async () => {
  const { sent } = await open('', {
    importOrganizations: {
      items: [{ path: 'organizations/0.json', orgCode: 'HARBORLINE', isSaved: true, errors: [] }],
    },
  })
  await button('Import files…').click()
  const dialog = page.getByRole('dialog', { name: 'Import organizations' })
  await userEvent.upload(dialog.getByLabelText('Files'), [
    new File(['{}'], 'Harborline (1).JSON'),
    new File(['<svg/>'], 'Logo on dark.svg'),
    new File(['<svg/>'], 'harborline.svg'),
  ])
  await expect
    .element(dialog.getByText('Harborline (1).JSON, HARBORLINE: saved as a draft'))
    .toBeVisible()
  await expect.element(dialog.getByText(/^Logo on dark.svg: not imported/)).toBeVisible()
  expect(sent('importOrganizations')).toMatchObject([
    { files: [{ path: 'organizations/0.json' }, { path: 'logos/harborline.svg' }] },
  ])
})

const CONFLICT = { outcome: 'conflict', publishedVersion: 2, yours: DRAFT.content }
const DIFFERENCE = { field: 'brandColor', before: '#111111', after: '#0f766e' }

async function publish() {
  await button('Publish…').click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Rebranding')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
}

test('a publication of a draft that someone else changed compares with what the operator saw', async () => {
  const theirs = { ...DRAFT, revision: 7, author: 'eva.editor@portico.example' }
  await open('HARBORLINE', {
    publishOrganization: { ...CONFLICT, theirs, differences: [] },
    saveOrganizationDraft: { ...CONFLICT, theirs, differences: [DIFFERENCE] },
  })
  await publish()
  const dialog = page.getByRole('dialog', { name: 'Someone else changed this' })
  await expect.element(dialog.getByText(/Nothing was published now\.$/)).toBeVisible()
  await expect.element(dialog.getByRole('columnheader', { name: 'Theirs' })).toBeVisible()
  await expect
    .element(dialog.getByRole('row', { name: /^Brand color #111111 #0f766e/ }))
    .toBeVisible()
})

test('a draft that is older than what was published meanwhile is saved again, or the dialog says why not', async () => {
  const outdated = { ...CONFLICT, theirs: DRAFT, publishedVersion: 3, differences: [DIFFERENCE] }
  const { sent } = await open('HARBORLINE', {
    publishOrganization: { ...outdated, differences: [] },
    saveOrganizationDraft: ({ baseVersion }: { baseVersion: number }) =>
      baseVersion === 3 ? refusal('server-fault') : outdated,
  })
  await publish()
  const dialog = page.getByRole('dialog', { name: 'Another version was published' })
  await expect.element(dialog.getByRole('columnheader', { name: 'Published' })).toBeVisible()
  expect(dialog.getByRole('button', { name: 'Continue with theirs' }).query()).toBeNull()
  await dialog.getByRole('button', { name: 'Save it again' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  expect(sent('saveOrganizationDraft').at(-1)).toMatchObject({ revision: 3, baseVersion: 3 })
})

test('a publication whose answer was lost is already published when it is tried again', async () => {
  const conflict = { ...CONFLICT, theirs: null, publishedVersion: 3, differences: [] }
  const { sent } = await open('HARBORLINE', {
    publishOrganization: conflict,
    saveOrganizationDraft: conflict,
  })
  await publish()
  await expect.element(page.getByText('This is already published.')).toBeVisible()
  await expect.poll(() => sent('readOrganization')).toHaveLength(2)
  expect(page.getByRole('dialog', { name: 'Someone else changed this' }).query()).toBeNull()
})

test('a draft is marked for a review with a note, and can then be edited on', async () => {
  const submitted = { ...DRAFT, revision: 4, state: 'review', note: 'Please look at the color.' }
  const { sent } = await open('HARBORLINE', {
    submitOrganizationDraft: { draft: submitted },
    saveOrganizationDraft: { outcome: 'saved', draft: { ...DRAFT, revision: 5 }, errors: [] },
  })
  await button('Ask for review…').click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Please look at the color.')
  await page.getByRole('dialog').getByRole('button', { name: 'Ask' }).click()
  await expect.element(page.getByText('Please look at the color.')).toBeVisible()
  await color.fill('#0f766f')
  await button('Save draft').click()
  await expect.poll(() => sent('saveOrganizationDraft')).toMatchObject([{ revision: 4 }])
})

test('an earlier version is published again from the history', async () => {
  const { sent } = await open('HARBORLINE/history', {
    undoOrganization: { outcome: 'published', version: 3 },
  })
  await button('Publish again').click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('The color could not be read')
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Publish' }))
  await expect
    .poll(() => sent('undoOrganization'))
    .toEqual([
      { orgCode: 'HARBORLINE', version: 1, current: 2, reason: 'The color could not be read' },
    ])
})

test('an organization without a file does not use one before its first publication', async () => {
  const { readOrganization } = ORGANIZATIONS
  await open('HARBORLINE/history', {
    readOrganization: { ...readOrganization, file: null },
    readOrganizationHistory: { items: [], next: null },
  })
  await expect
    .element(page.getByText('Nothing has been published yet.', { exact: true }))
    .toBeVisible()
})

test('an organization without a file is removed instead of going back to it', async () => {
  const { readOrganization } = ORGANIZATIONS
  const { sent } = await open('HARBORLINE/history', {
    readOrganization: { ...readOrganization, file: null },
    undoOrganization: { outcome: 'published', version: 3 },
  })
  await button('Remove').click()
  const dialog = page.getByRole('dialog', { name: 'Remove HARBORLINE?' })
  await expect.element(dialog.getByText(/^It has no file/)).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('It closed.')
  await userEvent.click(dialog.getByRole('button', { name: 'Remove' }))
  await expect
    .poll(() => sent('undoOrganization'))
    .toEqual([{ orgCode: 'HARBORLINE', version: 0, current: 2, reason: 'It closed.' }])
})

test('the preview is a sandboxed frame without the console’s origin, for screens and mails', async () => {
  const { sent } = await open('HARBORLINE')
  const frame = page.getByTitle('Harborline Mortgage on a desktop, light')
  await expect.element(frame).toHaveAttribute('sandbox', 'allow-scripts')
  await expect.element(frame).toHaveAttribute('src', '/console/preview/auth/login')
  await page.getByLabelText('Screen or mail').selectOptions('mail/passcodeMail')
  await expect.element(frame).toHaveAttribute('src', '/console/preview/mail')
  await button('dark').click()
  await expect
    .poll(() => sent('previewOrganization').at(-1))
    .toMatchObject({ mail: 'passcodeMail', scheme: 'dark' })
})

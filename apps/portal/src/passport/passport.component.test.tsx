import type { Client } from '@portico/client/client'
import { refusal } from '@portico/client/testing'
import type { FlowRequest } from '@portico/contracts/flow-request'
import type { Passport, SavedSection } from '@portico/contracts/passport'
import { memoryStorage } from '@portico/shell/testing'
import { ToastProvider } from '@portico/ui/toast'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ActingAccountContext } from '../acting-account/acting-account.tsx'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { AddMember } from './add-member.tsx'
import { Join } from './join.tsx'
import { Landing } from './landing.tsx'
import { Resume } from './resume.tsx'
import { TypeOfInvestor } from './type-of-investor.tsx'

const UUID = '6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11'
const KEY = 'last-gatekeeper-flow-request'
const REQUEST: FlowRequest = {
  intent: 'kyc',
  redirectUrl: '/loans?id=1',
  incompleteRedirectUrl: '/later',
}

const ANSWERS = {
  firstName: 'Iris',
  lastName: 'Individual',
  birthDate: '1984-02-29',
  phone: '(201) 555-0123',
  country: 'US',
  street: '1 Harbor Street',
  city: 'Portland',
  region: 'ME',
  postalCode: '04101',
  citizenship: 'US',
  taxId: '•••••6789',
}

const kyc = (changes: Partial<SavedSection> = {}): SavedSection => ({
  section: 'kyc',
  status: 'IN_PROGRESS',
  version: 1,
  savedAt: 1_893_456_000_000,
  answers: ANSWERS,
  ...changes,
})

const passportWith = (section: SavedSection, changes: Partial<Passport> = {}): Passport => ({
  passportUuid: UUID,
  passportStructureType: 'INDIVIDUAL',
  ownerWalletAddress: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
  status: {
    kycStatus: section.status,
    attestationStatus: 'UNKNOWN_STATUS',
    attestationVerificationStatus: 'UNKNOWN_STATUS',
  },
  access: 'owner',
  sections: [section],
  members: [],
  files: [],
  history: [],
  ...changes,
})

type Answer = (body: never) => unknown

async function open(
  view: ReactNode,
  answers: Readonly<Record<string, unknown>>,
  request?: FlowRequest,
) {
  const calls: { name: string; body: unknown }[] = []
  const client: Client = async (call, { body }) => {
    calls.push({ name: call.name, body })
    const given = answers[call.name]
    const answer = typeof given === 'function' ? (given as Answer)(body as never) : given
    if (answer instanceof Error) throw answer
    return answer as never // The test provides the table.
  }
  const deviceStorage = memoryStorage(request && { [KEY]: JSON.stringify(request) })
  const visited: string[] = []
  let goOnline = () => undefined as void
  const environment = {
    ...serverEnvironment,
    client,
    network: {
      isOnline: () => true,
      watch: (listener: () => void) => {
        goOnline = listener
        return () => undefined
      },
    },
    deviceStorage,
    replace: (to: string) => void visited.push(to),
  }
  const { unmount } = await render(
    <EnvironmentContext value={environment}>
      <ToastProvider>{view}</ToastProvider>
    </EnvironmentContext>,
  )
  return { calls, visited, deviceStorage, goOnline: () => goOnline(), unmount }
}

const landing = <Landing supportPhone="8005550142" />
const resume = <Resume passportUuid={UUID} supportPhone="8005550142" />
const textbox = (name: string) => page.getByRole('textbox', { name })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

test('4.10 the landing page continues to the redirect URL when the request is complete, once', async () => {
  const { visited, deviceStorage } = await open(
    landing,
    { readPassport: passportWith(kyc({ status: 'PENDING' })), readCreatorPassportStatus: [] },
    REQUEST,
  )
  await expect.poll(() => visited).toEqual(['/loans?id=1'])
  expect(deviceStorage.read(KEY)).toBeUndefined()
})

test('4.10 the landing page offers the other URL while something is left', async () => {
  const { visited } = await open(
    landing,
    { readPassport: passportWith(kyc()), readCreatorPassportStatus: [] },
    REQUEST,
  )
  await expect
    .element(page.getByRole('link', { name: 'Continue filling in' }))
    .toHaveAttribute('href', `/universal-passport/onboarding/${UUID}/resume`)
  await expect
    .element(page.getByRole('link', { name: 'Continue without completing it' }))
    .toHaveAttribute('href', '/later')
  await expect.element(page.getByText('In progress')).toBeVisible()
  expect(visited).toEqual([])
})

test('3 a request to edit reopens an approved section', async () => {
  const { calls, visited } = await open(
    landing,
    { readPassport: passportWith(kyc({ status: 'VALID' })), readCreatorPassportStatus: [] },
    { ...REQUEST, option: 'EDIT_KYC' },
  )
  await press('Edit: Your details')
  await expect.poll(() => visited).toEqual([`/universal-passport/onboarding/${UUID}/resume`])
  expect(calls.at(-1)).toEqual({
    name: 'reopenPassportSection',
    body: { passportUuid: UUID, section: 'kyc' },
  })
})

test.each([
  ['kyc', 'VALID', 'Your details', /^This section is approved\./],
  ['kyc', 'VALID_PENDING', 'Your details', /the review stops/],
  ['suitability', 'VALID', 'Suitability questionnaire', /^This section is complete\./],
] as const)(
  'an owner edits a %s section that is %s without a request, after reading what it means',
  async (section, status, title, text) => {
    const { calls, visited } = await open(landing, {
      readPassport: passportWith(kyc({ section, status })),
      readCreatorPassportStatus: [],
    })
    await press(`Edit ${title}`)
    await expect.element(page.getByRole('dialog').getByText(text)).toBeVisible()
    expect(calls.map(({ name }) => name)).not.toContain('reopenPassportSection')
    await press('Edit')
    await expect
      .poll(() => visited)
      .toEqual([`/universal-passport/onboarding/${UUID}/resume?section=${section}`])
    expect(calls.at(-1)).toEqual({
      name: 'reopenPassportSection',
      body: { passportUuid: UUID, section },
    })
  },
)

test('a member cannot edit a section that is complete', async () => {
  await open(landing, {
    readPassport: passportWith(kyc({ status: 'VALID' }), { access: 'member' }),
    readCreatorPassportStatus: [],
  })
  await expect.element(page.getByText('Complete')).toBeVisible()
  expect(page.getByRole('button', { name: /^Edit/ }).elements()).toEqual([])
})

test('a section that is edited is submitted alone, and a request for others is kept', async () => {
  const { calls, visited, deviceStorage } = await open(
    <Resume passportUuid={UUID} section="kyc" supportPhone="8005550142" />,
    { readPassport: passportWith(kyc({ status: 'VALID_IN_PROGRESS' })), submitPassport: {} },
    { ...REQUEST, intent: '506b' },
  )
  await press('Submit')
  await expect.poll(() => visited).toEqual(['/universal-passport'])
  expect(calls.at(-1)?.body).toEqual({
    passportUuid: UUID,
    sections: [{ section: 'kyc', version: 1 }],
  })
  expect(deviceStorage.read(KEY)).toBeDefined()
})

test('a section that another tab has reopened can be edited here too', async () => {
  const { visited } = await open(
    landing,
    {
      readPassport: passportWith(kyc({ status: 'VALID' })),
      readCreatorPassportStatus: [],
      reopenPassportSection: refusal('passport-section-open'),
    },
    { ...REQUEST, option: 'EDIT_KYC' },
  )
  await press('Edit: Your details')
  await expect.poll(() => visited).toEqual([`/universal-passport/onboarding/${UUID}/resume`])
})

test('without a passport the landing page starts one', async () => {
  await open(landing, { readPassport: refusal('not-found'), readCreatorPassportStatus: [] })
  await expect
    .element(page.getByRole('link', { name: 'Start' }))
    .toHaveAttribute('href', '/universal-passport/onboarding/type-of-investor')
})

test('on a device without a chosen account, the passports that the user works on come first', async () => {
  const { status, ownerWalletAddress } = passportWith(kyc())
  await open(landing, {
    readPassport: refusal('not-found'),
    readCreatorPassportStatus: [
      {
        passportUuid: UUID,
        passportStructureType: 'INDIVIDUAL',
        ownerWalletAddress,
        status,
        decisions: [{ at: 1, section: 'kyc', event: 'returned', reason: 'Your second name?' }],
      },
    ],
  })
  await expect
    .element(page.getByRole('link', { name: /A reviewer needs more from you/ }))
    .toHaveAttribute('href', `/universal-passport/onboarding/${UUID}/resume`)
  await expect.element(page.getByRole('link', { name: 'Start another passport' })).toBeVisible()
})

test('a user without an account is sent to create one before choosing a type', async () => {
  const noAccount = {
    accounts: { items: [], acting: undefined },
    failure: undefined,
    retry: () => undefined,
    choosing: undefined,
    reload: () => undefined,
    switches: 0,
    choose: () => undefined,
  }
  await open(
    <ActingAccountContext value={noAccount}>
      <TypeOfInvestor supportPhone="8005550142" />
    </ActingAccountContext>,
    { readPassportStatus: refusal('not-found') },
  )
  const here = encodeURIComponent('/universal-passport/onboarding/type-of-investor')
  await expect
    .element(page.getByRole('link', { name: 'Choose an account' }))
    .toHaveAttribute('href', `/auth/wallet?redirectUrl=${here}`)
  expect(page.getByRole('radio').elements()).toEqual([])
  expect(page.getByRole('button', { name: 'Continue' }).elements()).toEqual([])
})

test('a load error is shown and can be retried', async () => {
  await open(landing, { readPassport: refusal('server-fault'), readCreatorPassportStatus: [] })
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

/** Saves like the server. */
function savingServer(section: SavedSection) {
  let current = section
  return ({ version, changes }: { version: number; changes: Record<string, string> }) => {
    if (version !== current.version) return { isSaved: false, section: current }
    const answers = { ...current.answers, ...changes }
    current = { ...current, version: version + 1, answers }
    return { isSaved: true, section: current }
  }
}

test('an answer is saved when the field is left, and the form resumes at the first gap', async () => {
  const section = kyc({ answers: { ...ANSWERS, city: '' } })
  const { calls } = await open(
    resume,
    {
      readPassport: passportWith(section),
      savePassportSection: savingServer(section),
    },
    REQUEST,
  )
  await expect.element(page.getByRole('heading', { name: 'Address' })).toBeVisible()
  await expect.element(page.getByText('Step 2 of 4: Address')).toBeVisible()
  await textbox('City').fill('Boston')
  await userEvent.tab()
  await expect.element(page.getByText(/^Saved /)).toBeVisible()
  expect(calls.at(-1)?.body).toEqual({
    passportUuid: UUID,
    section: 'kyc',
    version: 1,
    changes: { city: 'Boston' },
  })
})

test('an answer that is being typed is saved when the page is left, also behind another save', async () => {
  const section = kyc({ answers: { ...ANSWERS, city: '', region: '' } })
  const server = savingServer(section)
  const first = Promise.withResolvers<void>()
  const { calls, unmount } = await open(
    resume,
    {
      readPassport: passportWith(section),
      savePassportSection: async (body: Parameters<typeof server>[0]) => {
        if (body.version === 1) await first.promise
        return server(body)
      },
    },
    REQUEST,
  )
  await textbox('City').fill('Boston')
  await textbox('State or region').fill('MA')
  await expect.element(page.getByText('Saving…')).toBeVisible()
  await unmount()
  first.resolve()
  await expect
    .poll(() => calls.filter(({ name }) => name === 'savePassportSection'))
    .toMatchObject([
      { body: { version: 1, changes: { city: 'Boston' } } },
      { body: { version: 2, changes: { region: 'MA' } } },
    ])
})

test('an answer that is being typed is saved when the document is left', async () => {
  const section = kyc({ answers: { ...ANSWERS, city: '' } })
  const { calls } = await open(
    resume,
    { readPassport: passportWith(section), savePassportSection: savingServer(section) },
    REQUEST,
  )
  await textbox('City').fill('Boston')
  window.dispatchEvent(new PageTransitionEvent('pagehide'))
  await expect.poll(() => calls.at(-1)?.body).toMatchObject({ changes: { city: 'Boston' } })
})

test('several errors are summarized with links to the fields', async () => {
  const section = kyc({ answers: { citizenship: 'US' } })
  await open(
    resume,
    {
      readPassport: passportWith(section),
      savePassportSection: savingServer(section),
    },
    REQUEST,
  )
  await expect.element(page.getByRole('heading', { name: 'About you' })).toBeVisible()
  await press('Continue')
  await expect.element(page.getByText('4 answers need your attention')).toBeVisible()
  // What receives the focus has a name.
  await expect
    .element(page.getByRole('group', { name: '4 answers need your attention' }))
    .toHaveFocus()
  await page.getByRole('button', { name: /^Last name/ }).click()
  await expect.element(textbox('Last name')).toHaveFocus()
})

test('a tax number is masked on blur, and a hidden one is kept if nothing is typed', async () => {
  const section = kyc({ answers: { ...ANSWERS, citizenship: '' } })
  const { calls } = await open(
    resume,
    {
      readPassport: passportWith(section),
      savePassportSection: savingServer(section),
    },
    REQUEST,
  )
  const taxNumber = textbox('Tax number')
  await expect.element(taxNumber).toHaveValue('•••••6789')
  await taxNumber.click()
  await expect.element(taxNumber).toHaveValue('')
  await userEvent.tab()
  await expect.element(taxNumber).toHaveValue('•••••6789')
  await taxNumber.fill('987-65-4321')
  await userEvent.tab()
  await expect.element(taxNumber).toHaveValue('•••••4321')
  await expect
    .poll(() => calls.filter(({ name }) => name === 'savePassportSection'))
    .toMatchObject([{ body: { changes: { taxId: '987-65-4321' } } }])
})

test('the user decides about an answer that was also changed on another device', async () => {
  const section = kyc({ answers: { ...ANSWERS, region: '' } })
  const elsewhere = kyc({ version: 4, answers: { ...ANSWERS, city: 'Salem', region: '' } })
  const { calls } = await open(
    resume,
    {
      readPassport: passportWith(section),
      savePassportSection: savingServer(elsewhere),
    },
    REQUEST,
  )
  await textbox('City').fill('Boston')
  await userEvent.tab()
  await expect.element(page.getByText('There: Salem. Here: Boston.')).toBeVisible()
  await expect.element(textbox('City')).toHaveValue('Boston')
  await press('Keep the answer from here')
  await expect
    .poll(() => calls.at(-1)?.body)
    .toMatchObject({ version: 4, changes: { city: 'Boston' } })
  await expect.element(page.getByText('There: Salem. Here: Boston.')).not.toBeInTheDocument()
})

test('a failed save is shown, keeps the answer and is retried', async () => {
  const section = kyc({ answers: { ...ANSWERS, region: '' } })
  const server = savingServer(section)
  let failures = 1
  await open(
    resume,
    {
      readPassport: passportWith(section),
      savePassportSection: (body: never) => {
        failures -= 1
        return failures === 0 ? refusal('server-fault') : server(body)
      },
    },
    REQUEST,
  )
  await textbox('State or region').fill('ME')
  await userEvent.tab()
  await expect.element(page.getByText('Not saved')).toBeVisible()
  await press('Save again')
  await expect.element(page.getByText(/^Saved /)).toBeVisible()
  await expect.element(textbox('State or region')).toHaveValue('ME')
})

test('an answer that was not saved is saved once the browser is online again, or after a login in another tab', async () => {
  const section = kyc({ answers: { ...ANSWERS, region: '' } })
  const server = savingServer(section)
  const failures = ['server-fault', 'session-ended'] as const
  let calls = 0
  const { goOnline } = await open(
    resume,
    {
      readPassport: passportWith(section),
      savePassportSection: (body: never) => {
        const failure = failures[calls]
        calls += 1
        return failure === undefined ? server(body) : refusal(failure)
      },
    },
    REQUEST,
  )
  await textbox('State or region').fill('ME')
  await userEvent.tab()
  await expect.element(page.getByText('Not saved')).toBeVisible()
  goOnline()
  await expect.element(page.getByText(/^Your answers are still on this page/)).toBeVisible()
  await press('Save again')
  await expect.element(page.getByText(/^Saved /)).toBeVisible()
})

test('4.9 the checked answers are submitted, and the page continues to the redirect URL of the request', async () => {
  const { calls, visited, deviceStorage } = await open(
    resume,
    { readPassport: passportWith(kyc()), submitPassport: {} },
    REQUEST,
  )
  await expect.element(page.getByRole('heading', { name: 'Check and submit' })).toBeVisible()
  await expect.element(page.getByText('•••••6789')).toBeVisible()
  await expect.element(page.getByText('United States').first()).toBeVisible()
  await press('Submit')
  await expect.poll(() => visited).toEqual(['/loans?id=1'])
  expect(calls.at(-1)?.body).toEqual({
    passportUuid: UUID,
    sections: [{ section: 'kyc', version: 1 }],
  })
  expect(deviceStorage.read(KEY)).toBeUndefined()
})

test('a tax number that does not fit the country chosen after it is named before the submission', async () => {
  const answers = {
    legalName: 'Larch Partners',
    entityType: 'llc',
    formedOn: '2011-04-01',
    jurisdiction: 'Maine',
    taxId: '•••••',
    street: '1 Harbor Street',
    city: 'Portland',
    region: 'ME',
    postalCode: '04101',
    controllerName: 'Lena Larch',
    controllerTitle: 'Manager',
    phone: '(201) 555-0123',
  }
  const section = kyc({ answers })
  await open(
    resume,
    {
      readPassport: passportWith(section, { passportStructureType: 'ENTITY' }),
      savePassportSection: {
        isSaved: true,
        section: kyc({ version: 2, answers: { ...answers, country: 'US', taxId: '•' } }),
      },
    },
    REQUEST,
  )
  await page.getByLabelText('Country').selectOptions('United States')
  await expect.element(page.getByText(/^Saved /)).toBeVisible()
  await press('Continue')
  await press('Continue')
  await expect.element(page.getByText('Some answers are missing or not valid')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Submit' })).not.toBeInTheDocument()
  await press('Go to: About the company')
  await press('Continue')
  await expect.element(page.getByText('Please enter nine digits.')).toBeVisible()
})

test('a member fills in and does not submit', async () => {
  await open(resume, { readPassport: passportWith(kyc(), { access: 'member' }) }, REQUEST)
  await expect.element(page.getByText(/An owner of this passport checks/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Submit' })).not.toBeInTheDocument()
})

test('4.9 a denied section shows the reason and can be edited', async () => {
  const denied = passportWith(kyc({ status: 'DENIED' }), {
    history: [{ at: 1, section: 'kyc', event: 'denied', reason: 'The name does not match.' }],
  })
  const { calls } = await open(resume, { readPassport: denied }, REQUEST)
  await expect.element(page.getByText(/The name does not match\./)).toBeVisible()
  await press('Edit your answers')
  await expect.poll(() => calls.map(({ name }) => name)).toContain('reopenPassportSection')
})

const member = {
  memberUuid: UUID,
  name: 'Mia Member',
  email: 'mia@example.com',
  role: 'trustee',
  joinedAt: null,
  expiresAt: 1_893_456_000_000,
}
const trust = passportWith(kyc(), { passportStructureType: 'TRUST' })

test('4.10 a member is invited with name, address and role', async () => {
  const { calls } = await open(<AddMember passportUuid={UUID} supportPhone="8005550142" />, {
    readPassport: trust,
    invitePassportMember: member,
  })
  await textbox('Name').fill(member.name)
  await textbox('Email').fill(member.email)
  await page.getByLabelText('Role').selectOptions('Trustee')
  await press('Send invitation')
  await expect.element(page.getByText('Trustee · Invited')).toBeVisible()
  await expect.element(textbox('Name')).toHaveValue('')
  const { name, email, role } = member
  expect(calls.at(-1)?.body).toEqual({ passportUuid: UUID, name, email, role })
})

test('7.6 a member is removed after a question, and an invitation is withdrawn at once', async () => {
  const joined = {
    ...member,
    memberUuid: '0b0b7f8e-7c1c-4a59-9d52-0d5f0a6f4f12',
    name: 'Tilda Trustee',
    joinedAt: 1,
  }
  const { calls } = await open(<AddMember passportUuid={UUID} supportPhone="8005550142" />, {
    readPassport: { ...trust, members: [member, joined] },
    removePassportMember: undefined,
  })
  const removals = () => calls.filter(({ name }) => name === 'removePassportMember')
  const dialog = page.getByRole('dialog', { name: 'Remove a member' })
  await press('Remove Tilda Trustee')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(removals()).toEqual([])
  await press('Remove Tilda Trustee')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect.element(page.getByText('Tilda Trustee')).not.toBeInTheDocument()
  await press(`Withdraw ${member.name}`)
  await expect.element(page.getByText(member.name)).not.toBeInTheDocument()
  expect(removals().map(({ body }) => body)).toEqual(
    [joined, member].map(({ memberUuid }) => ({ passportUuid: UUID, memberUuid })),
  )
})

test('7.6 an invitation to an address that is not verified is accepted after a code by email', async () => {
  let isVerified = false
  const { calls, visited } = await open(
    <Join passportUuid={UUID} email="mia@example.com" supportPhone="8005550142" />,
    {
      joinPassport: () => (isVerified ? undefined : refusal('email-not-verified')),
      sendConfirmation: { loginUuid: UUID },
      confirmIdentity: () => {
        isVerified = true
      },
    },
  )
  await press('Accept the invitation')
  await expect
    .element(page.getByRole('heading', { name: 'Confirm your email address' }))
    .toBeVisible()
  await press('Send email')
  await textbox('Code').fill('123456')
  await expect.poll(() => visited).toEqual([`/universal-passport/onboarding/${UUID}/resume`])
  expect(calls.map(({ name }) => name)).toEqual([
    'joinPassport',
    'sendConfirmation',
    'confirmIdentity',
    'joinPassport',
  ])
})

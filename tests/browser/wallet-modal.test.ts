/** Wallet sign-in: choosing an account, connecting, verifying and converting its wallet. */
import type { Locator, Page } from '@playwright/test'
import { PEOPLE } from '../support/people.ts'
import { expectGood, expectToastClearOf } from './support/accessible.ts'
import { readToEnd } from './support/connecting-page.ts'
import { aPhone, scanned } from './support/phone-wallet.ts'
import { DESKTOP_FIRST, DESKTOP_ONLY, EXHAUSTIVE, expect, test } from './support/portico.ts'
import { dialog, logIn, logOut, newUser, onDashboard, ready, visit } from './support/steps.ts'

const UNVERIFIED_WORDS =
  'abandon amount liar amount expire adjust cage candy arch gather drum buyer'

/** Opens a wallet page while signed out, and logs in (§2.2). */
async function arrive(
  page: Page,
  person: { readonly email: string; readonly password: string },
  path = '/auth/wallet',
): Promise<void> {
  await visit(page, path)
  await expect(page).toHaveURL(/\/auth\/login\?redirectUrl=/)
  await logIn(page, person)
}

const choosing = (page: Page) => dialog(page, 'Choose an Account')
const verifying = (page: Page) => dialog(page, 'Connect your Wallet')
const connecting = (page: Page) => dialog(page, 'Connect Your Wallet')
const scanning = (page: Page) => dialog(page, 'Scan the QR Code with your Figure Mobile Wallet')
const code = (page: Page) => page.getByAltText('QR code to connect a wallet')
const panel = (page: Page) => page.frameLocator('#figure-wallet-hosted > iframe')

const account = (page: Page, name: string | RegExp) =>
  choosing(page).getByRole('button', { name }).first()

/** The pending action: below the wallet's panel on a phone, otherwise in the dialog. */
const awaiting = (dialogOrPage: Locator) =>
  dialogOrPage.getByText('Awaiting signature in').filter({ visible: true })

/** Whether the wallet's panel fills the screen (below 48 rem). */
const isNarrow = (page: Page) => (page.viewportSize()?.width ?? 0) < 768

/** Cancels the connection while the panel is open. */
const giveUp = (page: Page) =>
  connecting(page)
    .getByRole('button', { name: isNarrow(page) ? 'Cancel' : 'Select A Different Wallet' })
    .click()

const expectPageGood = (page: Page) => expectGood(page, { exclude: '#figure-wallet-hosted' })

test(
  '2.2 4.2 Select, Connect by the hosted wallet, Success; logging out disconnects',
  DESKTOP_FIRST,
  async ({ page }) => {
    await arrive(page, PEOPLE.organizations, '/auth/wallet?redirectUrl=%2Fdashboard')
    await expect(choosing(page).getByRole('heading', { name: 'Individual Accounts' })).toBeVisible()
    await expect(
      choosing(page).getByRole('heading', { name: 'Organizational Accounts' }),
    ).toBeVisible()
    await expect(account(page, /Delta Trust/)).toContainText('Signing as Olga')
    await expectPageGood(page)
    await account(page, /^Olga/).click()
    await expect(awaiting(connecting(page))).toBeVisible()
    await expect(
      connecting(page).getByRole('button', {
        name: isNarrow(page) ? 'Cancel' : 'Use your Figure Account',
      }),
    ).toBeVisible()
    await expectPageGood(page)
    await panel(page).getByRole('button', { name: 'Connect', exact: true }).click()
    await onDashboard(page, PEOPLE.organizations.email)
    const readStorage = () => page.evaluate(() => localStorage.getItem('walletconnect'))
    expect(await readStorage()).toContain('"connected":true')
    const owner = await page.evaluate(() => sessionStorage.getItem('ownerWallet'))
    expect(owner).toMatch(/^tp1/)

    await visit(page, '/auth/wallet')
    await expect(account(page, /^Olga/)).toContainText(/Connected, 2[34] hours left/)
    await visit(page, '/dashboard')
    await logOut(page)
    expect(await readStorage()).toBeNull()
  },
)

test('2.8 the hosted wallet: 600 by 600 at the top right, on a phone above the bar; rejecting says so, and can be tried again', async ({
  page,
}) => {
  await arrive(page, PEOPLE.several)
  await account(page, /Savings/).click()
  const frame = page.locator('#figure-wallet-hosted')
  await expect(frame).toBeVisible()
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  expect(await frame.boundingBox()).toEqual(
    isNarrow(page)
      ? { x: 0, y: 0, width, height: height - 72 }
      : { x: width - 600, y: 0, width: 600, height: 600 },
  )
  // Beside the panel the dialog keeps its width; it was once squeezed to 100 px.
  const sheet = await connecting(page).boundingBox()
  expect(sheet?.width).toBeGreaterThan(width < 1280 ? 350 : 590)
  if (width >= 1024) expect((sheet?.x ?? 0) + (sheet?.width ?? 0)).toBeLessThanOrEqual(width - 600)
  await panel(page).getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByText('You declined the connection')).toBeVisible()
  await expectPageGood(page)
  await connecting(page).getByRole('button', { name: 'Try again' }).click()
  await expect(panel(page).getByRole('button', { name: 'Connect', exact: true })).toBeVisible()
  await giveUp(page)
  await expect(account(page, /Everyday/)).toBeVisible()
  await expect(frame).toBeHidden()
})

test(
  '4.2 a 403 leads to Verify; a refused signature to Verification_Error; then SUCCESS',
  DESKTOP_ONLY,
  async ({ page, portico }) => {
    const phone = await aPhone(UNVERIFIED_WORDS)
    await arrive(page, PEOPLE.unverified)
    await account(page, /My phone/).click()
    await expect(verifying(page).getByText('Wallet Verification Required')).toBeVisible()
    await expectPageGood(page)

    await verifying(page).getByRole('button', { name: 'Mobile Wallet' }).click()
    await expect(code(page)).toBeVisible()
    expect(await code(page).boundingBox()).toMatchObject({ width: 256, height: 256 })
    expect(await scanned(code(page))).toMatch(`${portico.url}/links/`)
    await expect(scanning(page).getByRole('button', { name: 'Copy QR Code' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Download on the App Store' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Get it on Google Play' })).toBeVisible()
    await expectPageGood(page)
    await phone.scan(code(page), { signs: [false] })
    const failed = dialog(page, 'Wallet verification failed')
    await expect(failed.getByRole('alert')).toContainText('rejected')
    await expectPageGood(page)

    await failed.getByRole('button', { name: 'Try again' }).click()
    await verifying(page).getByRole('button', { name: 'Mobile Wallet' }).click()
    await expect(code(page)).toBeVisible()
    await phone.scan(code(page))
    await onDashboard(page, PEOPLE.unverified.email)

    // It is verified and still connected, so choosing it again needs no further step.
    await visit(page, '/auth/wallet')
    await expect(account(page, /My phone/)).toContainText('Verified')
    await account(page, /My phone/).click()
    await onDashboard(page, PEOPLE.unverified.email)
  },
)

/** 4.8 4.10 the gatekeeper sends a person with an unknown KYC status to the passport; they continue without one. */
async function withoutPassport(page: Page): Promise<void> {
  await expect(page).toHaveURL('/universal-passport/onboarding/type-of-investor')
  await page.getByRole('link', { name: 'Continue without a passport' }).click()
}

test(
  '4.2 Connect by QR of 182 px, which a phone reads; its link is copied',
  DESKTOP_ONLY,
  async ({ page, context, portico }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const email = await newUser(page, portico)
    // The person needs a wallet first; without one they would be sent to create one.
    const phone = await aPhone()
    await visit(page, `/auth/wallet?section=Connect&walletAddress=${phone.address}`)
    await expect(page).toHaveURL(/\/auth\/wallet\/create-wallet\?redirectUrl=/)
    await dialog(page, 'Create Figure Wallet').getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Account Name').fill('First')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(awaiting(connecting(page))).toBeVisible()

    await visit(page, `/auth/wallet?section=Connect&walletAddress=${phone.address}`)
    await expect(code(page)).toBeVisible()
    expect(await code(page).boundingBox()).toMatchObject({ width: 182, height: 182 })
    expect(await scanned(code(page))).toMatch(`${portico.url}/links/`)
    await expectPageGood(page)
    for (let pressed = 1; pressed <= 3; pressed += 1) {
      await connecting(page).getByRole('button', { name: 'Copy link to QR' }).click()
    }
    await expect(page.getByText('Copied!')).toHaveCount(1)
    await expectToastClearOf(page, connecting(page))
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      '/mobile-wallet?link=',
    )
    // 7.4, 8: without a short link the longer code is still readable at ordinary screen density.
    await page.route('**/links', (route) => route.abort())
    await page.reload()
    await expect(code(page)).toBeVisible()
    expect(await scanned(code(page))).toContain('/mobile-wallet?data=wc%3A')
    // 4.2: connecting an unattached address is not a success; it is verified first.
    await phone.scan(code(page))
    await onDashboard(page, email)
    const [, claims = ''] =
      (await page.evaluate(() => localStorage.getItem('jwt')))?.split('.') ?? []
    expect(Buffer.from(claims, 'base64url').toString()).toContain(`"addr":"${phone.address}"`)
  },
)

test(
  '4.2 a refusal on the phone is reported; the extension is searched for; there is a way back',
  EXHAUSTIVE,
  async ({ page }) => {
    const phone = await aPhone()
    await arrive(
      page,
      PEOPLE.individual,
      `/auth/wallet?section=Connect&walletAddress=${phone.address}`,
    )
    await expect(code(page)).toBeVisible()
    await phone.scan(code(page), { connects: false })
    await expect(page.getByText('You declined the connection')).toBeVisible()
    await expectPageGood(page)
    await connecting(page).getByRole('button', { name: 'Try again' }).click()
    await expect(code(page)).toBeVisible()
    await connecting(page).getByRole('button', { name: 'Chrome Extension Wallet' }).click()
    const extension = dialog(page, 'Chrome Extension Wallet')
    await expect(
      extension.getByText('Connect your wallet by signing with the Chrome browser extension...'),
    ).toBeVisible()
    await expect(extension.getByRole('link', { name: 'Get the extension' })).toBeVisible()
    await expectPageGood(page)
    await page.keyboard.press('Escape')
    await expect(code(page)).toBeVisible()
    await connecting(page).getByRole('button', { name: 'Select A Different Wallet' }).click()
    await expect(account(page, /Everyday/)).toBeVisible()
  },
)

test(
  '2.8 the next dialog replaces the previous one, and Back returns to it',
  DESKTOP_FIRST,
  async ({ page }) => {
    const { address } = await aPhone()
    await arrive(page, PEOPLE.individual, `/auth/wallet?section=Connect&walletAddress=${address}`)
    await expect(code(page)).toBeVisible()
    const opener = connecting(page).getByRole('button', { name: 'Chrome Extension Wallet' })
    await opener.click()
    const extension = dialog(page, 'Chrome Extension Wallet')
    await expect(extension).toBeVisible()
    await expect(page.locator('[data-part="dialog"]').filter({ visible: true })).toHaveCount(1)
    await expect(extension.getByRole('button', { name: 'Close' })).toBeHidden()
    await extension.getByRole('button', { name: 'Back', exact: true }).click()
    await expect(extension).toBeHidden()
    await expect(connecting(page)).toBeVisible()
    await expect(opener).toBeFocused()
  },
)

test.describe('on a phone', () => {
  test.use({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })

  test(
    "2.7 the mobile wallet opens by a link, the code is behind 'Use another phone', and a wrong wallet leads back to Select",
    DESKTOP_ONLY,
    async ({ page }) => {
      const phone = await aPhone(UNVERIFIED_WORDS)
      const stranger = await aPhone()
      await arrive(
        page,
        PEOPLE.individual,
        `/auth/wallet?section=Connect&walletAddress=${phone.address}`,
      )
      const open = connecting(page).getByRole('link', { name: 'Open the mobile wallet' })
      await expect(open).toBeInViewport({ ratio: 1 })
      await expect(connecting(page).getByText('Copy link to QR')).toBeInViewport({ ratio: 1 })
      await expect(code(page)).toBeHidden()
      await expect(page.getByText('Chrome Extension Wallet')).toHaveCount(0)
      const sheet = connecting(page)
      expect(await sheet.evaluate(({ scrollTop }) => scrollTop)).toBe(0)
      await expectPageGood(page)
      await connecting(page).getByText('Use another phone').click()
      await expect(code(page)).toBeVisible()
      await stranger.scan(code(page), { ignoresRequirements: true })
      // 4.8: a mismatch disconnects and returns to Select, which names the expected wallet.
      const notice = choosing(page).getByRole('alert')
      await expect(notice).toContainText('Another wallet connected')
      await expect(notice).toContainText(phone.address.slice(-5))
      await expect(notice).toContainText(stranger.address.slice(-5))
      await expect(account(page, /Everyday/)).toBeVisible()
      await expectPageGood(page)
    },
  )

  test(
    '2.8 the dialog shrinks to the pending action and Cancel, and returns when the wallet is minimized',
    DESKTOP_ONLY,
    async ({ page }) => {
      await arrive(page, PEOPLE.several)
      await account(page, /Savings/).click()
      const connect = panel(page).getByRole('button', { name: 'Connect', exact: true })
      await expect(connect).toBeInViewport({ ratio: 1 })
      await expect(awaiting(connecting(page))).toBeInViewport({ ratio: 1 })
      // Covered controls cannot take the focus.
      const open = connecting(page).getByRole('button', { name: 'Use your Figure Account' })
      await expect(open).toBeHidden()
      await expect(connecting(page).getByRole('button')).toHaveCount(1)

      await panel(page).getByRole('button', { name: 'Minimize' }).click()
      await expect(open).toBeInViewport({ ratio: 1 })
      await expect(connecting(page).getByRole('button', { name: 'Cancel' })).toBeHidden()
      const small = page.locator('#figure-wallet-hosted')
      expect(await small.boundingBox()).toMatchObject({ width: 50, height: 50 })
      await panel(page).getByRole('button', { name: 'Open the wallet: a request waits' }).click()
      await expect(open).toBeHidden()
      await giveUp(page)
      await expect(account(page, /Everyday/)).toBeVisible()
      await expect(small).toBeHidden()
    },
  )

  test(
    '2.7 Verify lists the extension too, and says that a phone has none',
    DESKTOP_ONLY,
    async ({ page }) => {
      await arrive(page, PEOPLE.individual)
      await choosing(page).getByRole('button', { name: 'Connect a Wallet' }).click()
      await verifying(page).getByRole('button', { name: 'Chrome Extension Wallet' }).click()
      const extension = dialog(page, 'Chrome Extension Wallet')
      await expect(extension.getByText('Extensions do not work on a phone')).toBeVisible()
      await expect(extension.getByRole('link', { name: 'Get the extension' })).toHaveCount(0)
      await expectPageGood(page)
      await extension.getByRole('button', { name: 'Back' }).click()
      await expect(verifying(page).getByRole('button', { name: 'Mobile Wallet' })).toBeVisible()
    },
  )
})

test(
  '8 a wallet attached to another identity is refused, and the list is shown',
  EXHAUSTIVE,
  async ({ page, browser, portico }) => {
    const phone = await aPhone()
    await arrive(page, PEOPLE.individual)
    await choosing(page).getByRole('button', { name: 'Connect a Wallet' }).click()
    await verifying(page).getByRole('button', { name: 'Mobile Wallet' }).click()
    await expect(code(page)).toBeVisible()
    await phone.scan(code(page))
    await onDashboard(page, PEOPLE.individual.email)

    const elsewhere = await browser.newContext({ baseURL: portico.url })
    const other = await elsewhere.newPage()
    await arrive(other, PEOPLE.several)
    await choosing(other).getByRole('button', { name: 'Connect a Wallet' }).click()
    await verifying(other).getByRole('button', { name: 'Mobile Wallet' }).click()
    await expect(code(other)).toBeVisible()
    await phone.scan(code(other))
    const notice = choosing(other).getByRole('alert')
    await expect(notice).toContainText('Provided wallet is already attached to an identity')
    await expect(notice).toContainText('Please select wallet from list to continue')
    await expect(account(other, /Savings/)).toBeVisible()
    expect(await other.evaluate(() => localStorage.getItem('walletconnect'))).toBeNull()
    await expectPageGood(other)
    await elsewhere.close()
  },
)

test.describe('at a host of its own', () => {
  test.use({
    baseURL: ({ portico }, use) => use(portico.url.replace('localhost', 'quincefield.localhost')),
  })

  test(
    '2.2 2.7 7.1 Provenance: an old wallet is converted at the host of the page and comes back as a hosted one',
    DESKTOP_ONLY,
    async ({ page, context, baseURL }) => {
      await arrive(page, PEOPLE.provenance)
      await account(page, /Maple Estates/).click()
      const modal = dialog(page, 'Convert your Provenance Wallet')
      await expect(modal.getByText('Wallet type is no longer supported')).toBeVisible()
      await expectPageGood(page)
      await modal.getByRole('button', { name: 'Continue' }).click()
      await expect(page).toHaveURL(
        /\/auth\/wallet\/provenance\/tp1[a-z0-9]+\/convert\?redirectUrl=/,
      )
      expect(new URL(page.url()).origin).toBe(baseURL)
      await ready(page)
      // What the old wallet holds stays at its address.
      await expect(page.getByText('Your old wallet holds 1,000 hash.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Convert wallet' })).toBeDisabled()
      await expectPageGood(page)
      await page.getByRole('checkbox', { name: /^I have moved my money/ }).check()
      await expect(page.getByRole('button', { name: 'Convert wallet' })).toBeEnabled()
      await expectPageGood(page)
      const urlBefore = page.url()
      await page.getByRole('button', { name: 'Convert wallet' }).click()
      await expect(
        page.getByRole('heading', { name: 'Your wallet has been converted' }),
      ).toBeVisible()
      await expectPageGood(page)
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page).toHaveURL(`${baseURL}/auth/wallet`)
      await account(page, /Maple Estates/).click()
      await expect(awaiting(connecting(page))).toBeVisible()

      // An old link after the session has ended: logging in returns to the same place.
      await visit(page, urlBefore)
      await context.clearCookies()
      await page.getByRole('checkbox', { name: /^I have moved my money/ }).check()
      await page.getByRole('button', { name: 'Convert wallet' }).click()
      await expect(page.getByRole('alert')).toContainText('Your session has ended.')
      await page.getByRole('link', { name: 'Go to the login page' }).click()
      await ready(page)
      await logIn(page, PEOPLE.provenance)
      await expect(page).toHaveURL(/\/convert\?redirectUrl=/)
      await ready(page)
      // Nothing is left to convert.
      await page.getByRole('checkbox', { name: /^I have moved my money/ }).check()
      await page.getByRole('button', { name: 'Convert wallet' }).click()
      await expect(page.getByRole('alert')).toContainText('This wallet cannot be converted.')
    },
  )
})

test(
  '2.6 4.8 without an account: create one, name it, connect it; reload and Back create no second one',
  EXHAUSTIVE,
  async ({ page, portico }) => {
    const email = await newUser(page, portico)
    await visit(page, '/auth/wallet')
    const benefits = dialog(page, 'Create Figure Wallet')
    await expect(benefits).toBeVisible()
    // A page that is only a modal renders nothing behind it.
    await expect(page.locator('h1')).toHaveCount(0)
    await expectPageGood(page)
    await benefits.getByRole('button', { name: 'Continue' }).click()
    const naming = dialog(page, 'Give Your Account a Name')
    await naming.getByRole('button', { name: 'Back' }).click()
    await benefits.getByRole('button', { name: 'Continue' }).click()
    await naming.getByRole('button', { name: 'Submit' }).click()
    await expect(naming.getByText('Account name is required')).toBeVisible()
    await expectPageGood(page)
    await page.getByLabel('Account Name').fill('Everyday')
    await naming.getByRole('button', { name: 'Submit' }).click()
    await expect(awaiting(connecting(page))).toBeVisible()
    await page.reload()
    await expect(awaiting(connecting(page))).toBeVisible()
    await panel(page).getByRole('button', { name: 'Connect', exact: true }).click()
    await withoutPassport(page)
    // It is chosen and connected: the page that sent the user here continues without asking again.
    await onDashboard(page, email)
    await visit(page, '/auth/wallet')
    await expect(choosing(page).getByRole('button', { name: /Everyday/ })).toHaveCount(1)
  },
)

test(
  '2.6 4.8 an organization: the controlling wallet is chosen, creates it, and the person acts for it',
  DESKTOP_ONLY,
  async ({ page }) => {
    const naming = dialog(page, 'Give Your Organization a Name')
    const approving = dialog(page, 'Approve in Your Wallet')
    const ready = dialog(page, 'Your Organization Is Ready')
    await arrive(page, PEOPLE.several)
    await choosing(page).getByRole('button', { name: 'Create an Organization' }).click()
    await expect(
      page.getByText(
        'Select the Individual Wallet that will be the controlling member of this Organization',
      ),
    ).toBeVisible()
    await expectPageGood(page)
    await page.getByRole('button', { name: /Savings/ }).click()
    await panel(page).getByRole('button', { name: 'Connect', exact: true }).click()

    await naming.getByRole('button', { name: 'Submit' }).click()
    await expect(naming.getByText('Account name is required')).toBeVisible()
    await expectPageGood(page)
    // A reload returns to the name, with the connected wallet.
    await page.reload()
    await naming.getByLabel('Account Name').fill('Willow Partners')
    await naming.getByRole('button', { name: 'Submit' }).click()

    // The wallet shows the transaction, decoded from its bytes, and it can be rejected.
    await expect(awaiting(approving)).toBeVisible()
    const question = panel(page).getByRole('heading', { name: 'Create Willow Partners?' })
    await expect(question).toBeVisible()
    await expect(panel(page).getByText('Willow Partners', { exact: true })).toBeVisible()
    await expectPageGood(page)
    await panel(page).getByRole('button', { name: 'Reject' }).click()
    await expect(naming.getByRole('alert')).toContainText('rejected')
    await expect(naming.getByLabel('Account Name')).toHaveValue('Willow Partners')
    await naming.getByRole('button', { name: 'Submit' }).click()
    await expect(question).toBeVisible()
    await readToEnd(page)
    await panel(page).getByRole('button', { name: 'Send' }).click()

    await expect(ready.getByText('Willow Partners')).toBeVisible()
    await expectPageGood(page)
    await ready.getByRole('button', { name: 'Act for this organization' }).click()
    await withoutPassport(page)
    await expect(connecting(page).getByText('Willow Partners')).toBeAttached()
    await panel(page).getByRole('button', { name: 'Connect', exact: true }).click()
    await onDashboard(page, PEOPLE.several.email)
    await visit(page, '/auth/wallet')
    const willow = account(page, /Willow Partners/)
    await expect(willow).toContainText('Signing as Savings')
    await expect(willow).toContainText('Connected')
    const token = await page.evaluate(() => localStorage.getItem('jwt'))
    expect(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()).toContain('"grp":"tp1')

    // 4.2: the connected wallet does not match the other account; it is disconnected, and the other one is requested.
    await account(page, /Everyday/).click()
    await expect(connecting(page).getByText('Everyday')).toBeAttached()
    await panel(page).getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  },
)

test(
  '8 a failed account list is reported, with a next step; a reload stays at Connect',
  EXHAUSTIVE,
  async ({ page }) => {
    await page.route('**/service-wallet/secure/api/v3/account', (route) => route.abort())
    await arrive(page, PEOPLE.individual)
    await expect(choosing(page).getByRole('alert')).toContainText(
      'Error Retrieving Accounts. Please try refreshing the browser or contact support for continued issues.',
    )
    await expectPageGood(page)
    await page.unroute('**/service-wallet/secure/api/v3/account')
    await choosing(page).getByRole('button', { name: 'Try again' }).click()
    await account(page, /Everyday/).click()
    await expect(connecting(page)).toBeVisible()
    await page.reload()
    await expect(connecting(page)).toBeVisible()
    await page.keyboard.press('Escape')
    // After Close it starts again at the list.
    await page.getByRole('button', { name: 'Choose an account' }).click()
    await expect(account(page, /Everyday/)).toBeVisible()
    const again = page.getByText('Choose an account', { exact: true })
    await expect(again).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeFocused()
    const above = await page.getByRole('button', { name: 'Choose an account' }).boundingBox()
    const below = await page
      .getByRole('link', { name: 'Continue without an account' })
      .boundingBox()
    expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBe(12)
    await expectPageGood(page)
  },
)

test(
  '2.2 without the stored token the user logs in first and returns',
  DESKTOP_ONLY,
  async ({ page }) => {
    await arrive(page, PEOPLE.individual)
    await expect(choosing(page)).toBeVisible()
    await page.evaluate(() => localStorage.removeItem('jwt'))
    await page.goto('/auth/wallet?redirectUrl=%2Fdashboard')
    await expect(page).toHaveURL(
      /\/auth\/login\?redirectUrl=%2Fauth%2Fwallet%3FredirectUrl%3D%252Fdashboard/,
    )
    await ready(page)
    await logIn(page, PEOPLE.individual)
    await expect(choosing(page)).toBeVisible()
  },
)

test(
  '4.4 walletconnect=true: after the login the wallet connect opens',
  DESKTOP_ONLY,
  async ({ page }) => {
    await visit(page, '/auth/login?walletconnect=true&redirectUrl=%2Fdashboard%2Fsecurity')
    await logIn(page, PEOPLE.individual)
    await expect(page).toHaveURL(/\/auth\/wallet\?redirectUrl=%2Fdashboard%2Fsecurity/)
    await expect(choosing(page)).toBeVisible()
  },
)

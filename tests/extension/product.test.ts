/** A new user's way through the product, with nothing replaced. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PEOPLE } from '../support/people.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { CHROMIUM, FIREFOX } from './support/browsers.ts'
import { type BuiltExtension, builtExtension } from './support/built-extension.ts'
import { userOf } from './support/user.ts'

const PASSPHRASE = 'granite lantern 47 orchard'

/** An address of no demonstration person. */
const RECIPIENT = 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'

let server: ServerProcess
let extension: BuiltExtension

beforeAll(async () => {
  server = await startServer()
  extension = await builtExtension([server.url])
})

afterAll(async () => {
  extension[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
})

describe.each([
  { ...CHROMIUM, person: PEOPLE.plain, connectName: 'Connect a wallet you have' },
  { ...FIREFOX, person: PEOPLE.individual, connectName: 'Connect a Wallet' },
])('in $name', ({ isMissing, open, person, connectName }) => {
  test.skipIf(isMissing)(
    '2.6 2.7 a new user creates a wallet, signs in with it, pays, and finds it again',
    async () => {
      await using browser = await open(extension)
      let page = await browser.openPage(`${server.url}/auth/login`)
      const user = userOf(async () => page)
      const wallet = userOf(async () => (await browser.approvalWindows())[0])

      async function logIn() {
        await user.fill('Email', person.email)
        await user.fill('Password', person.password)
        await user.click('Log in')
      }

      async function createWallet() {
        await wallet.click('Create a wallet')
        await wallet.fill('Passphrase', PASSPHRASE)
        await wallet.fill('Passphrase again', PASSPHRASE)
        await wallet.click('Continue')
        await wallet.click('Show words')
        const shown = await wallet.see('Do not take a screenshot')
        const words = shown.match(/^[a-z]{3,8}$/gm) ?? []
        expect(words).toHaveLength(12)
        await wallet.click('Continue')
        const check = await wallet.see('Check your recovery words')
        for (const [label, position] of check.matchAll(/Word (\d+)/g)) {
          await wallet.fill(label, words[Number(position) - 1] ?? '')
        }
        await wallet.click('Create the wallet')
      }

      async function pay(amount: string) {
        await user.fill('Amount', amount)
        await user.fill("Recipient's address", RECIPIENT)
        await user.click('Send')
      }

      await logIn()
      await user.click('Open your wallet')
      await user.click('Choose the account you act as, or connect another wallet')
      await user.click(connectName)
      await user.click('Chrome Extension Wallet')
      await createWallet()
      await wallet.click('Connect')
      await wallet.click('Sign')
      await user.see('You have 1,000 hash.')
      await pay('2.5')
      await wallet.see('Send 2.5 hash')
      await wallet.click('Send')
      await user.see('It is in block')

      await page.reload()
      await user.see('Sent 2.5 hash to tp13d...axwxy')
      await user.see('Connected for')
      await user.click('Disconnect')
      await user.click('Connect Account 1')
      await user.click('Chrome Extension Wallet')
      await wallet.click('Connect')
      await user.see('Connected for')

      await browser.restart()
      page = await browser.openPage(`${server.url}/dashboard`)
      await logIn()
      await user.see('Connected for')
      await pay('7')
      await wallet.fill('Passphrase', PASSPHRASE)
      await wallet.click('Unlock')
      await wallet.see('Send 7 hash')
      await wallet.click('Send')
      await user.see('It is in block')
      await user.click('Disconnect')
      await user.see('No wallet is connected')
    },
  )
})

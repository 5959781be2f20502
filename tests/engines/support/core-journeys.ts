/** The journeys that must work in every engine: logging in, the second step, the hosted wallet and logging out. */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticatorCode } from '../../support/authenticator.ts'
import { until } from '../../support/browser-page.ts'
import { PEOPLE } from '../../support/people.ts'
import { type ServerProcess, startServer } from '../../support/server-process.ts'
import { type User, userOf } from '../../support/user.ts'
import type { Engine, Visitor } from './engine.ts'

const WALLET = '#figure-wallet-hosted iframe'

/** A folder to which the layout test writes screenshots for inspection. */
const SCREENSHOTS = process.env.PORTICO_SCREENSHOTS

const SIGNED_IN_SCREENS = [
  '/dashboard',
  '/dashboard/accounts',
  '/dashboard/wallet',
  '/universal-passport',
  '/dashboard/activity',
  '/dashboard/security',
]

const SIZES = [
  [320, 700],
  [1280, 900],
] as const

type Person = { readonly email: string; readonly password: string }

const newPerson = (): Person => ({
  email: `${randomUUID()}@people.example`,
  password: 'marble-kettle-58-outpost',
})

interface EngineUnderTest {
  readonly name: string
  /** Undefined if it is missing on this machine. */
  readonly start: (() => Promise<Engine>) | undefined
  readonly hasPasskeys: boolean
}

export function testCoreJourneys({ name, start, hasPasskeys }: EngineUnderTest): void {
  describe.skipIf(start === undefined)(`in ${name}`, () => {
    let server: ServerProcess
    let engine: Engine

    beforeAll(async () => {
      if (start === undefined) return
      server = await startServer()
      engine = await start()
    })

    afterAll(async () => {
      await engine?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    })

    test('2.4 4.6 4.4 a new person registers, and logs in with the password and with a mailed code', async () => {
      await using visitor = await engine.visitor()
      const person = newPerson()
      const { email } = person
      const user = await register(visitor, person)
      await logOut(visitor, email)
      await submitLogin(visitor, person)
      await user.see('Home')
      await logOut(visitor, email)
      const before = await passcode(email)
      await user.fill('Email', email)
      await user.check('Use one-time passcode for logging into my account')
      await user.click('Send email')
      await user.fill('One-time passcode', await passcode(email, before))
      await user.see('Home')
      expect((await visitor.errors()).join()).toBe('')
    })

    test('4.5 a person with an authenticator app enters its code as the second step', async () => {
      await using visitor = await engine.visitor()
      const user = await submitLogin(visitor, PEOPLE.totp)
      await user.fill('Verification code', authenticatorCode(PEOPLE.totp.secret, Date.now()))
      await user.see('Home')
      expect((await visitor.errors()).join()).toBe('')
    })

    test.runIf(hasPasskeys)('4.5 a passkey is added, and is the second step', async () => {
      await using visitor = await engine.visitor()
      const person = newPerson()
      const user = await register(visitor, person)
      await user.click('Security')
      await user.click('Add a passkey')
      await user.fill('Name', 'My laptop')
      await user.click('Continue')
      await user.see('My laptop')
      await user.click('Codes by email')
      await user.click('Turn on')
      await logOut(visitor, person.email)
      await submitLogin(visitor, person)
      await user.click('Use a passkey')
      await user.click('Use your passkey')
      await user.see('Home')
      expect((await visitor.errors()).join()).toBe('')
    })

    test.skipIf(hasPasskeys)('a browser without passkeys offers none', async () => {
      await using visitor = await engine.visitor()
      const user = await signedIn(visitor, PEOPLE.plain)
      await user.click('Security')
      expect(await user.see('Codes by email')).not.toContain('Add a passkey')
    })

    test('4.1 the hosted wallet connects and signs a message', async () => {
      await using visitor = await engine.visitor()
      const user = await signedIn(visitor, PEOPLE.individual)
      const wallet = userOf(async () => visitor.page, WALLET)
      await user.click('Open your wallet')
      await user.click('Connect your Figure Account')
      await wallet.approve('Connect')
      await user.see('Connected for')
      await user.fill('Message to sign', 'I agree')
      await user.click('Sign the message')
      await wallet.see('I agree')
      await wallet.approve('Sign')
      await user.see('The message is signed')
      await user.click('Disconnect')
      await user.see('No wallet is connected')
      expect((await visitor.errors()).join()).toBe('')
    })

    test('2.8 no screen scrolls sideways at 320 pixels, and none reports an error', async () => {
      for (const [width, height] of SIZES) {
        await using visitor = await engine.visitor()
        await visitor.resize(width, height)
        for (const screen of ['/auth/register', '/auth/login']) await look(visitor, screen)
        expect(await visitor.page.evaluate(underlined, 'Forgot Password')).toBe('underline')
        await signedIn(visitor, PEOPLE.organizations)
        // A page that is left while it loads reports that its calls were aborted.
        await usable(visitor)
        for (const screen of SIGNED_IN_SCREENS) await look(visitor, screen)
      }
    })

    async function at(visitor: Visitor, to: string): Promise<User> {
      await visitor.open(`${server.url}${to}`)
      return userOf(async () => visitor.page)
    }

    const usable = (visitor: Visitor) =>
      until('The content of the page', () => visitor.page.evaluate(isUsable, undefined))

    async function look(visitor: Visitor, to: string): Promise<void> {
      await visitor.open(`${server.url}${to}`)
      await usable(visitor)
      const { width, content } = await visitor.page.evaluate(
        () => ({ width: innerWidth, content: document.documentElement.scrollWidth }),
        undefined,
      )
      expect({ to, content }).toEqual({ to, content: Math.min(content, width) })
      expect((await visitor.errors()).join()).toBe('')
      if (SCREENSHOTS === undefined) return
      await visitor.page.evaluate(nextFrame, undefined)
      const file = `${name}-${width}${to.replaceAll(/\W/g, '-')}.png`
      writeFileSync(path.join(SCREENSHOTS, file), await visitor.screenshot())
    }

    async function register(visitor: Visitor, { email, password }: Person): Promise<User> {
      const user = await at(visitor, '/auth/register')
      await user.fill('Email', email)
      await user.click('Continue')
      await user.fill('One-time passcode', await passcode(email))
      await user.fill('New password', password)
      await user.fill('Confirm password', password)
      await user.click('Create login')
      await user.see('Home')
      return user
    }

    async function submitLogin(visitor: Visitor, { email, password }: Person): Promise<User> {
      const user = await at(visitor, '/auth/login')
      await user.fill('Email', email)
      await user.fill('Password', password)
      await user.click('Log in')
      return user
    }

    async function signedIn(visitor: Visitor, person: Person): Promise<User> {
      const user = await submitLogin(visitor, person)
      await user.see('Home')
      return user
    }

    async function logOut(visitor: Visitor, email: string): Promise<void> {
      const user = userOf(async () => visitor.page)
      await user.click(`Your account, ${email}`)
      await user.click('Log out')
      await user.see('Log in to')
    }

    /** The newest code mailed to an address, other than `before`. */
    function passcode(email: string, before?: string): Promise<string> {
      return until(`A code for ${email}`, async () => {
        const to = encodeURIComponent(email)
        const response = await fetch(`${server.url}/dev/mailbox/messages?to=${to}`)
        const messages = (await response.json()) as readonly { readonly text: string }[]
        const codes = messages.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0])
        const newest = codes.find((code) => code !== undefined)
        return newest === before ? undefined : newest
      })
    }
  })
}

/** The following functions run in the page. */

function isUsable(): true | undefined {
  const loading = document.querySelector('[role="status"][aria-label^="Loading"]')
  return ('ready' in document.documentElement.dataset && loading === null) || undefined
}

const nextFrame = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

function underlined(name: string): string | undefined {
  const button = [...document.querySelectorAll('button')].find((each) => each.innerText === name)
  return button && getComputedStyle(button).textDecorationLine
}

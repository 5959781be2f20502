import { createServer } from 'node:http'
import { BOT_CHECK_HEADER, login, readBotCheckChallenge } from '@portico/contracts/identity'
import { sendContinueApplicationEmail } from '@portico/contracts/lead-portal'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect, test } from 'vitest'
import type { Browser, Credentials } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const signIn = (browser: Browser, who: Credentials, token?: string) =>
  browser.call(login, {
    body: who,
    ...(token === undefined ? {} : { headers: { [BOT_CHECK_HEADER]: token } }),
  })

const inBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

/** A solved proof of work, as sent by the page's worker. */
async function solved(browser: Browser): Promise<{ challenge: Challenge; solution: object }> {
  // The library defines the puzzle; the contract only transports it.
  const challenge = (await browser.call(readBotCheckChallenge, {})) as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('The puzzle was not solved')
  return { challenge, solution }
}

const REFUSED = { status: 400, code: 'bot-check-failed' }
const ADMITTED = { jwt: expect.any(String) }

test('2.3 a solved proof of work is accepted once', async () => {
  const owner = newPerson('person')
  await using world = await aWorld().withSettings({ BOT_CHECK: 'altcha' }).withCustomer(owner)
  const browser = world.browser()
  // The server's clock is a day ahead of the machine's, which the library uses.
  const { challenge, solution } = await solved(browser)
  const token = inBase64({ challenge, solution })
  expect(await signIn(browser, owner, token)).toEqual(ADMITTED)
  expect(await refusal(signIn(browser, owner, token))).toMatchObject(REFUSED)

  const again = {
    challenge: { ...challenge, signature: challenge.signature?.toUpperCase() },
    solution,
  }
  expect(await refusal(signIn(browser, owner, inBase64(again)))).toMatchObject(REFUSED)
})

test('2.3 no sign-in without a solved proof of work, whatever the password', async () => {
  const owner = newPerson('robot')
  await using world = await aWorld().withSettings({ BOT_CHECK: 'altcha' }).withCustomer(owner)
  const browser = world.browser()
  const { challenge, solution } = await solved(browser)
  const wrong = {
    missing: undefined,
    'no answer': inBase64({ challenge }),
    'another key': inBase64({ challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } }),
    'no key': inBase64({ challenge, solution: { ...solution, derivedKey: '' } }),
    'a cheaper puzzle': inBase64({
      challenge: { ...challenge, parameters: { ...challenge.parameters, cost: 1 } },
      solution,
    }),
    'a longer life': inBase64({
      challenge: {
        ...challenge,
        parameters: { ...challenge.parameters, expiresAt: 9_999_999_999 },
      },
      solution,
    }),
    'another signature': inBase64({
      challenge: { ...challenge, signature: '00'.repeat(32) },
      solution,
    }),
    'no signature': inBase64({ challenge: { parameters: challenge.parameters }, solution }),
    'a broken nonce': inBase64({
      challenge: { ...challenge, parameters: { ...challenge.parameters, nonce: 'zz' } },
      solution,
    }),
    noise: 'not base64 at all',
    'too long': 'a'.repeat(5000),
  }
  for (const [name, token] of Object.entries(wrong)) {
    expect(await refusal(signIn(browser, owner, token)), name).toMatchObject(REFUSED)
  }
  expect(await signIn(browser, owner, inBase64({ challenge, solution }))).toEqual(ADMITTED)
})

test('2.3 a proof of work is valid for twenty minutes', async () => {
  const owner = newPerson('slow')
  await using world = await aWorld().withSettings({ BOT_CHECK: 'altcha' }).withCustomer(owner)
  const browser = world.browser()
  const token = inBase64(await solved(browser))
  world.clock.pass(21 * 60 * 1000)
  expect(await refusal(signIn(browser, owner, token))).toMatchObject(REFUSED)
})

test('8 a refused bot check does not count as an attempt', async () => {
  const owner = newPerson('spared')
  await using world = await aWorld().withSettings({ BOT_CHECK: 'altcha' }).withCustomer(owner)
  const browser = world.browser()
  for (let each = 0; each < 12; each += 1) {
    expect(await refusal(signIn(browser, owner))).toMatchObject(REFUSED)
  }
  expect(await signIn(browser, owner, inBase64(await solved(browser)))).toEqual(ADMITTED)
})

test('2.3 with another bot check there is no puzzle endpoint', async () => {
  await using world = await aWorld()
  expect(await refusal(world.browser().call(readBotCheckChallenge, {}))).toMatchObject({
    status: 404,
    code: 'not-found',
  })
})

/** A fake bot-check service: the requests it received and its response. */
interface Service extends AsyncDisposable {
  readonly url: string
  readonly requests: URLSearchParams[]
  answer: { status: number; body: string } | 'silence'
}

async function aService(): Promise<Service> {
  const requests: URLSearchParams[] = []
  const service: Partial<Service> = {
    requests,
    answer: { status: 200, body: '{"success":true}' },
  }
  const server = createServer((request, response) => {
    let form = ''
    request.on('data', (chunk) => (form += chunk))
    request.on('end', () => {
      requests.push(new URLSearchParams(form))
      const { answer } = service
      if (answer === 'silence' || answer === undefined) {
        request.socket.destroy()
        return
      }
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(answer.body)
    })
  })
  const port = await listen(server)
  return Object.assign(service, {
    url: `http://127.0.0.1:${port}/siteverify`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }) as Service
}

for (const kind of ['recaptcha', 'turnstile'] as const) {
  test(`2.3 ${kind} verifies each token, and an unconfirmed one does not pass`, async () => {
    await using service = await aService()
    const owner = newPerson('checked')
    await using world = await aWorld()
      .withSettings({
        BOT_CHECK: kind,
        BOT_CHECK_SITE_KEY: 'site',
        BOT_CHECK_SECRET: 'shared-secret',
        BOT_CHECK_URL: service.url,
      })
      .withCustomer(owner)
    const browser = world.browser()

    expect(await refusal(signIn(browser, owner))).toMatchObject(REFUSED)
    expect(service.requests).toEqual([])

    expect(await signIn(browser, owner, 'page-token')).toEqual(ADMITTED)
    expect(Object.fromEntries(service.requests[0] ?? [])).toEqual({
      secret: 'shared-secret',
      response: 'page-token',
      remoteip: '127.0.0.1',
    })

    const unconfirmed = [
      { status: 200, body: '{"success":false,"error-codes":["timeout-or-duplicate"]}' },
      { status: 200, body: '{"success":true,"score":0.1}' },
      { status: 500, body: 'out of order' },
      { status: 200, body: '{"success":"yes"}' },
      'silence',
    ] as const
    for (const answer of unconfirmed) {
      service.answer = answer
      expect(await refusal(signIn(browser, owner, 'page-token'))).toMatchObject(REFUSED)
    }
    service.answer = { status: 200, body: '{"success":true,"score":0.9}' }
    expect(await signIn(browser, owner, 'page-token')).toEqual(ADMITTED)
  })
}

test('7.3 no continue-application mail is sent without a solved bot check', async () => {
  await using world = await aWorld().withSettings({ BOT_CHECK: 'altcha' })
  const browser = world.browser()
  const { email } = newPerson('borrower')
  const ask = (headers: Record<string, string>) =>
    browser.call(sendContinueApplicationEmail, {
      body: { borrowerIdentifier: { borrowerEmail: email, organization: 'FIGURE' } },
      headers,
    })
  expect(await refusal(ask({}))).toMatchObject(REFUSED)
  expect(await world.mail(email)).toEqual([])
  const { challenge, solution } = await solved(browser)
  const token = inBase64({ challenge, solution })
  expect(await ask({ [BOT_CHECK_HEADER]: token })).toEqual({ loginUuid: expect.any(String) })
  expect(await world.mail(email)).toHaveLength(1)
  expect(await refusal(ask({ [BOT_CHECK_HEADER]: token }))).toMatchObject(REFUSED)
})

/**
 * A forged `Host` or forwarded host must not choose a link in mail or the host that a texted code is bound to; brand
 * data must not add a header to mail.
 */
import {
  login,
  readRegistrationVerification,
  redeemToken,
  register,
  sendToken,
} from '@portico/contracts/identity'
import { sendContinueApplicationEmail } from '@portico/contracts/lead-portal'
import { OrganizationFile } from '@portico/contracts/organization-file'
import { expect, test } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { aWorld, newPerson, OTHER_PASSWORD } from '../support/world.ts'

const FORGED = [
  'evil.example',
  'evil.example:8080',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '6.6.6.6',
  '[2001:db8::1]',
]

/** Most begin with a known host, but a browser would go to another one. */
const INVALID_HOSTS = [
  'localhost:x@evil.example',
  'localhost:@evil.example',
  '127.0.0.1:8080@evil.example',
  'localhost:80/@evil.example',
  'localhost:99999',
  'evil.example#',
  'evil.example?',
  '999.1.1.1',
  '@:@',
  '',
]

/** Requests mail to an unknown address with arbitrary host headers. */
function requestMail(
  url: string,
  { email, host, forwarded }: { email: string; host: string; forwarded: string },
): Promise<string> {
  const body = JSON.stringify({ email })
  return rawRequest(
    url,
    [
      `POST ${sendToken.path} HTTP/1.1`,
      `Host: ${host}`,
      `X-Forwarded-Host: ${forwarded}`,
      `Forwarded: host=${forwarded};proto=https`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

test('9 a forged Host or forwarded host never chooses a link in mail', async () => {
  await using world = await aWorld()
  for (const host of FORGED) {
    const { email } = newPerson('forged')
    const answer = await requestMail(world.url, { email, host, forwarded: 'evil.example' })
    expect(answer, host).toMatch(/^HTTP\/1\.1 200 /)
    const [mail] = await world.mail(email)
    const links = [...`${mail?.text} ${mail?.html}`.matchAll(/https?:\/\/[^/\s"<]*/g)].map(String)
    expect(links.length, host).toBeGreaterThan(3)
    expect(new Set(links), host).toEqual(new Set([`http://localhost:${new URL(world.url).port}`]))
  }
})

test('9 an invalid Host is refused, and nothing is mailed', async () => {
  await using world = await aWorld()
  const { email } = newPerson('nowhere')
  for (const host of INVALID_HOSTS) {
    const answer = await requestMail(world.url, { email, host, forwarded: 'evil.example' })
    expect(answer, host).toMatch(/^HTTP\/1\.1 400 /)
  }
  expect(await world.mail(email)).toEqual([])
})

test('9 with PUBLIC_URL every link leads there, whatever the request’s headers', async () => {
  await using world = await aWorld().withSettings({ PUBLIC_URL: 'https://login.lender.example' })
  const { email } = newPerson('public')
  await requestMail(world.url, { email, host: 'evil.example', forwarded: 'evil.example' })
  const [mail] = await world.mail(email)
  const links = [...`${mail?.text} ${mail?.html}`.matchAll(/https?:\/\/[^/\s"<]*/g)].map(String)
  expect(new Set(links)).toEqual(new Set(['https://login.lender.example']))
})

test('9 mail has the label of its page, and only an existing one', async () => {
  await using world = await aWorld()
  const brandOf = async (referer: string) => {
    const { email } = newPerson('labeled')
    const browser = world.browser({ headers: { referer: `${world.origin}${referer}` } })
    await browser.call(register, { body: { email } })
    await browser.call(sendToken, { body: { email } })
    const [mail] = await world.mail(email)
    return mail?.html
      .match(/<td class="panel" style="[^"]*background:(#\w{6})[^"]*">([^<]*)</)
      ?.slice(1)
  }
  expect(await brandOf('/auth/register?label=apollo')).toEqual(['#007b63', 'Figure · Apollo'])
  expect(
    await brandOf(`/auth/login?redirectUrl=${encodeURIComponent('/dashboard?label=outpost')}`),
  ).toEqual(['#005288', 'Figure · Outpost'])
  const [, plain] = (await brandOf('/auth/register')) ?? []
  expect(plain).toBe('Figure')
  for (const label of ['nobody', '__proto__', '"><script>', 'apollo%0d%0aBcc:x@evil.example']) {
    expect((await brandOf(`/auth/register?label=${label}`))?.[1], label).toBe('Figure')
  }
})

test('9 brand data cannot add a header to mail', () => {
  const file = {
    orgCode: 'EVIL',
    orgBrand: 'evil',
    companyInfo: { name: 'Evil Lender' },
  }
  expect(OrganizationFile.safeParse(file).success).toBe(true)
  for (const ending of ['\r\nBcc: all@evil.example', '\nX: y', '\u2028', '\u0000', '\u202e']) {
    for (const hostile of [
      { ...file, companyInfo: { name: `Evil${ending}` } },
      { ...file, mailFrom: { name: `Evil${ending}` } },
      { ...file, mailFrom: { address: `evil${ending}@evil.example` } },
      { ...file, mailFrom: { address: `evil@evil.example${ending}` } },
      { ...file, mailSignature: `Evil${ending}` },
    ]) {
      // An edge that cannot be seen is removed; anything else is refused.
      const { data } = OrganizationFile.safeParse(hostile)
      const headers = [
        data?.companyInfo.name,
        ...Object.values(data?.mailFrom ?? {}),
        data?.mailSignature,
      ]
      expect(headers.join(''), JSON.stringify(hostile)).toMatch(/^[ A-Za-z@.]*$/)
    }
  }
})

/** Amberfield's own host in every form that a client may send. */
const LENDER_HOSTS = [
  'login.amberfield.example',
  'LOGIN.Amberfield.Example',
  'login.amberfield.example.',
  'login.amberfield.example:8443',
  'amberfield.localhost',
]
const PUBLIC_URL = 'https://login.lender.example'

/** Makes a call that a browser on some host would make, with arbitrary host headers. */
function callAt(
  url: string,
  { path, body, headers }: { path: string; body: object; headers: readonly string[] },
): Promise<string> {
  const text = JSON.stringify(body)
  return rawRequest(
    url,
    [
      `POST ${path} HTTP/1.1`,
      ...headers,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  )
}

type World = Awaited<ReturnType<typeof aWorld>>

const continueAt = (world: World, host: string, body: object) =>
  callAt(world.url, {
    path: sendContinueApplicationEmail.path,
    body,
    headers: [`Host: ${host}`],
  })

const borrowerOf = (borrowerEmail: string, organization: string) => ({
  borrowerIdentifier: { borrowerEmail, organization },
})

/** The origins of all links in the newest mail, and its brand. */
async function newestMail(world: World, email: string) {
  const [mail] = await world.mail(email)
  const links = `${mail?.text} ${mail?.html}`.matchAll(/https?:\/\/[^/\s"<]*/g)
  return {
    from: mail?.from,
    origins: [...new Set([...links].map(String))],
    button: /https?:\/\/\S+\/auth\/\S+/.exec(mail?.text ?? '')?.[0] ?? '',
  }
}

/** A person of a lender, and the identity's UUID. */
async function personOf(world: World, organization: string) {
  const person = newPerson('borrower')
  await world.browser({ headers: { 'x-organization': organization } }).register(person)
  const [identity] = await world.query(`select id from identities where email = '${person.email}'`)
  return { ...person, uuid: String(identity?.['id']) }
}

for (const settings of [{}, { PUBLIC_URL }]) {
  const where = 'PUBLIC_URL' in settings ? 'with PUBLIC_URL' : 'without PUBLIC_URL'

  test(`9 a lender’s host mails for that lender only, ${where}`, async () => {
    await using world = await aWorld().withSettings(settings)
    for (const host of LENDER_HOSTS) {
      const { email } = newPerson('stranger')
      for (const organization of ['NORTHGALE', 'FIGURE', 'AMBERFIELD_NOWHERE']) {
        const answer = await continueAt(world, host, borrowerOf(email, organization))
        expect(answer, `${host} ${organization}`).toMatch(/^HTTP\/1\.1 400 /)
      }
      expect(await world.mail(email), host).toEqual([])
      const own = await continueAt(world, host, borrowerOf(email, 'AMBERFIELD'))
      expect(own, host).toMatch(/^HTTP\/1\.1 200 /)
      const { origins } = await newestMail(world, email)
      expect(origins.map((origin) => new URL(origin).hostname.replace(/\.$/, ''))).toEqual([
        host.toLowerCase().replace(/\.?(?::\d+)?$/, ''),
      ])
    }
  })

  test(`9 a lender’s host never gets the code of another lender’s account in a link, ${where}`, async () => {
    await using world = await aWorld().withSettings(settings)
    for (const organization of ['NORTHGALE', 'FIGURE', 'HARBORLINE']) {
      const { email, uuid } = await personOf(world, organization)
      const before = await world.mail(email)
      for (const host of LENDER_HOSTS) {
        const answer = await continueAt(world, host, { borrowerIdentityUuid: uuid })
        expect(answer, host).toMatch(/^HTTP\/1\.1 200 /)
      }
      expect(await world.mail(email)).toEqual(before)

      // The lender may invite its borrower, but the code must be typed.
      await continueAt(world, 'login.amberfield.example', borrowerOf(email, 'AMBERFIELD'))
      const { button } = await newestMail(world, email)
      expect(new URL(button).hostname).toBe('login.amberfield.example')
      expect(new URL(button).hash).toBe('')
      const loginUuid = new URL(button).searchParams.get('loginUuid') ?? ''
      const token = await world.passcode(email)
      expect(
        await world.browser().call(redeemToken, { body: { loginUuid, token } }),
      ).toHaveProperty('jwt')
    }
  })
}

test('9 the links of every mail lead to a host of the organization that sends it', async () => {
  await using world = await aWorld().withSettings({ PUBLIC_URL })
  const { email, uuid } = await personOf(world, 'NORTHGALE')
  const northgale = 'https://login.northgale.example'
  const hosts = [...LENDER_HOSTS, 'login.lender.example', 'evil.example', 'northgale.localhost']
  for (const host of hosts) {
    const headers = [`Host: ${host}`]
    const own = host === 'northgale.localhost' ? 'https://northgale.localhost' : northgale
    await callAt(world.url, { path: sendToken.path, body: { email }, headers })
    expect((await newestMail(world, email)).origins, `passcode at ${host}`).toEqual([own])
    world.clock.pass(60 * 60 * 1000)
  }
  for (const host of ['login.lender.example', 'evil.example', 'login.northgale.example']) {
    for (const body of [{ borrowerIdentityUuid: uuid }, borrowerOf(email, 'NORTHGALE')]) {
      await continueAt(world, host, body)
      const { from, origins, button } = await newestMail(world, email)
      expect([from, origins], host).toEqual([expect.stringMatching(/Northgale/), [northgale]])
      expect(new URL(button).hash).toMatch(/^#code=\d{6}$/)
      world.clock.pass(60 * 60 * 1000)
    }
  }
  // A lockout link.
  for (let attempt = 0; attempt < 12; attempt++) {
    const headers = ['Host: login.amberfield.example']
    await callAt(world.url, {
      path: login.path,
      body: { email, password: OTHER_PASSWORD },
      headers,
    })
  }
  const { origins, button } = await newestMail(world, email)
  expect([origins, new URL(button).pathname]).toEqual([[northgale], '/auth/lockout'])
})

test('9 a forwarded host counts like a host: it mails for its lender only', async () => {
  await using world = await aWorld().withSettings({ PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' })
  const { email } = newPerson('forwarded')
  const path = sendContinueApplicationEmail.path
  const forwarded = (host: string, organization: string) =>
    callAt(world.url, {
      path,
      body: borrowerOf(email, organization),
      headers: ['Host: login.northgale.example', `X-Forwarded-Host: ${host}`],
    })
  expect(await forwarded('login.amberfield.example', 'NORTHGALE')).toMatch(/^HTTP\/1\.1 400 /)
  expect(await forwarded('login.amberfield.example', 'AMBERFIELD')).toMatch(/^HTTP\/1\.1 200 /)
  expect((await newestMail(world, email)).origins).toEqual(['https://login.amberfield.example'])
})

test('7.2 the progress of a registration is only reported for an organization that the host serves', async () => {
  await using world = await aWorld()
  const { email } = newPerson('asked')
  const path = `${readRegistrationVerification.path}?borrowerEmail=${email}&organization=`
  const statusOf = async (host: string, organization: string) => {
    const lines = [`GET ${path}${organization} HTTP/1.1`, `Host: ${host}`, 'Connection: close']
    return (await rawRequest(world.url, `${lines.join('\r\n')}\r\n\r\n`)).slice(9, 12)
  }
  expect(await statusOf('login.amberfield.example', 'AMBERFIELD')).toBe('200')
  expect(await statusOf('login.amberfield.example', 'NORTHGALE')).toBe('400')
  expect(await statusOf('localhost', 'NORTHGALE')).toBe('200')
})

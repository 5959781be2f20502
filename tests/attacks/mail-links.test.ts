/**
 * A forged `Host` or forwarded host must not choose a link in mail or the host that a texted code is bound to; brand
 * data must not add a header to mail.
 */
import { register, sendToken } from '@portico/contracts/identity'
import { OrganizationFile } from '@portico/contracts/organization-file'
import { expect, test } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { aWorld, newPerson } from '../support/world.ts'

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
      expect(OrganizationFile.safeParse(hostile).success, JSON.stringify(hostile)).toBe(false)
    }
  }
})

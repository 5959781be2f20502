import { login, readIdentity, redeemToken, sendToken } from '@portico/contracts/identity'
import { type Answer, anotherNetwork, putLoad, wireRequest } from './load.ts'
import { emailOf } from './seeds.ts'
import type { Site } from './sites.ts'

/** A signed-in person. */
export type SignedIn = { readonly jwt: string; readonly cookie: string }

const browsers = (port: number) => ({ origin: `http://127.0.0.1:${port}`, ...anotherNetwork() })
const each = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index))

/** Password sign-ins of successive people. */
export function signIns(port: number, site: Site, from: number, count: number): string[] {
  return each(count, (index) =>
    wireRequest({
      method: login.method,
      path: login.path,
      port,
      headers: browsers(port),
      body: { email: emailOf(from + index), password: site.password },
    }),
  )
}

/** Requests for a passcode. */
export function sends(port: number, from: number, count: number): string[] {
  return each(count, (index) =>
    wireRequest({
      method: sendToken.method,
      path: sendToken.path,
      port,
      headers: browsers(port),
      body: { email: emailOf(from + index) },
    }),
  )
}

/** The mailbox's messages. */
export function mailboxReads(port: number, from: number, count: number): string[] {
  return each(count, (index) =>
    wireRequest({
      path: `/dev/mailbox/messages?to=${encodeURIComponent(emailOf(from + index))}`,
      port,
    }),
  )
}

/** Redemptions of passcodes. */
export function redemptions(
  port: number,
  codes: readonly { loginUuid: string; token: string }[],
): string[] {
  return codes.map((body) =>
    wireRequest({
      method: redeemToken.method,
      path: redeemToken.path,
      port,
      headers: browsers(port),
      body,
    }),
  )
}

/** Reads of the identity by people who have signed in, from `count` networks. */
export function reads(port: number, people: readonly SignedIn[], count: number): string[] {
  return each(count, (index) => {
    const { jwt = '', cookie = '' } = people[index % people.length] ?? {}
    const headers = { authorization: `Bearer ${jwt}`, cookie, ...anotherNetwork() }
    return wireRequest({ path: readIdentity.path, port, headers })
  })
}

/** Health requests, which need no work. */
export function healthRequests(requests: readonly string[]): string[] {
  return requests.map((request) => request.replace(/^GET \S+/, 'GET /healthz'))
}

/** Requests to the empty route, of the same size as the compared ones. */
export function emptyRequests(port: number, alike: string): string[] {
  const head = alike.slice(alike.indexOf('\r\n'), alike.indexOf('\r\n\r\n') + 4)
  const method = alike.slice(0, alike.indexOf(' '))
  const rest = head.replace(/\r\nhost: [^\r]*/, `\r\nhost: 127.0.0.1:${port}`)
  const body = alike.slice(alike.indexOf('\r\n\r\n') + 4)
  return [`${method === 'GET' ? 'GET' : 'POST'} /empty HTTP/1.1${rest}${body}`]
}

/** Signs people in. */
export async function signedIn(
  port: number,
  site: Site,
  from: number,
  count: number,
): Promise<SignedIn[]> {
  const { answers } = await putLoad({
    port,
    requests: signIns(port, site, from, count),
    connections: 16,
    keep: true,
  })
  return answers.map((answer) => ({
    jwt: (JSON.parse(answer.body) as { jwt: string }).jwt,
    cookie: cookiesOf(answer),
  }))
}

/** The renewed token in a response. */
export function renewedToken({ head }: Answer): string {
  const token = /^authorization: Bearer ([\w.-]+)/im.exec(head)?.[1]
  if (token === undefined) throw new Error('The response has no renewed token')
  return token
}

function cookiesOf({ head }: Answer): string {
  return [...head.matchAll(/^set-cookie: ([^;\r]+)/gim)].map(([, pair]) => pair).join('; ')
}

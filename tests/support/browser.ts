/**
 * A headless browser: keeps cookies, sends its origin, and stores, sends and renews the token as in §7.1, through the
 * pages' own client.
 */
import { type Client, client } from '@portico/client/client'
import type { StoredJwt } from '@portico/client/stored-jwt'
import { confirmIdentity, sendConfirmation } from '@portico/contracts/account-security'
import type { LoginResponse } from '@portico/contracts/identity'
import {
  login,
  logout,
  redeemToken,
  register,
  sendToken,
  setPassword,
} from '@portico/contracts/identity'
import { BEARER_PREFIX } from '@portico/contracts/storage-keys'

export interface Credentials {
  readonly email: string
  readonly password: string
}

export interface BrowserSettings {
  readonly url: () => string
  readonly origin: () => string
  readonly passcode: (email: string) => Promise<string>
  /** Added to every request, as by an extension or a proxy. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Browser {
  /** Makes a declared call with the pages' client. */
  readonly call: Client
  /** Sends any other request, with the browser's cookies and origin. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  readonly cookies: Map<string, string>
  /** The stored token, including its prefix. */
  readonly jwt: StoredJwt
  readonly signIn: (who: Credentials) => Promise<LoginResponse>
  readonly signInByPasscode: (email: string) => Promise<LoginResponse>
  /** Registers with the mailed code and a password; the browser is then signed in. */
  readonly register: (who: Credentials) => Promise<void>
  /** Confirms the session with the password, which must be older than the session. */
  readonly confirm: (who: Credentials) => Promise<void>
  /** Confirms the session with a mailed code. */
  readonly confirmByMail: (email: string) => Promise<void>
  readonly logOut: () => Promise<void>
}

/** Opens a browser without cookies or storage. */
export function openBrowser(settings: BrowserSettings): Browser {
  const cookies = new Map<string, string>()
  const jwt = tokenInMemory()

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ ...settings.headers, origin: settings.origin() })
    const cookieHeader = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (cookieHeader !== '') headers.set('cookie', cookieHeader)
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
    const url = new URL(path, settings.url())
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const cookie of response.headers.getSetCookie()) keepCookie(cookies, cookie)
    return response
  }

  const call = client({
    jwt,
    fetch: (to, init) => send(to instanceof Request ? to.url : to.toString(), init),
  })
  const storeToken = (answer: LoginResponse): LoginResponse => {
    if (answer.jwt !== undefined) jwt.write(answer.jwt)
    return answer
  }
  const signInByPasscode = async (email: string) => {
    const { uuid } = await call(sendToken, { body: { email } })
    const token = await settings.passcode(email)
    return storeToken(await call(redeemToken, { body: { loginUuid: uuid, token } }))
  }

  return {
    call,
    fetch: send,
    cookies,
    jwt,
    signIn: async (who) => storeToken(await call(login, { body: who })),
    signInByPasscode,
    async register({ email, password }) {
      await call(register, { body: { email } })
      await signInByPasscode(email)
      await call(setPassword, { body: { newPassword: password } })
    },
    confirm: async ({ password }) => {
      await call(confirmIdentity, { body: { password } })
    },
    async confirmByMail(email) {
      const { loginUuid } = await call(sendConfirmation, {})
      await call(confirmIdentity, { body: { loginUuid, token: await settings.passcode(email) } })
    },
    async logOut() {
      await call(logout, {})
      jwt.remove()
    },
  }
}

function keepCookie(cookies: Map<string, string>, header: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
  if (/;\s*max-age=0\b/i.test(header)) cookies.delete(name)
  else cookies.set(name, value)
}

function tokenInMemory(): StoredJwt {
  let stored: string | undefined
  return {
    read: () => stored,
    write(jwt) {
      stored = jwt.startsWith(BEARER_PREFIX) ? jwt : `${BEARER_PREFIX}${jwt}`
    },
    remove() {
      stored = undefined
    },
    watch: () => () => undefined,
  }
}

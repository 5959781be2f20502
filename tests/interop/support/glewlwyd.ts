/** Glewlwyd, an OpenID Connect provider, from its Debian package: on a free port, with its own folder. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { samlSigningKey } from '@portico/server/saml-responses'
import { installDebianPackage } from '../../../tools/machine/debian.ts'
import { findProgram } from '../../../tools/machine/find-program.ts'
import { freePort } from '../../../tools/machine/free-port.ts'
import { startGuard } from '../../../tools/machine/guard.ts'
import type { Browser } from '../../support/browser.ts'
import { answersAt, openPage } from './provider-pages.ts'

const TABLES = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'
const LIBRARIES = '/usr/lib/glewlwyd'
const NAME = 'portico-test'
const CLIENT = { clientId: 'portico', secret: 'secret-of-portico' }
const BEA = { name: 'bea', password: 'secret-of-bea', mail: 'bea@cedar-point.example' }

/** Whether it is installed; installs it if this process may. */
export function hasGlewlwyd(): boolean {
  const isInstalled = () => findProgram(['glewlwyd']) !== undefined
  return isInstalled() || (installDebianPackage('glewlwyd') && isInstalled())
}

export async function startGlewlwyd() {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-glewlwyd-'))
  const origin = `http://127.0.0.1:${await freePort()}`
  const issuer = `${origin}/api/${NAME}`
  const database = new DatabaseSync(path.join(folder, 'database'))
  database.exec(readFileSync(TABLES, 'utf8'))
  database.close()
  writeFileSync(path.join(folder, 'glewlwyd.conf'), configuration(folder, origin))
  const stop = startGuard(
    'glewlwyd -c "$1/glewlwyd.conf" >"$1/output" 2>&1 & server=$!; read -r _; kill $server; wait $server; rm -rf "$1"',
    [folder],
  )
  await answersAt(`${origin}/config`)
  const administrator = await session(origin, { username: 'admin', password: 'password' })
  const { privateKey, certificate } = await samlSigningKey()
  await administrator('/api/mod/plugin', {
    module: 'oidc',
    name: NAME,
    display_name: NAME,
    enabled: true,
    parameters: {
      iss: issuer,
      'jwt-type': 'rsa',
      'jwt-key-size': '256',
      key: privateKey,
      cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
      'access-token-duration': 3600,
      'refresh-token-duration': 3600,
      'code-duration': 600,
      'refresh-token-rolling': true,
      'auth-type-code-enabled': true,
      'auth-type-token-enabled': false,
      'auth-type-id-token-enabled': true,
      'auth-type-none-enabled': false,
      'auth-type-password-enabled': false,
      'auth-type-client-enabled': false,
      'auth-type-refresh-enabled': false,
      'pkce-allowed': true,
      'pkce-method-plain-allowed': false,
      'email-claim': 'mandatory',
      'subject-type': 'public',
    },
  })
  await administrator('/api/user', {
    username: BEA.name,
    name: BEA.name,
    email: BEA.mail,
    password: BEA.password,
    scope: ['openid', 'g_profile'],
    enabled: true,
  })

  return {
    issuer,
    ...CLIENT,
    person: BEA,
    /** Adds our callback. */
    trust: (callbackUrl: string) =>
      administrator('/api/client', {
        client_id: CLIENT.clientId,
        name: 'Portico',
        confidential: true,
        client_secret: CLIENT.secret,
        password: CLIENT.secret,
        redirect_uri: [callbackUrl],
        authorization_type: ['code'],
        token_endpoint_auth_method: ['client_secret_basic', 'client_secret_post'],
        scope: ['openid'],
        enabled: true,
      }),
    /**
     * Does what the provider's login page does for a user. Returns the URL that the browser is redirected to; undefined for
     * a wrong password.
     */
    async signIn(browser: Browser, redirect: string, person = BEA): Promise<string | undefined> {
      const loginPage = new URL((await openPage(browser, redirect)).url)
      // The provider has a session for the user.
      if (loginPage.pathname.startsWith('/identity-broker/')) return loginPage.href
      const call = (method: string, to: string, body: object) =>
        browser.fetch(`${origin}${to}`, {
          method,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      const signedIn = await call('POST', '/api/auth', {
        username: person.name,
        password: person.password,
      })
      if (!signedIn.ok) return undefined
      await call('PUT', `/api/auth/grant/${CLIENT.clientId}`, { scope: 'openid' })
      const next = new URL(loginPage.searchParams.get('callback_url') ?? '')
      next.searchParams.set('g_continue', '')
      return (await openPage(browser, next.href)).url
    },
    [Symbol.asyncDispose]: stop,
  }
}

/** Logs in to its administration API. Returns a function that sends requests to it. */
async function session(origin: string, credentials: { username: string; password: string }) {
  const send = (to: string, body: object, cookie = '') =>
    fetch(`${origin}${to}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const response = await send('/api/auth', credentials)
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  return async (to: string, body: object): Promise<void> => {
    const answer = await send(to, body, cookie)
    if (!answer.ok) throw new Error(`${to}: ${answer.status} ${await answer.text()}`)
  }
}

const configuration = (folder: string, origin: string) => `
port=${new URL(origin).port}
bind_address="127.0.0.1"
external_url="${origin}"
login_url="login.html"
api_prefix="api"
log_mode="console"
log_level="WARNING"
cookie_secure=0
cookie_same_site="empty"
session_expiration=3600
session_key="GLEWLWYD2_SESSION_ID"
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="${LIBRARIES}/user"
client_module_path="${LIBRARIES}/client"
user_auth_scheme_module_path="${LIBRARIES}/scheme"
plugin_module_path="${LIBRARIES}/plugin"
hash_algorithm="SHA512"
database = { type = "sqlite3" path = "${folder}/database" };
`

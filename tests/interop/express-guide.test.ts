/** The applications of docs/guides/express.md and of the SDK's README, run as they are written, with the published Express. */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { lenderAppClient } from '../support/lender-app-process.ts'
import { follow } from '../support/lender-application.ts'
import { PEOPLE } from '../support/people.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aWorld } from '../support/world.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

/** A document's application in its own folder, with the packages that the document installs. */
function applicationOf(document: string) {
  const guide = readFileSync(join(ROOT, document), 'utf8')
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'app.mjs'), /```js\n(.*?)```/s.exec(guide)?.[1] ?? '')
  mkdirSync(join(folder.path, 'node_modules/@portico'), { recursive: true })
  symlinkSync(join(ROOT, 'packages/sdk'), join(folder.path, 'node_modules/@portico/sdk'))
  const express = join(ROOT, 'tests/interop/node_modules/express')
  symlinkSync(express, join(folder.path, 'node_modules/express'))
  return folder
}

test('the guide for Express signs a user in, guards pages and the API, verifies webhooks and logs out', async () => {
  const client = await lenderAppClient()
  await using world = await aWorld().withClients([client])
  using folder = applicationOf('docs/guides/express.md')
  const url = `http://localhost:${client.port}`
  using app = spawn(process.execPath, ['app.mjs'], {
    cwd: folder.path,
    env: {
      PATH: process.env.PATH,
      PORT: String(client.port),
      PORTICO_URL: world.origin,
      CLIENT_ID: client.clientId,
      WEBHOOK_SECRET: SECRET,
    },
  })
  let output = ''
  app.stdout.on('data', (chunk: Buffer) => (output += chunk))
  app.stderr.on('data', (chunk: Buffer) => (output += chunk))
  await vi.waitFor(() => expect(output).toContain(`Open ${url}`), { timeout: 30_000 })

  const portico = world.browser()
  const own = openBrowser({ url: () => url, origin: () => url, passcode: world.passcode })
  const page = (path: string) => own.fetch(path, { headers: { accept: 'text/html' } })
  expect((await own.fetch('/')).status).toBe(401)
  const toLogin = (await page('/')).headers.get('location') ?? ''
  const toPortico = (await own.fetch(toLogin)).headers.get('location') ?? ''
  await portico.signIn(PEOPLE.plain)
  const callback = await follow(portico, toPortico)
  expect((await page(callback)).headers.get('location')).toBe('/')
  expect(await (await page('/')).text()).toContain(`Hello, ${PEOPLE.plain.email}`)

  expect((await page('/pay')).headers.get('location')).toMatch(/acr=two-factor&maxAge=300/)
  const payment = await own.fetch('/pay', { method: 'POST' })
  expect(payment.status).toBe(401)
  expect(await payment.json()).toEqual({ code: 'step-up-required' })

  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  expect((await own.fetch('/api/loan', bearer('forged'))).status).toBe(401)
  expect((await own.fetch('/api/loan')).status).toBe(401)

  const body = JSON.stringify({ type: 'session.started', timestamp: '', data: {} })
  const webhook = (secret: string) => {
    const at = new Date()
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    }
    return fetch(`${url}/webhooks`, { method: 'POST', headers, body })
  }
  expect((await webhook(SECRET)).status).toBe(204)
  expect((await webhook(`whsec_${Buffer.alloc(32).toString('base64')}`)).status).toBe(400)
  expect(output).toContain('session.started')

  // The form with a logout token is read and refused.
  const logoutToken = { method: 'POST', body: new URLSearchParams({ logout_token: 'forged' }) }
  expect((await fetch(`${url}/back-channel-logout`, logoutToken)).status).toBe(400)
  const logout = await own.fetch('/logout', { method: 'POST' })
  expect(await follow(portico, logout.headers.get('location') ?? '')).toBe(`${url}/`)
  expect((await own.fetch('/')).status).toBe(401)
})

test('the example in the README of the SDK signs a user in', async () => {
  const client = await lenderAppClient()
  await using world = await aWorld().withClients([client])
  using folder = applicationOf('packages/sdk/README.md')
  const url = `http://localhost:${client.port}`
  using app = spawn(process.execPath, ['app.mjs'], {
    cwd: folder.path,
    env: {
      PATH: process.env.PATH,
      PORT: String(client.port),
      APP_URL: url,
      PORTICO_URL: world.origin,
      CLIENT_ID: client.clientId,
      CLIENT_SECRET: 'demonstration-secret',
      COOKIE_SECRET: 'of this test only, 32 characters',
    },
  })
  let output = ''
  app.stdout.on('data', (chunk: Buffer) => (output += chunk))
  app.stderr.on('data', (chunk: Buffer) => (output += chunk))
  await vi.waitFor(() => expect(output).toContain(`Open ${url}/loan`), { timeout: 30_000 })

  const portico = world.browser()
  const own = openBrowser({ url: () => url, origin: () => url, passcode: world.passcode })
  const page = (path: string) => own.fetch(path, { headers: { accept: 'text/html' } })
  const toLogin = (await page('/loan')).headers.get('location') ?? ''
  const toPortico = (await own.fetch(toLogin)).headers.get('location') ?? ''
  await portico.signIn(PEOPLE.plain)
  const callback = await follow(portico, toPortico)
  expect((await page(callback)).headers.get('location')).toBe('/loan')
  expect(await (await page('/loan')).text()).toBe(`Hello, ${PEOPLE.plain.email}`)
})

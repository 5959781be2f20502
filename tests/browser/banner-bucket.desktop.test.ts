/** Announcements from a bucket: another origin, which learns nothing about the visitor (§7.7). */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { listen } from '../support/listen.ts'
import { PEOPLE } from '../support/people.ts'
import { startServer } from '../support/server-process.ts'
import { expect, test } from './support/portico.ts'
import { logIn, onDashboard, visit } from './support/steps.ts'

/** A public bucket: it answers everyone and allows no custom headers. */
async function aBucket(banners: readonly object[]) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    // The installation's node checks the file too.
    if (request.headers['user-agent'] !== 'node') requests.push(request)
    response.writeHead(200, {
      'access-control-allow-origin': '*',
      'content-type': 'application/json',
    })
    response.end(JSON.stringify(banners))
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/public`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('7.7 a bucket is requested without token, cookie or preflight, and no other origin is allowed', async ({
  browser,
}) => {
  await using bucket = await aBucket([
    {
      uuid: 'moved',
      message: 'We have moved.',
      apps: ['login', 'dashboard'],
      variant: 'info',
      active: true,
    },
  ])
  await using server = await startServer({ environment: { BANNERS_URL: bucket.url } })
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  const announced = page.getByRole('region', { name: 'Announcements' })

  await visit(page, '/auth/login')
  await expect(announced).toHaveText('Information: We have moved.')
  await logIn(page, PEOPLE.plain)
  await onDashboard(page, PEOPLE.plain.email)
  await expect(announced).toHaveText('Information: We have moved.')

  expect(bucket.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
    Array(2).fill('GET /public/banners-test.json'),
  )
  for (const { headers } of bucket.requests) {
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:authorization|cookie|traceparent)$/)]),
    )
  }
  expect(complaints).toEqual([])

  const elsewhere = bucket.url.replace('127.0.0.1', 'localhost')
  const refused = await page.evaluate(
    (url) =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    elsewhere,
  )
  expect(refused).toBe(true)
  expect(bucket.requests).toHaveLength(2)
  await context.close()
})

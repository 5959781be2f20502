import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PAGE_DATA_ELEMENT, PageData } from '@portico/contracts/page-data'
import type { MailTransport } from '@portico/server/mail-transport'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aWorld } from '../support/world.ts'

const SHIPPED = fileURLToPath(new URL('../../config', import.meta.url))
const noMail: MailTransport = { send: async () => undefined, close: () => undefined }
const FILE = '/banners/banners-test.json'

const banner = (message: string) => ({
  uuid: 'maintenance',
  message,
  apps: ['login'],
  variant: 'info',
  active: true,
  dismissable: true,
  metadata: { createdAt: '2030-01-01T00:00:00Z', updatedAt: '2030-01-01T00:00:00Z' },
})

/** An editable copy of the shipped configuration. */
function configuration() {
  const folder = temporaryFolder()
  cpSync(SHIPPED, folder.path, { recursive: true })
  return {
    settings: { CONFIG_DIR: folder.path },
    publish: (text: unknown, name = 'banners-test.json') =>
      writeFileSync(
        join(folder.path, 'banners', name),
        typeof text === 'string' ? text : JSON.stringify(text),
      ),
    [Symbol.dispose]: folder.remove,
  }
}

async function pageAt(url: string) {
  const response = await fetch(url, { headers: { accept: 'text/html' } })
  const element = new RegExp(`<script[^>]*id="${PAGE_DATA_ELEMENT}"[^>]*>([^<]*)</script>`)
  return {
    data: PageData.parse(JSON.parse(element.exec(await response.text())?.[1] ?? '')),
    connectsTo: /connect-src ([^;]*)/.exec(
      response.headers.get('content-security-policy') ?? '',
    )?.[1],
  }
}

test('7.7 an operator publishes by editing the file, and a mistake removes nothing', async () => {
  using config = configuration()
  await using world = await aWorld().withSettings(config.settings).withLog('info')
  const read = async () => (await fetch(`${world.url}${FILE}`)).json()
  expect(await read()).toEqual(
    JSON.parse(readFileSync(join(SHIPPED, 'banners/banners-test.json'), 'utf8')),
  )
  config.publish([banner('Closed on Monday')])
  expect(await read()).toEqual([banner('Closed on Monday')])
  config.publish('[{ "uuid": ')
  expect(await read()).toEqual([banner('Closed on Monday')])
  expect(await read()).toEqual([banner('Closed on Monday')])
  const errorLines = world.log.filter((line) => line.includes('the banner file is invalid'))
  expect(errorLines).toHaveLength(1)
  expect(errorLines[0]).toContain('banners-test.json')
  config.publish([banner('Closed on Tuesday')])
  expect(await read()).toEqual([banner('Closed on Tuesday')])
})

test('7.7 the response is non-executable JSON and is revalidated each time', async () => {
  using config = configuration()
  config.publish([banner('<img src=x onerror=alert(1)>')])
  await using world = await aWorld().withSettings(config.settings)
  const first = await fetch(`${world.url}${FILE}`)
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
  const again = () =>
    fetch(`${world.url}${FILE}`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    })
  expect((await again()).status).toBe(304)
  config.publish([banner('Closed')])
  expect((await again()).status).toBe(200)
})

test('7.7 pages get the -test file; in production only the production file exists', async () => {
  await using world = await aWorld()
  expect((await pageAt(`${world.url}/auth/login`)).data.bannersUrl).toBe(FILE)
  expect((await fetch(`${world.url}/banners/banners.json`)).status).toBe(200)

  await using production = await aWorld().inProduction(noMail)
  const page = await pageAt(`${production.url}/auth/login`)
  expect(page.data.bannersUrl).toBe('/banners/banners.json')
  expect(page.connectsTo).toBe("'self'")
  expect((await fetch(`${production.url}/banners/banners.json`)).status).toBe(200)
  expect((await fetch(`${production.url}${FILE}`)).status).toBe(404)
})

test('9 a bucket is the only other origin that pages may request, and the hosted wallet requests none', async () => {
  await using world = await aWorld().withSettings({
    BANNERS_URL: 'https://storage.lender.example/public/?x=1',
  })
  const { data, connectsTo } = await pageAt(`${world.url}/auth/login`)
  expect(data.bannersUrl).toBe('https://storage.lender.example/public/banners-test.json')
  expect(connectsTo).toBe("'self' https://storage.lender.example")
  expect((await pageAt(`${world.url}/figure-wallet`)).connectsTo).toBe("'self'")
})

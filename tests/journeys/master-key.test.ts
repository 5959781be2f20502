/** @module-tag database */
import { randomBytes } from 'node:crypto'
import {
  approveRequest,
  readHostedAccounts,
  requestApproval,
} from '@portico/contracts/hosted-wallet'
import { createPassport } from '@portico/contracts/passport'
import { createHostedAccount } from '@portico/contracts/wallet'
import { bytesOfBase64, bytesOfHex } from '@portico/keys/bytes'
import { verify } from '@portico/keys/signature'
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { rotateMasterKey } from '@portico/server/rotate-master-key'
import { buildServer } from '@portico/server/server'
import { expect, test } from 'vitest'
import { openLog } from '../../apps/server/src/operations/log.ts'
import { sha256 } from '../../apps/server/src/secrets/hashes.ts'
import { openBrowser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { PLAIN_APPLICATIONS } from '../support/prepared-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { queryEmbedded, testDatabase } from '../support/test-database.ts'

const TABLES = [
  'audit_chain',
  'hosted_keys',
  'messages',
  'openid_keys',
  'passport_sections',
  'push_subscriptions',
  'short_links',
  'signing_keys',
  'totp',
  'vapid_keys',
]
const aKey = () => randomBytes(32).toString('base64')
const nameOf = (key: string) => sha256(key).slice(0, 8)

/** An installation that can be restarted with other keys. */
async function anInstallation() {
  const folder = temporaryFolder()
  const database = await testDatabase()
  const config = (keys: readonly string[]) =>
    parseConfig({
      PORT: '0',
      DATA_DIR: folder.path,
      BOT_CHECK: 'off',
      MASTER_KEY: keys.join(','),
      ...(database === undefined ? {} : { DATABASE_URL: database.url }),
    })
  return {
    config,
    async stored() {
      const all = TABLES.map((table) =>
        database === undefined
          ? queryEmbedded(folder.path, `select * from ${table}`)
          : database.query(`select * from ${table}`),
      )
      return JSON.stringify(await Promise.all(all))
    },
    async start(keys: readonly string[]) {
      const server = await buildServer(config(keys), {
        log: openLog('silent'),
        applications: PLAIN_APPLICATIONS,
      })
      const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
      const browser = openBrowser({
        url: () => url,
        origin: () => url,
        passcode: () => Promise.reject(new Error('This browser signs in by password')),
      })
      return { server, browser }
    },
    async [Symbol.asyncDispose]() {
      await database?.drop()
      folder.remove()
    },
  }
}

test('4 a rotation of the master key re-encrypts everything; it can be interrupted and repeated', async () => {
  await using installation = await anInstallation()
  const [old, fresh] = [aKey(), aKey()]
  const first = await installation.start([old])
  await first.browser.signIn(PEOPLE.individual)
  const { address } = await first.browser.call(createHostedAccount, {
    body: { name: 'Kept', default: true },
  })
  await first.browser.call(createPassport, { body: { passportStructureType: 'INDIVIDUAL' } })
  await first.server.close()
  expect(await installation.stored()).toContain(`"${nameOf(old)}.`)

  // Interrupted after the first rows: these stay re-encrypted, the others remain readable.
  const stopped = rotateMasterKey(installation.config([fresh, old]), () => {
    throw new Error('stopped')
  })
  await expect(stopped).rejects.toThrow('stopped')
  const halfway = await installation.stored()
  expect(halfway).toContain(`"${nameOf(old)}.`)
  expect(halfway).toContain(`"${nameOf(fresh)}.`)
  await expect(rotateMasterKey(installation.config([fresh]))).rejects.toThrow(ConfigError)

  expect(await rotateMasterKey(installation.config([fresh, old]))).toBeGreaterThan(0)
  expect(await installation.stored()).not.toContain(`"${nameOf(old)}.`)
  expect(await rotateMasterKey(installation.config([fresh, old]))).toBe(0)

  // Without the old key the person still signs in, and the account's key still signs.
  const second = await installation.start([fresh])
  await second.browser.signIn(PEOPLE.individual)
  const account = (await second.browser.call(readHostedAccounts, {})).find(
    (each) => each.address === address,
  )
  const { approvalId } = await second.browser.call(requestApproval, {
    body: { kind: 'sign', address, messageHex: 'deadbeef' },
  })
  const approval = await second.browser.call(approveRequest, { body: { approvalId } })
  await second.server.close()
  if (approval.kind !== 'sign') throw new Error('Something else was approved')
  const key = bytesOfBase64(account?.publicKey ?? '') ?? new Uint8Array()
  const signature = bytesOfHex(approval.signature) ?? new Uint8Array()
  expect(verify(key, bytesOfHex('deadbeef') ?? new Uint8Array(), signature)).toBe(true)
})

test('4 a rotation without a key is refused', async () => {
  await expect(rotateMasterKey(parseConfig({}))).rejects.toThrow(/MASTER_KEY is not set/)
})

test('9 a database dump contains no usable hosted key without the master key', async () => {
  await using installation = await anInstallation()
  const { server, browser } = await installation.start([aKey()])
  await browser.signIn(PEOPLE.several)
  const accounts = await browser.call(readHostedAccounts, {})
  expect(accounts).toHaveLength(2)
  await server.close()
  const stored = await installation.stored()
  for (const { address } of accounts) expect(stored).toContain(address)
  // Recovery words are English words separated by spaces; a private key is 32 encoded bytes.
  expect(stored).not.toMatch(/(?:[a-z]{3,8} ){11}[a-z]{3,8}/)
  await expect(installation.start([aKey()])).rejects.toThrow(/MASTER_KEY lacks the key/)
  await expect(rotateMasterKey(installation.config([aKey()]))).rejects.toThrow(ConfigError)
})

/** Evidence files of a passport (7.6): uploads that are cut off, raced, too large or hostile, and who reads them. */
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { deleteOwnAccount } from '@portico/contracts/account-security'
import {
  MAX_PASSPORT_FILE_BYTES,
  MAX_PASSPORT_FILES_BYTES,
  PASSPORT_FILE_PART_BYTES,
} from '@portico/contracts/limits'
import {
  createPassport,
  invitePassportMember,
  joinPassport,
  readPassport,
  removePassportMember,
  submitPassport,
} from '@portico/contracts/passport'
import {
  completePassportFile,
  createPassportFile,
  downloadPassportFile,
  readPassportFile,
  removePassportFile,
  sendPassportFilePart,
} from '@portico/contracts/passport-files'
import { createHostedAccount, readAccounts, readWalletJwt } from '@portico/contracts/wallet'
import { restoreBackup, writeBackup } from '@portico/server/backup'
import { parseConfig } from '@portico/server/config'
import { rotateMasterKey } from '@portico/server/rotate-master-key'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diskStorage } from '../../apps/server/src/file-storage/disk-storage.ts'
import { removeOrphans } from '../../apps/server/src/passport/evidence/remove-orphans.ts'
import { aPdf, aZip, flateStream } from '../../apps/server/src/passport/evidence/testing.ts'
import { postgresPrograms } from '../../tools/machine/postgres-programs.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES, testDatabase } from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const RACERS = 10

type World = Awaited<ReturnType<typeof aWorld>>
let world: World

beforeAll(async () => {
  world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
})
afterAll(() => world[Symbol.asyncDispose]())

const code = async (call: Promise<unknown>) => (await refusal(call)).code

/** A PDF of several parts: its largest stream does not compress. */
const LARGE = aPdf([
  { dictionary: '', content: Buffer.alloc(600_000, 'a picture of a statement ') },
])

/** A new person with a passport. */
async function anInvestor() {
  const who = newPerson('evidence')
  const browser = world.browser()
  await browser.register(who)
  return { who, browser, passportUuid: await aPassport(browser) }
}

async function aPassport(browser: Browser): Promise<string> {
  const { address } = await browser.call(createHostedAccount, {
    body: { name: 'Passport', default: true },
  })
  const query = { walletAddress: address }
  browser.jwt.write((await browser.call(readWalletJwt, { query })).jwt)
  const body = { passportStructureType: 'INDIVIDUAL' } as const
  return (await browser.call(createPassport, { body })).passportUuid
}

const create = (browser: Browser, passportUuid: string, bytes: number, name = 'Statement.pdf') =>
  browser.call(createPassportFile, { body: { passportUuid, name, bytes, modifiedAt: 1 } })

const sendPart = (browser: Browser, fileUuid: string, offset: number, content: Uint8Array) =>
  browser.call(sendPassportFilePart, {
    query: { fileUuid, offset: String(offset) },
    body: content.subarray(offset, offset + PASSPORT_FILE_PART_BYTES),
  })

const complete = (browser: Browser, fileUuid: string) =>
  browser.call(completePassportFile, { body: { fileUuid } })

const download = (browser: Browser, fileUuid: string) =>
  browser.call(downloadPassportFile, { query: { fileUuid } })

/** Sends the parts of a file from an offset on. */
async function sendFrom(browser: Browser, fileUuid: string, offset: number, content: Uint8Array) {
  for (let at = offset; at < content.length; at += PASSPORT_FILE_PART_BYTES) {
    await sendPart(browser, fileUuid, at, content)
  }
}

async function upload(browser: Browser, passportUuid: string, content: Uint8Array, name?: string) {
  const { fileUuid } = await create(browser, passportUuid, content.length, name)
  await sendFrom(browser, fileUuid, 0, content)
  return complete(browser, fileUuid)
}

const storedIn = (dataDir: string, fileUuid: string): string[] => {
  try {
    return readdirSync(join(dataDir, 'uploads', fileUuid))
  } catch {
    return []
  }
}

test('7.6 a file is uploaded in parts, resumes after an interruption, and is downloaded unchanged', {
  tags: 'database',
}, async () => {
  const { who, browser, passportUuid } = await anInvestor()
  const { fileUuid } = await create(browser, passportUuid, LARGE.length, 'Statement')
  await sendPart(browser, fileUuid, 0, LARGE)
  expect(await code(complete(browser, fileUuid))).toBe('file-incomplete')

  // The page was closed; on another visit the upload is listed with what has arrived.
  const later = world.browser()
  await later.signIn(who)
  const { files } = await later.call(readPassport, { query: { passportUuid } })
  const receivedBytes = PASSPORT_FILE_PART_BYTES
  expect(files).toMatchObject([{ fileUuid, type: null, bytes: LARGE.length, receivedBytes }])
  await sendFrom(later, fileUuid, receivedBytes, LARGE)
  const completed = await complete(later, fileUuid)
  expect(completed).toMatchObject({
    file: { name: 'Statement.pdf', type: 'application/pdf', bytes: LARGE.length - 1 },
    section: { section: 'attestation-verification', status: 'IN_PROGRESS', version: 1 },
  })
  expect(await complete(later, fileUuid)).toEqual(completed)
  expect(Buffer.from(await download(browser, fileUuid))).toEqual(LARGE.subarray(0, -1))

  const response = await browser.fetch(`${downloadPassportFile.path}?fileUuid=${fileUuid}`, {
    headers: { authorization: browser.jwt.read() ?? '' },
  })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': "attachment; filename*=UTF-8''Statement.pdf",
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
})

test('9 files and their names are stored encrypted, and tampered files are not served', async () => {
  const { browser, passportUuid } = await anInvestor()
  const { file } = await upload(browser, passportUuid, LARGE, 'Secret plans.pdf')
  const storage = diskStorage(join(world.dataDir, 'uploads'))
  const parts = await storage.listParts(file.fileUuid)
  expect(parts).toHaveLength(3)
  for (const { name } of parts) {
    expect(Buffer.from(await storage.read(file.fileUuid, name)).includes('statement')).toBe(false)
  }
  expect(JSON.stringify(await world.query('select * from passport_files'))).not.toContain('Secret')
  const [first = '', second = ''] = parts.map(({ name }) => name)
  const [one, two] = [
    await storage.read(file.fileUuid, first),
    await storage.read(file.fileUuid, second),
  ]
  await storage.removeParts(file.fileUuid, [first, second])
  await storage.write(file.fileUuid, first, two)
  await storage.write(file.fileUuid, second, one)
  await expect(download(browser, file.fileUuid)).rejects.toThrow(/fetching|store or read/)
})

test('7.6 only owners and reviewers of the lender read a file, and only its owners change it', async () => {
  const { browser, passportUuid } = await anInvestor()
  const { file, section } = await upload(browser, passportUuid, aPdf())
  const { fileUuid } = file
  const { fileUuid: unfinished } = await create(browser, passportUuid, LARGE.length)
  await sendPart(browser, unfinished, 0, LARGE)

  const { browser: stranger } = await anInvestor()
  const reviewer = world.browser()
  await reviewer.signIn(PEOPLE.reviewer)
  // Not before it was submitted.
  expect(await code(download(reviewer, fileUuid))).toBe('not-found')
  expect((await reviewer.call(readPassport, { query: { passportUuid } })).files).toEqual([])
  const { section: name, version } = section
  await browser.call(submitPassport, {
    body: { passportUuid, sections: [{ section: name, version }] },
  })
  for (const [other, isReviewer] of [
    [stranger, false],
    [reviewer, true],
  ] as const) {
    const reading = download(other, fileUuid)
    if (isReviewer) expect((await reading).length).toBe(aPdf().length - 1)
    else expect(await code(reading)).toBe('not-found')
    const calls = [
      download(other, unfinished),
      create(other, passportUuid, 100),
      other.call(readPassportFile, { query: { fileUuid: unfinished } }),
      sendPart(other, unfinished, PASSPORT_FILE_PART_BYTES, LARGE),
      complete(other, unfinished),
      other.call(removePassportFile, { body: { fileUuid } }),
      other.call(removePassportFile, { body: { fileUuid: unfinished } }),
    ]
    expect(await outcomes(calls)).toEqual({ 'not-found': calls.length })
  }
  const { files } = await reviewer.call(readPassport, { query: { passportUuid } })
  expect(files.map((each) => each.fileUuid)).toEqual([fileUuid])
  expect((await fetch(`${world.url}${downloadPassportFile.path}?fileUuid=${fileUuid}`)).ok).toBe(
    false,
  )
})

test('7.6 a member reads and adds files from joining until the removal', async () => {
  const browser = world.browser()
  await browser.signIn(PEOPLE.organizations)
  const accounts = await browser.call(readAccounts, {})
  const group = accounts.find(({ account }) => account.name === 'Larch Partners')
  const query = {
    walletAddress: group?.authorizedWallets[0]?.address ?? '',
    groupPolicyAddress: group?.account.address ?? '',
  }
  browser.jwt.write((await browser.call(readWalletJwt, { query })).jwt)
  const { passportUuid } = await browser.call(createPassport, {
    body: { passportStructureType: 'ENTITY' },
  })
  const { fileUuid } = (await upload(browser, passportUuid, aPdf())).file

  const guest = newPerson('member')
  const { memberUuid } = await browser.call(invitePassportMember, {
    body: { passportUuid, name: 'Mia Member', email: guest.email, role: 'controller' },
  })
  const member = world.browser()
  await member.register(guest)
  expect(await code(download(member, fileUuid))).toBe('not-found')
  await member.call(joinPassport, { body: { passportUuid } })
  expect((await download(member, fileUuid)).length).toBe(aPdf().length - 1)
  const { file: own } = await upload(member, passportUuid, aPdf())
  await browser.call(removePassportMember, { body: { passportUuid, memberUuid } })
  const calls = [
    download(member, fileUuid),
    download(member, own.fileUuid),
    create(member, passportUuid, 100),
    member.call(removePassportFile, { body: { fileUuid: own.fileUuid } }),
  ]
  expect(await outcomes(calls)).toEqual({ 'not-found': calls.length })
})

test('4.9 files are evidence without a professional, and stay as they were submitted', async () => {
  const { browser, passportUuid } = await anInvestor()
  const submit = (version: number) =>
    browser.call(submitPassport, {
      body: { passportUuid, sections: [{ section: 'attestation-verification', version }] },
    })
  const { file, section } = await upload(browser, passportUuid, aPdf())
  const { section: removed } = await browser.call(removePassportFile, {
    body: { fileUuid: file.fileUuid },
  })
  expect(removed).toMatchObject({ version: section.version + 1 })
  expect(storedIn(world.dataDir, file.fileUuid)).toEqual([])
  expect(await code(submit(removed?.version ?? 0))).toBe('passport-incomplete')
  const { file: evidence, section: current } = await upload(browser, passportUuid, aPdf())
  expect(await code(submit(removed?.version ?? 0))).toBe('passport-changed')
  expect(await submit(current.version)).toMatchObject({
    status: { attestationVerificationStatus: 'PENDING' },
  })
  const body = { fileUuid: evidence.fileUuid }
  expect(await code(browser.call(removePassportFile, { body }))).toBe('passport-section-closed')
  expect(await code(create(browser, passportUuid, 100))).toBe('passport-section-closed')
})

test('uploads: hostile files are refused, and nothing is left of them', async () => {
  const { browser, passportUuid } = await anInvestor()
  expect(await code(create(browser, passportUuid, 10, ' '))).toBe('invalid-request')
  const script = flateStream('4 0 <</S /JavaScript /JS (app.alert(1))>>', '/Type /ObjStm')
  for (const [content, expected] of [
    [Buffer.from('<svg onload="alert(1)"/>'), 'file-type-refused'],
    [aZip(), 'file-type-refused'],
    [aPdf([script]), 'file-has-active-content'],
    [aPdf([flateStream(Buffer.alloc(70 * 1024 * 1024))]), 'file-damaged'],
    [aPdf([], { trailer: '/Encrypt 9 0 R' }), 'file-has-password'],
  ] as const) {
    const { fileUuid } = await create(browser, passportUuid, content.length)
    expect(
      await code(sendFrom(browser, fileUuid, 0, content).then(() => complete(browser, fileUuid))),
    ).toBe(expected)
    expect(storedIn(world.dataDir, fileUuid)).toEqual([])
    expect(await code(complete(browser, fileUuid))).toBe('not-found')
  }
  const { file } = await upload(browser, passportUuid, Buffer.concat([aPdf(), aZip()]))
  expect(Buffer.from(await download(browser, file.fileUuid)).includes('PK')).toBe(false)
})

test('uploads: 10 GB are refused when they are declared, and when they are sent', async () => {
  const { browser, passportUuid } = await anInvestor()
  expect(await code(create(browser, passportUuid, 10 * 1024 ** 3))).toBe('file-too-large')
  const { fileUuid } = await create(browser, passportUuid, PASSPORT_FILE_PART_BYTES + 10)
  await sendPart(browser, fileUuid, 0, LARGE)
  // More than was declared.
  expect(await code(sendPart(browser, fileUuid, PASSPORT_FILE_PART_BYTES, LARGE))).toBe(
    'file-part-misplaced',
  )
  // An endless body in chunks is cut off soon after the size of a part.
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  let sent = 0
  const ended = new Promise<string>((resolve) => {
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk)).on('close', () => resolve(answer))
    socket.on('error', () => undefined)
  })
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  socket.write(
    `PUT ${sendPassportFilePart.path}?fileUuid=${fileUuid}&offset=${PASSPORT_FILE_PART_BYTES} HTTP/1.1\r\nhost: x\r\norigin: ${world.origin}\r\nauthorization: ${browser.jwt.read()}\r\ncookie: ${cookie}\r\ncontent-type: application/octet-stream\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')])
  const pump = () => {
    while (!socket.destroyed && sent < 1024 ** 3) {
      sent += 65_536
      if (!socket.write(chunk)) return void socket.once('drain', pump)
    }
  }
  pump()
  expect(await ended).toMatch(/^HTTP\/1.1 413/)
  expect(sent).toBeLessThan(64 * 1024 * 1024)
  const query = { fileUuid }
  expect(await browser.call(readPassportFile, { query })).toMatchObject({
    receivedBytes: PASSPORT_FILE_PART_BYTES,
  })
})

test('concurrent parts: one is stored, the others are refused, and the file is intact', {
  tags: 'database',
}, async () => {
  const { browser, passportUuid } = await anInvestor()
  const { fileUuid } = await create(browser, passportUuid, LARGE.length)
  const race = (offset: number) =>
    outcomes(Array.from({ length: RACERS }, () => sendPart(browser, fileUuid, offset, LARGE)))
  for (let offset = 0; offset < LARGE.length; offset += PASSPORT_FILE_PART_BYTES) {
    expect(await race(offset)).toEqual({ answered: 1, 'file-part-misplaced': RACERS - 1 })
  }
  const completed = Array.from({ length: 4 }, () => complete(browser, fileUuid))
  expect(await outcomes(completed)).toEqual({ answered: 4 })
  expect(storedIn(world.dataDir, fileUuid)).toHaveLength(3)
  expect(Buffer.from(await download(browser, fileUuid))).toEqual(LARGE.subarray(0, -1))
  const { sections } = await browser.call(readPassport, { query: { passportUuid } })
  expect(sections.find(({ section }) => section === 'attestation-verification')?.version).toBe(1)
})

test('10 A7 the audit log says which reviewer downloaded which file', async () => {
  const { browser, passportUuid } = await anInvestor()
  const { file, section } = await upload(browser, passportUuid, aPdf())
  const { section: name, version } = section
  await browser.call(submitPassport, {
    body: { passportUuid, sections: [{ section: name, version }] },
  })
  const reviewer = world.browser()
  await reviewer.signIn(PEOPLE.reviewer)
  const { fileUuid } = file
  for (const who of [browser, reviewer]) await download(who, fileUuid)
  const events = await world.query(
    `select email, details from audit_events join identities on identities.id = identity_id where kind = 'passport-file-read' and details like '%${fileUuid}%'`,
  )
  expect(events.map(({ email, details }) => [email, JSON.parse(String(details))])).toEqual([
    [PEOPLE.reviewer.email, { passport: passportUuid, file: fileUuid }],
  ])
})

test('an upload that is completed and removed at the same time is complete or gone', {
  tags: 'database',
}, async () => {
  const { browser, passportUuid } = await anInvestor()
  for (let round = 0; round < RACERS; round += 1) {
    const { fileUuid } = await create(browser, passportUuid, LARGE.length)
    await sendFrom(browser, fileUuid, 0, LARGE)
    const completion = outcomes([complete(browser, fileUuid)])
    await setTimeout(round)
    const removal = browser.call(removePassportFile, { body: { fileUuid } })
    expect(await outcomes([removal])).toEqual({ answered: 1 })
    expect([{ answered: 1 }, { 'not-found': 1 }]).toContainEqual(await completion)
    expect(await code(complete(browser, fileUuid))).toBe('not-found')
    expect(storedIn(world.dataDir, fileUuid)).toEqual([])
  }
  expect((await browser.call(readPassport, { query: { passportUuid } })).files).toEqual([])
})

test('simultaneous uploads: the limit of a passport is exact', { tags: 'database' }, async () => {
  const { browser, passportUuid } = await anInvestor()
  const largest = MAX_PASSPORT_FILE_BYTES
  const allowed = MAX_PASSPORT_FILES_BYTES / largest
  const calls = Array.from({ length: RACERS }, () => create(browser, passportUuid, largest))
  expect(await outcomes(calls)).toEqual({ answered: allowed, 'too-many-files': RACERS - allowed })
})

test('a part that was damaged in transit is refused', async () => {
  const { browser, passportUuid } = await anInvestor()
  const { fileUuid } = await create(browser, passportUuid, aPdf().length)
  const damaged = browser.call(sendPassportFilePart, {
    query: { fileUuid, offset: '0' },
    headers: { 'content-digest': 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:' },
    body: aPdf(),
  })
  expect(await code(damaged)).toBe('file-part-damaged')
})

test('10 an abandoned upload ends after a day, and deleting an account deletes its files', async () => {
  const { who, browser, passportUuid } = await anInvestor()
  const { fileUuid } = await create(browser, passportUuid, LARGE.length)
  await sendPart(browser, fileUuid, 0, LARGE)
  const { file } = await upload(browser, passportUuid, aPdf())
  const body = { email: who.email, deleteHostedWallets: true }
  await browser.confirmByMail(who.email)
  await browser.call(deleteOwnAccount, { body })
  expect(storedIn(world.dataDir, file.fileUuid)).toEqual([])

  const { browser: other, passportUuid: another } = await anInvestor()
  const { fileUuid: left } = await create(other, another, LARGE.length)
  await sendPart(other, left, 0, LARGE)
  const storage = diskStorage(join(world.dataDir, 'uploads'))
  const { stores } = world.server
  const log = world.parts.log
  const sweep = (now: number) => removeOrphans({ stores, storage, clock: () => now, log })
  await stores.passportFiles.delete(left)
  // Kept for a day, in case the server was started with another database.
  await sweep(Date.now())
  expect(storedIn(world.dataDir, left)).toHaveLength(1)
  await sweep(Date.now() + 2 * DAY_MS)
  expect(storedIn(world.dataDir, left)).toEqual([])
})

test('10 A8 files are part of a backup, and are read after a restore and a rotation of the master key', {
  tags: 'database',
}, async () => {
  using data = temporaryFolder()
  using elsewhere = temporaryFolder()
  const [database, empty] = [await testDatabase(), await testDatabase()]
  const [old, fresh] = [Buffer.alloc(32, 5), Buffer.alloc(32, 6)].map((key) =>
    key.toString('base64'),
  )
  const settings = (dataDir: string, keys: string, url: string | undefined) => ({
    MASTER_KEY: keys,
    BOT_CHECK: 'off',
    DATA_DIR: dataDir,
    ...(url === undefined ? {} : { DATABASE_URL: url }),
  })
  const programs = postgresPrograms
  const file = join(data.path, 'portico.backup')
  try {
    const first = settings(data.path, `${old}`, database?.url)
    const server = await startServer({ dataDir: data.path, environment: first })
    const at = () => server.url
    const browser = openBrowser({ url: at, origin: at, passcode: async () => '' })
    await browser.signIn(PEOPLE.individual)
    const passportUuid = await aPassport(browser)
    const { file: kept } = await upload(browser, passportUuid, LARGE)
    if (database !== undefined) {
      const elsewhereConfig = parseConfig({ ...first, DATA_DIR: elsewhere.path })
      await expect(writeBackup(elsewhereConfig, file, programs)).rejects.toThrow(
        'the database has uploaded files. Set DATA_DIR as for the server',
      )
    }
    const backup = await writeBackup(parseConfig(first), file, programs)
    expect(backup).toEqual({ uploads: `${file}.uploads` })
    await server.stop()

    const second = settings(elsewhere.path, `${fresh},${old}`, empty?.url)
    await restoreBackup(parseConfig(second), file, programs)
    expect(await rotateMasterKey(parseConfig(second))).toBeGreaterThan(0)
    const third = settings(elsewhere.path, `${fresh}`, empty?.url)
    await using restored = await startServer({ dataDir: elsewhere.path, environment: third })
    const there = () => restored.url
    const again = openBrowser({ url: there, origin: there, passcode: async () => '' })
    await again.signIn(PEOPLE.individual)
    expect(Buffer.from(await download(again, kept.fileUuid))).toEqual(LARGE.subarray(0, -1))
  } finally {
    await database?.drop()
    await empty?.drop()
  }
})

test('10 A8 an upload resumes after the server is killed, and a full disk leaves nothing', {
  tags: 'database',
}, async () => {
  using data = temporaryFolder()
  const database = await testDatabase()
  const environment = {
    MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
    BOT_CHECK: 'off',
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
  }
  const start = (fileBlocks?: number) =>
    startServer({
      dataDir: data.path,
      environment,
      ...(fileBlocks === undefined ? {} : { fileBlocks }),
    })
  try {
    let server = await start()
    const at = () => server.url
    const browser = openBrowser({ url: at, origin: at, passcode: async () => '' })
    await browser.signIn(PEOPLE.individual)
    const passportUuid = await aPassport(browser)
    const { fileUuid } = await create(browser, passportUuid, LARGE.length)
    await sendPart(browser, fileUuid, 0, LARGE)
    // Killed while the next part is in transit: it has arrived or it has not.
    const next = sendPart(browser, fileUuid, PASSPORT_FILE_PART_BYTES, LARGE).catch(() => undefined)
    await server.kill()
    await next
    // Where the database is elsewhere, files can be limited to less than a part.
    if (ON_POSTGRES) {
      server = await start(200)
      await browser.signIn(PEOPLE.individual)
      const { receivedBytes: offset } = await browser.call(readPassportFile, {
        query: { fileUuid },
      })
      const before = storedIn(data.path, fileUuid)
      expect(await code(sendPart(browser, fileUuid, offset, LARGE))).toBe('files-not-available')
      expect(storedIn(data.path, fileUuid)).toEqual(before)
      await server.stop()
    }
    server = await start()
    await browser.signIn(PEOPLE.individual)
    const { receivedBytes } = await browser.call(readPassportFile, { query: { fileUuid } })
    expect([1, 2].map((parts) => parts * PASSPORT_FILE_PART_BYTES)).toContain(receivedBytes)
    await sendFrom(browser, fileUuid, receivedBytes, LARGE)
    await complete(browser, fileUuid)
    expect(storedIn(data.path, fileUuid)).toHaveLength(3)
    expect(Buffer.from(await download(browser, fileUuid))).toEqual(LARGE.subarray(0, -1))
    await server.stop()
  } finally {
    await database?.drop()
  }
})
